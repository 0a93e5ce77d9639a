// Takes trajectories from their channel. Each is first made durable, then acknowledged, then passed on. A failed write is retried with
// exponential backoff. It does not interpret trajectories.

import { setMaxListeners } from 'node:events';
import type { Clock } from '../core/clock.ts';
import { failureOf } from '../core/failure.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Taken, Taker } from '../fabric/channels.ts';

/** The durable store of trajectories. */
export interface TrajectorySink {
  /** Resolves once the trajectory is durable. The same trajectory may be stored repeatedly. */
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
/** Exponential backoff: each pause is twice the previous one, up to the maximum. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

/** Runs until the signal aborts. Trajectories that are not durable then return to the channel. */
export async function consumeTrajectories(
  taker: Taker<Trajectory>,
  options: TrajectoryConsumerOptions,
  signal: AbortSignal,
): Promise<void> {
  // A failure of one write ends all.
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  setMaxListeners(2 * MAX_CONCURRENT_WRITES, ending.signal);
  const writing = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const fail = (error: unknown) => {
    if (!ending.signal.aborted) failures.push(error);
    end();
  };
  while (!ending.signal.aborted) {
    const taken = await taker.take(ending.signal).catch(fail);
    if (!taken) break;
    const one = consumeOne(taken, options, ending.signal)
      .catch(fail)
      .finally(() => writing.delete(one));
    writing.add(one);
    if (writing.size >= MAX_CONCURRENT_WRITES) await Promise.race(writing);
  }
  await Promise.all(writing);
  await taker.close();
  signal.removeEventListener('abort', end);
  for (const failure of failures) throw failure;
}

async function consumeOne(
  taken: Taken<Trajectory>,
  options: TrajectoryConsumerOptions,
  signal: AbortSignal,
): Promise<void> {
  if (!(await storeWithRetry(taken.item, options, signal))) return;
  await taken.acknowledge();
  await options.onTrajectory(taken.item);
}

/** Returns false only if the signal aborted first. */
async function storeWithRetry(
  trajectory: Trajectory,
  { sink, clock, health }: TrajectoryConsumerOptions,
  signal: AbortSignal,
): Promise<boolean> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    try {
      await sink.keep(trajectory);
      if (pause > FIRST_PAUSE_MS) health('trajectory files', true, 'can be written again');
      return true;
    } catch (error) {
      const { message } = failureOf(error, 'provider', trajectory.id);
      const what = `${trajectory.id} cannot be written: ${message}. The next attempt is in ${pause / 1000} s.`;
      health('trajectory files', false, what);
      await clock.sleep(pause, signal).catch(() => undefined);
      if (signal.aborted) return false;
    }
  }
}
