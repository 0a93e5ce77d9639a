// Collects successes: plays instances, stores the successful trajectories, and adds them to the success pool if requested. Failures are only
// counted.

import type { Instance } from '../core/task.ts';
import { isSuccess } from '../core/verdict.ts';
import type { SuccessPool } from '../data/pool/pool.ts';
import type { TrajectoryStore } from '../data/store.ts';
import type { AttemptRow } from '../protocol/daemon/collection.ts';
import { type AttemptCounts, addAttempt } from './attempt-counts.ts';
import type { Attempted, CollectSource } from './source.ts';

export interface CollectingOptions {
  readonly source: CollectSource;
  readonly store: Pick<TrajectoryStore, 'ingest'>;
  readonly pool: Pick<SuccessPool, 'offer'>;
  /** The name in which successes enter the pool; undefined when a person reviews them first. */
  readonly accepts: string | undefined;
  readonly progress: (soFar: readonly AttemptRow[]) => void;
  /** Reports what delays the next attempt. */
  readonly trouble: (message: string) => void;
}

/** In the order of the first attempt of each task. Everything that counts as kept is durable. */
export async function collectSuccesses(
  instances: readonly Instance[],
  { source, progress, trouble, ...keeping }: CollectingOptions,
  signal: AbortSignal,
): Promise<readonly AttemptRow[]> {
  let soFar: readonly AttemptRow[] = [];
  for await (const tried of source.play(instances, signal, trouble)) {
    soFar = addAttempt(soFar, tried.instance.task, await kept(tried, keeping));
    progress(soFar);
  }
  return soFar;
}

async function kept(
  { trajectory }: Attempted,
  { store, pool, accepts }: Pick<CollectingOptions, 'store' | 'pool' | 'accepts'>,
): Promise<Partial<AttemptCounts>> {
  if (trajectory?.outcome.kind === 'broken') return { broken: 1 };
  if (trajectory === undefined || !isSuccess(trajectory.outcome)) return { tried: 1 };
  await store.ingest(trajectory);
  if (accepts !== undefined) await pool.offer(trajectory.id, accepts);
  return { tried: 1, succeeded: 1, kept: 1 };
}
