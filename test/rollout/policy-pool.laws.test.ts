// Laws of the pool for any order of requests, new weights, answers, deaths and pins.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundaryError } from '../../runtime/core/failure.ts';
import type { Choice } from '../../runtime/core/policy.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { Pool, type PoolOptions } from '../../runtime/rollout/policy-pool.ts';
import { ModelWorker, request, weights } from './model-workers.ts';

const PINNED = 1000;

/** Places of workers are drawn as large numbers, and taken modulo how many there are. */
const place = fc.nat(1000);
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('ask' as const), pinned: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('answer' as const), place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('publish' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), time: fc.nat(1500) }) },
);
const happenings = fc.array(happening, { maxLength: 60, size: 'max' });
type Shape = Pick<
  Required<PoolOptions>,
  'size' | 'maxRequests' | 'maxWaitMs' | 'maxSwapping' | 'maxBatchesPerWorker'
>;
const shape: fc.Arbitrary<Shape> = fc.record({
  size: fc.integer({ min: 1, max: 4 }),
  maxRequests: fc.integer({ min: 1, max: 3 }),
  maxWaitMs: fc.constantFrom(0, 10, 2000),
  maxSwapping: fc.integer({ min: 1, max: 5 }),
  maxBatchesPerWorker: fc.integer({ min: 1, max: 2 }),
});

/** A pool in which things happen when a test says so, watched all the time. */
function watched(options: Shape) {
  const clock = new VirtualClock();
  const all: ModelWorker[] = [];
  const pool = new Pool({
    ...options,
    clock,
    start: async () => {
      const worker = new ModelWorker();
      all.push(worker);
      return worker;
    },
    health: () => undefined,
  });
  const living = () => all.filter(({ isClosed }) => !isClosed);
  const asked: { readonly pinned: boolean; readonly got: (Choice | Error)[] }[] = [];
  let newest = 0;
  const check = () => {
    // Those that have weights and take others: a worker's first weights keep nobody waiting.
    const swapping = living().filter(
      ({ calls, newest: has }) => has !== undefined && calls.some(({ kind }) => kind === 'load'),
    );
    expect(swapping.length).toBeLessThanOrEqual(options.maxSwapping);
    for (const { calls, newest: has } of living()) {
      // Before it swaps it has answered all, and nothing is given to it that it would have to decide afterwards.
      if (calls.some(({ kind }) => kind === 'load')) expect(calls).toHaveLength(1);
      expect(calls.length).toBeLessThanOrEqual(options.maxBatchesPerWorker);
      if (calls.some(({ kind }) => kind === 'decide')) expect(has).toBeDefined();
      for (const { requests } of calls) {
        expect(requests.length).toBeLessThanOrEqual(options.maxRequests);
        expect(new Set(requests.map(({ version: pinned }) => pinned)).size).toBeLessThanOrEqual(1);
      }
    }
  };
  const settle = async (until = clock.now()) => {
    await clock.run(until);
    check();
  };
  return {
    ...{ clock, pool, living, asked, settle },
    ask: (pinned: boolean) => {
      const got: (Choice | Error)[] = [];
      const number = asked.push({ pinned, got }) - 1;
      const note = (what: Choice | Error) => void got.push(what);
      void pool.decide(request(number, pinned ? PINNED : undefined)).then(note, note);
    },
    publish: () => {
      newest += 1;
      pool.publish(weights(newest));
      return newest;
    },
    /** Answers all there is until nothing is asked any more. */
    finish: async () => {
      for (let round = 0; round < 1000; round++) {
        await settle(clock.now() + 2000);
        if (!living().some(worker => worker.answer()) && living().length === options.size) return;
      }
      throw new Error('The pool does not come to an end.');
    },
  };
}

test('law: every request gets one answer from its required weights while workers swap and end; all workers get the newest', async () => {
  const seen = { answered: 0, refused: 0, ended: 0 };
  await fc.assert(
    fc.asyncProperty(shape, happenings, async (options, all) => {
      const { pool, living, asked, settle, clock, ask, publish, finish } = watched(options);
      pool.pin(weights(PINNED));
      let last = publish();
      let ends = 0;
      await settle();
      for (const each of all) {
        const worker = 'place' in each ? living()[each.place % Math.max(1, living().length)] : undefined;
        if (each.kind === 'ask') ask(each.pinned);
        else if (each.kind === 'publish') last = publish();
        else if (each.kind === 'answer') worker?.answer();
        else if (each.kind === 'end') {
          ends += 1;
          worker?.end();
        }
        await settle(each.kind === 'pass' ? clock.now() + each.time : clock.now());
      }
      await finish();
      expect(pool.versions()).toEqual(Array.from({ length: options.size }, () => last));
      for (const [number, { pinned, got }] of asked.entries()) {
        expect(got).toHaveLength(1);
        const [answer] = got;
        if (answer instanceof Error) {
          // Only two deaths can come to that; a swap cannot.
          expect(answer).toBeInstanceOf(BoundaryError);
          expect(ends).toBeGreaterThanOrEqual(2);
          seen.refused += 1;
        } else {
          expect(answer?.meant[0]?.index).toBe(number);
          expect(answer?.version === PINNED).toBe(pinned);
          seen.answered += 1;
        }
      }
      for (const { deciding, loading, idle, dead } of pool.account()) {
        expect(deciding + loading + idle + dead).toBeCloseTo(clock.now(), 6);
        for (const spent of [deciding, loading, idle, dead]) expect(spent).toBeGreaterThanOrEqual(0);
      }
      seen.ended += ends;
    }),
    { numRuns: 200 },
  );
  // Else the law would say little.
  expect(seen.answered).toBeGreaterThan(1000);
  for (const count of [seen.refused, seen.ended]) expect(count).toBeGreaterThan(0);
});
