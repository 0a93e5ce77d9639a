// Takes trajectories out of their channel: each is kept durably first, then acknowledged, then handed on. What cannot be kept now is
// tried again. It does not look into them.

import { setMaxListeners } from 'node:events';
import type { Clock } from '../core/clock.ts';
import { failureOf } from '../core/failure.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Taken, Taker } from '../fabric/channels.ts';

/** Where trajectories are kept. */
export interface Keeps {
  /** Resolves once it is durable. The same one may come more than once. */
  keep(trajectory: Trajectory): Promise<void>;
}

export interface TrajectoryConsumerOptions {
  readonly keeps: Keeps;
  readonly clock: Clock;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
  readonly arrived: (trajectory: Trajectory) => Promise<void>;
}

/** So many are being written at once, so that they can share what a write costs. */
const AT_ONCE = 32;
/** Milliseconds before it is tried again: twice as long each time, up to the last. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;

/** Until the signal. What is not durable then is given back. */
export async function letIn(
  taker: Taker<Trajectory>,
  options: TrajectoryConsumerOptions,
  signal: AbortSignal,
): Promise<void> {
  // What goes wrong with one ends the others too.
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  setMaxListeners(2 * AT_ONCE, ending.signal);
  const writing = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const fail = (error: unknown) => {
    if (!ending.signal.aborted) failures.push(error);
    end();
  };
  while (!ending.signal.aborted) {
    const taken = await taker.take(ending.signal).catch(fail);
    if (!taken) break;
    const one = letOneIn(taken, options, ending.signal)
      .catch(fail)
      .finally(() => writing.delete(one));
    writing.add(one);
    if (writing.size >= AT_ONCE) await Promise.race(writing);
  }
  await Promise.all(writing);
  await taker.close();
  signal.removeEventListener('abort', end);
  for (const failure of failures) throw failure;
}

async function letOneIn(
  taken: Taken<Trajectory>,
  options: TrajectoryConsumerOptions,
  signal: AbortSignal,
): Promise<void> {
  if (!(await isKept(taken.item, options, signal))) return;
  await taken.acknowledge();
  await options.arrived(taken.item);
}

/** False only where it was told to stop meanwhile. */
async function isKept(
  trajectory: Trajectory,
  { keeps, clock, health }: TrajectoryConsumerOptions,
  signal: AbortSignal,
): Promise<boolean> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      await keeps.keep(trajectory);
      if (pause > FIRST_PAUSE) health('trajectory files', true, 'are written again');
      return true;
    } catch (error) {
      const { message } = failureOf(error, 'provider', trajectory.id);
      const what = `${trajectory.id} cannot be kept: ${message}; it is tried again in ${pause / 1000} s`;
      health('trajectory files', false, what);
      await clock.sleep(pause, signal).catch(() => undefined);
      if (signal.aborted) return false;
    }
  }
}
