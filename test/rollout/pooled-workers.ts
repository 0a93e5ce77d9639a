// A pool of model workers for tests, with what was decided, who holds what, and what was told.

import { expect } from 'vitest';
import { BoundaryError } from '../../runtime/core/failure.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { Pool, type PoolOptions } from '../../runtime/rollout/policy-pool.ts';
import { ModelWorker, request, TimedWorker, weights } from './model-workers.ts';

interface Some extends Partial<Omit<PoolOptions, 'clock' | 'health' | 'start'>> {
  readonly times?: { readonly decides: number; readonly loads: number };
  /** The pool chooses how many workers load at a time, instead of one. */
  readonly isPaced?: boolean;
  readonly start?: (make: () => ModelWorker) => Promise<ModelWorker>;
}

export function pooled({ times, isPaced = false, start = async make => make(), ...options }: Some = {}) {
  const clock = new VirtualClock();
  /** All that were ever started. */
  const workers: ModelWorker[] = [];
  const said: string[] = [];
  const make = () => {
    const worker = times === undefined ? new ModelWorker() : new TimedWorker(clock, times);
    workers.push(worker);
    return worker;
  };
  const pool = new Pool({
    ...{ size: 2, maxRequests: 4, maxWaitMs: 0, clock },
    ...(!isPaced && { maxSwapping: 1 }),
    ...options,
    start: () => start(make),
    health: (thing, healthy, message) =>
      said.push(`${clock.now()} ${thing} ${healthy ? 'up' : 'down'}: ${message}`),
  });
  /** What was decided: the request, the version, and when. */
  const decided: string[] = [];
  const ask = (number: number, pinned?: number) =>
    pool.decide(request(number, pinned)).then(
      choice => decided.push(`${clock.now()} ${choice.meant[0]?.index}: ${choice.version}`),
      (error: unknown) =>
        decided.push(`${clock.now()} ${number}: ${error instanceof BoundaryError ? error.message : 'other'}`),
    );
  const settle = () => clock.run(clock.now());
  const answer = async (...which: readonly number[]) => {
    for (const index of which) expect(workers[index]?.answer()).toBe(true);
    await settle();
  };
  /** What a worker was asked and has not answered, the numbers of each batch. */
  const held = (index: number) =>
    workers[index]?.calls.map(({ kind, requests }) =>
      kind === 'load' ? 'load' : requests.map(({ seed }) => seed).join(),
    );
  /** A pool whose workers have weights of version 0. */
  const ready = async () => {
    pool.publish(weights(0));
    await settle();
    if (times === undefined) await answer(...workers.keys());
    else await clock.run(clock.now() + times.loads);
  };
  return { clock, pool, workers, said, decided, ask, settle, answer, held, ready };
}
