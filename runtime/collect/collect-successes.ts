// Collects successes ahead of training: plays instances, keeps what succeeds, and accepts it into the success pool where that is wanted.
// What does not succeed is counted and forgotten.

import type { TaskId } from '../core/ids.ts';
import type { Instance } from '../core/task.ts';
import { isSuccess } from '../core/verdict.ts';
import type { SuccessPool } from '../data/pool/pool.ts';
import type { TrajectoryStore } from '../data/store.ts';
import { type ByTask, noted, type Tries } from './attempt-counts.ts';
import type { CollectSource, Tried } from './source.ts';

export interface CollectingOptions {
  readonly source: CollectSource;
  readonly store: Pick<TrajectoryStore, 'ingest'>;
  readonly pool: Pick<SuccessPool, 'offer'>;
  /** Whoever accepts what succeeds; undefined where somebody shall look at it first. */
  readonly accepts: string | undefined;
  readonly progress: (soFar: ByTask) => void;
  /** What keeps the next from coming. */
  readonly trouble: (message: string) => void;
}

/** In the order in which tasks first come; everything that is counted as kept is durable. */
export async function collectSuccesses(
  instances: readonly Instance[],
  { source, progress, trouble, ...keeping }: CollectingOptions,
  signal: AbortSignal,
): Promise<ByTask> {
  let soFar: ByTask = new Map<TaskId, Tries>();
  for await (const tried of source.play(instances, signal, trouble)) {
    soFar = noted(soFar, tried.instance.task, await kept(tried, keeping));
    progress(soFar);
  }
  return soFar;
}

async function kept(
  { trajectory }: Tried,
  { store, pool, accepts }: Pick<CollectingOptions, 'store' | 'pool' | 'accepts'>,
): Promise<Partial<Tries>> {
  if (trajectory?.outcome.kind === 'broken') return { broken: 1 };
  if (trajectory === undefined || !isSuccess(trajectory.outcome)) return { tried: 1 };
  await store.ingest(trajectory);
  if (accepts !== undefined) await pool.offer(trajectory.id, accepts);
  return { tried: 1, succeeded: 1, kept: 1 };
}
