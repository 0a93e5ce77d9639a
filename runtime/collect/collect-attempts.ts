// Plays instances, and stores the trajectories: those of successes, which may enter the success pool, or those of every attempt of an
// evaluation. All attempts are counted. A failed write is repeated, and an attempt that no file can represent counts as broken.

import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import { type RetryOptions, retry } from '../core/retry.ts';
import { orUndefinedWhenAborted } from '../core/run-together.ts';
import type { Instance } from '../core/task.ts';
import { isSuccess } from '../core/verdict.ts';
import { type KeptTrajectory, keepTrajectory } from '../data/keep-trajectory.ts';
import { PoolError, type SuccessPool } from '../data/pool/pool.ts';
import { NoSuchTrajectory, type TrajectoryStore } from '../data/store.ts';
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
  /** Reports delays of the next attempt, and attempts that cannot be stored. `progress` with the next attempt ends a problem. */
  readonly problem: (message: string) => void;
  readonly clock: Clock;
}

/**
 * In the order of the first attempt of each task. Everything that counts as kept is durable. After an abort, an attempt that cannot be
 * written is not counted.
 */
export async function collectAttempts(
  instances: readonly Instance[],
  { source, finished, progress, ...keeping }: CollectingOptions,
  signal: AbortSignal,
): Promise<readonly AttemptRow[]> {
  let soFar: readonly AttemptRow[] = [];
  for await (const tried of source.play(instances, signal, keeping.problem)) {
    const result = await orUndefinedWhenAborted(signal, kept(tried, keeping, signal));
    if (result === undefined) return soFar;
    const { trajectory, counts, unstorable } = result;
    if (trajectory !== undefined) finished(episodeResultOf(trajectory));
    soFar = addAttempt(soFar, tried.instance.task, counts);
    progress(soFar);
    if (unstorable !== undefined) keeping.problem(unstorable);
  }
  return soFar;
}

type Keeping = Pick<CollectingOptions, 'store' | 'pool' | 'keeps' | 'accepts' | 'problem' | 'clock'>;

interface CountedAttempt extends Partial<KeptTrajectory> {
  readonly counts: Partial<AttemptCounts>;
}

async function kept(
  { trajectory: played }: Attempted,
  { store, pool, keeps, accepts, problem, clock }: Keeping,
  signal: AbortSignal,
): Promise<CountedAttempt> {
  if (played === undefined) return { counts: { tried: 1 } };
  const isKept = keeps === 'everything' || isSuccess(played.outcome);
  const failed = (error: Error): void => {
    signal.throwIfAborted();
    problem(`A trajectory cannot be written: ${sentenceOf(error)} Dartboard tries again.`);
  };
  // After an abort, everything that belongs to a finished attempt is written once.
  const unlessStopped = () => ({ clock, signal: signal.aborted ? undefined : signal });
  const result: KeptTrajectory = isKept
    ? await keepTrajectory(played, () => store.ingest(played), { ...unlessStopped(), failed })
    : { trajectory: played };
  const { id, outcome } = result.trajectory;
  const succeeded = isSuccess(outcome);
  if (keeps === 'successes' && succeeded && accepts !== undefined)
    await retry(() => pool.offer(id, accepts), { ...unlessStopped(), failed: unlessRefused(failed) });
  const counts = {
    ...(outcome.kind === 'broken' ? { broken: 1 } : { tried: 1 }),
    ...(succeeded && { succeeded: 1 }),
    ...(isKept && result.unstorable === undefined && { kept: 1 }),
  };
  return { ...result, counts };
}

/** An offer that the pool refuses is not repeated. */
const unlessRefused =
  (failed: RetryOptions['failed']): RetryOptions['failed'] =>
  (error, ...about) => {
    if (error instanceof PoolError || error instanceof NoSuchTrajectory) throw error;
    return failed(error, ...about);
  };
