// Plays instances, and stores the trajectories: those of successes, which may enter the success pool, or those of every attempt of an
// evaluation. All attempts are counted.

import type { Instance } from '../core/task.ts';
import { isSuccess } from '../core/verdict.ts';
import type { SuccessPool } from '../data/pool/pool.ts';
import type { TrajectoryStore } from '../data/store.ts';
import type { AttemptRow } from '../protocol/daemon/collection.ts';
import type { EpisodeResult } from '../protocol/daemon/episode-result.ts';
import { type AttemptCounts, addAttempt } from './attempt-counts.ts';
import { episodeResultOf } from './episode-results.ts';
import type { Attempted, CollectSource } from './source.ts';

/** 'everything' includes failures and broken episodes, and never enters the pool. */
export type KeptAttempts = 'everything' | 'successes';

export interface CollectingOptions {
  readonly source: Pick<CollectSource, 'play'>;
  readonly store: Pick<TrajectoryStore, 'ingest'>;
  readonly pool: Pick<SuccessPool, 'offer'>;
  readonly keeps: KeptAttempts;
  /** The name in which successes enter the pool; undefined when a person reviews them first. */
  readonly accepts: string | undefined;
  /** Called before `progress` for each episode. */
  readonly finished: (episode: EpisodeResult) => void;
  readonly progress: (soFar: readonly AttemptRow[]) => void;
  /** Reports what delays the next attempt. */
  readonly problem: (message: string) => void;
}

/** In the order of the first attempt of each task. Everything that counts as kept is durable. */
export async function collectAttempts(
  instances: readonly Instance[],
  { source, finished, progress, problem, ...keeping }: CollectingOptions,
  signal: AbortSignal,
): Promise<readonly AttemptRow[]> {
  let soFar: readonly AttemptRow[] = [];
  for await (const tried of source.play(instances, signal, problem)) {
    const counts = await kept(tried, keeping);
    if (tried.trajectory !== undefined) finished(episodeResultOf(tried.trajectory));
    soFar = addAttempt(soFar, tried.instance.task, counts);
    progress(soFar);
  }
  return soFar;
}

type Keeping = Pick<CollectingOptions, 'store' | 'pool' | 'keeps' | 'accepts'>;

async function kept(
  { trajectory }: Attempted,
  { store, pool, keeps, accepts }: Keeping,
): Promise<Partial<AttemptCounts>> {
  if (trajectory === undefined) return { tried: 1 };
  const isBroken = trajectory.outcome.kind === 'broken';
  const succeeded = isSuccess(trajectory.outcome);
  const isKept = keeps === 'everything' || succeeded;
  if (isKept) await store.ingest(trajectory);
  if (keeps === 'successes' && succeeded && accepts !== undefined) await pool.offer(trajectory.id, accepts);
  return {
    ...(isBroken ? { broken: 1 } : { tried: 1 }),
    ...(succeeded && { succeeded: 1 }),
    ...(isKept && { kept: 1 }),
  };
}
