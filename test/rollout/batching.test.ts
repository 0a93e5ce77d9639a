// The scheduling rules of the pool: the next batch, its worker, and the workers that load new weights.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { version } from '../../runtime/core/ids.ts';
import { Backlog } from '../../runtime/rollout/backlog.ts';
import {
  isSwapping,
  nextLine,
  nextReady,
  nextWorker,
  type RequestLine,
  type WorkerState,
  workersToSwap,
} from '../../runtime/rollout/batching.ts';

const RULE = { maxRequests: 4, maxWaitMs: 10 };

const line = (length: number, since: number, of?: number): RequestLine => ({
  version: of === undefined ? undefined : version(of),
  length,
  since,
});

const versions = fc.option(fc.nat(2).map(version), { nil: undefined });
const lines = fc.array(fc.record({ version: versions, length: fc.nat(6), since: fc.nat(30) }));
const workers: fc.Arbitrary<readonly WorkerState[]> = fc.array(
  fc.record({
    phase: fc.constantFrom('dead', 'serving', 'draining', 'loading'),
    version: versions,
    batches: fc.nat(2),
    requests: fc.nat(6),
    turn: fc.nat(9),
  }),
);

describe('a line becomes a batch', () => {
  test('when it is full, or its first request has waited long enough', () => {
    expect(nextLine([line(3, 0)], RULE, 9)).toBeUndefined();
    expect(nextLine([line(3, 0)], RULE, 10)).toEqual(line(3, 0));
    expect(nextLine([line(4, 9)], RULE, 9)).toEqual(line(4, 9));
  });

  test('at once with maxWaitMs 0', () => {
    expect(nextLine([line(1, 5)], { maxRequests: 4, maxWaitMs: 0 }, 5)).toEqual(line(1, 5));
  });

  test('in the order of their first requests, for any version', () => {
    expect(nextLine([line(1, 3), line(1, 2, 0), line(9, 4, 1)], RULE, 50)).toEqual(line(1, 2, 0));
  });

  test('law: nextReady is exactly when nextLine returns a line', () => {
    fc.assert(
      fc.property(lines, fc.nat(50), (some, now) => {
        const ready = nextReady(some, RULE);
        const next = nextLine(some, RULE, now);
        expect(next !== undefined).toBe(ready !== undefined && ready <= now);
        if (next === undefined) return;
        expect(next.length).toBeGreaterThan(0);
        for (const other of some)
          if (other.length >= RULE.maxRequests || (other.length > 0 && other.since + RULE.maxWaitMs <= now))
            expect(other.since).toBeGreaterThanOrEqual(next.since);
      }),
    );
  });
});

describe('the next batch', () => {
  const serving = (requests: number, turn = 0): WorkerState => ({
    ...{ phase: 'serving', version: version(0), batches: Number(requests > 0), requests, turn },
  });

  test('goes to the worker with the fewest requests in flight, then to the one that has waited longest', () => {
    const all = [serving(2), serving(1, 7), serving(1, 3), serving(4)];
    expect(nextWorker(all, 2)).toBe(all[2]);
    expect(nextWorker(all, 1)).toBeUndefined();
  });

  test('law: never goes to a worker that does not serve, has no weights or is full', () => {
    fc.assert(
      fc.property(workers, fc.integer({ min: 1, max: 3 }), (all, most) => {
        const can = (one: WorkerState) =>
          one.phase === 'serving' && one.version !== undefined && one.batches < most;
        const next = nextWorker(all, most);
        expect(next !== undefined).toBe(all.some(can));
        if (next === undefined) return;
        expect(can(next)).toBe(true);
        for (const other of all.filter(can)) expect(other.requests).toBeGreaterThanOrEqual(next.requests);
      }),
    );
  });
});

test('law: at most maxSwapping workers swap, none twice or with the newest weights, and one does if it can', () => {
  fc.assert(
    fc.property(workers, fc.nat(3), (all, atOnce) => {
      const newest = version(2);
      const begin = workersToSwap(all, newest, atOnce);
      for (const { phase, version: has } of begin) {
        expect(phase).toBe('serving');
        expect(has).not.toBe(newest);
      }
      expect(new Set(begin).size).toBe(begin.length);
      const swapping = all.filter(isSwapping).length;
      const leaving = begin.filter(({ version: has }) => has !== undefined).length;
      expect(leaving === 0 || swapping + leaving <= atOnce).toBe(true);
      const behind = all.filter(one => one.phase === 'serving' && one.version !== newest);
      const bare = behind.filter(({ version: has }) => has === undefined);
      expect(begin).toEqual(expect.arrayContaining(bare));
      expect(leaving).toBe(Math.max(0, Math.min(behind.length - bare.length, atOnce - swapping)));
    }),
  );
});

test('law: a backlog keeps the order of each line, and requests that were put back go first', () => {
  interface Numbered {
    readonly version: RequestLine['version'];
    readonly since: number;
  }
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), of: versions }),
    fc.record({ kind: fc.constant('take' as const), of: versions, most: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant('again' as const), of: versions, most: fc.integer({ min: 1, max: 3 }) }),
  );
  fc.assert(
    fc.property(fc.array(step), steps => {
      const backlog = new Backlog<Numbered>();
      const wanted = new Map<RequestLine['version'], Numbered[]>();
      const lineOf = (of: RequestLine['version']) => {
        const found = wanted.get(of) ?? [];
        wanted.set(of, found);
        return found;
      };
      for (const [since, each] of steps.entries()) {
        if (each.kind === 'add') {
          const one = { version: each.of, since };
          backlog.add(one);
          lineOf(each.of).push(one);
        } else {
          const taken = backlog.take(each.of, each.most);
          expect(taken).toEqual(lineOf(each.of).slice(0, each.most));
          if (each.kind === 'again') backlog.putBack(taken);
          else lineOf(each.of).splice(0, each.most);
        }
        const all = [...wanted].flatMap(([of, [first, ...others]]) =>
          first === undefined ? [] : [{ version: of, length: 1 + others.length, since: first.since }],
        );
        expect(backlog.lines()).toHaveLength(all.length);
        expect(backlog.lines()).toEqual(expect.arrayContaining(all));
      }
    }),
  );
});
