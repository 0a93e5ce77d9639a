// Takes trajectories from their channel. Each is first made durable, then acknowledged, then passed on. A failed write is retried with
// exponential backoff. One that no file can represent is passed on as a broken episode, which ends its rollout.

import { setMaxListeners } from 'node:events';
import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Taken, Taker } from '../fabric/channels.ts';
import { keepTrajectory } from './keep-trajectory.ts';

/** The durable store of trajectories. */
export interface TrajectorySink {
  /**
   * Resolves once the trajectory is durable. The same trajectory may be stored repeatedly. Rejects with an UnstorableTrajectory if it never
   * will be.
   */
  keep(trajectory: Trajectory): Promise<void>;
}

export interface TrajectoryConsumerOptions {
  readonly sink: TrajectorySink;
  readonly clock: Clock;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
  readonly onTrajectory: (trajectory: Trajectory) => Promise<void>;
}

/** Concurrent writes, which share one sync. */
const MAX_CONCURRENT_WRITES = 32;

/** Runs until the signal aborts. Trajectories that are not durable then return to the channel. */
export async function consumeTrajectories(
  taker: Taker<Trajectory>,
  options: TrajectoryConsumerOptions,
  signal: AbortSignal,
): Promise<void> {
  // A failure of one write ends all.
  const failed = new AbortController();
  const ending = AbortSignal.any([signal, failed.signal]);
  setMaxListeners(2 * MAX_CONCURRENT_WRITES, ending);
  const writing = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const fail = (error: unknown) => {
    if (!ending.aborted) failures.push(error);
    failed.abort();
  };
  while (!ending.aborted) {
    const taken = await taker.take(ending).catch(fail);
    if (!taken) break;
    const one = consumeOne(taken, options, ending)
      .catch(fail)
      .finally(() => writing.delete(one));
    writing.add(one);
    if (writing.size >= MAX_CONCURRENT_WRITES) await Promise.race(writing);
  }
  await Promise.all(writing);
  await taker.close();
  for (const failure of failures) throw failure;
}

async function consumeOne(
  taken: Taken<Trajectory>,
  { sink, clock, health, onTrajectory }: TrajectoryConsumerOptions,
  signal: AbortSignal,
): Promise<void> {
  let hasFailed = false;
  // Without the trajectory's id: on a full disk all of them fail, and equal reports are counted instead of listed.
  const failed = (error: Error) => {
    hasFailed = true;
    health(
      'trajectory files',
      false,
      `A trajectory cannot be written: ${sentenceOf(error)} Dartboard tries again.`,
    );
  };
  const keep = () => sink.keep(taken.item);
  const { trajectory, unstorable } = await keepTrajectory(taken.item, keep, { clock, signal, failed });
  if (unstorable !== undefined) health('trajectories', false, unstorable);
  if (hasFailed) health('trajectory files', true, 'can be written again');
  await taken.acknowledge();
  await onTrajectory(trajectory);
}
