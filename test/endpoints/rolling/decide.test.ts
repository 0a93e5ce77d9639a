// The rules of a rolling update, for any servers and versions.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { version } from '../../../runtime/core/ids.ts';
import {
  KEPT_ADAPTERS,
  nextUpdate,
  type UpdateState,
  unloadable,
  wayOf,
} from '../../../runtime/endpoints/rolling/decide.ts';
import { firstVersion } from '../../../runtime/endpoints/rolling/open-way.ts';
import type { LoadedAdapter } from '../../../runtime/endpoints/served-weights.ts';

const identity = { kind: 'vllm', lora: 'absent', pause: 'absent' } as const;

describe('the way of a server', () => {
  test.each([
    [{ lora: 'present', pause: 'present' }, true, 'adapter'],
    [{ pause: 'present' }, true, 'pause'],
    [{ kind: 'sglang', pause: 'present' }, false, 'pause'],
    [{ kind: 'unknown', pause: 'present' }, true, 'restart'],
    [{}, true, 'restart'],
    [{ lora: 'unknown', pause: 'unknown' }, false, undefined],
  ] as const)('%j with restart %s is %s', (changes, hasRestart, expected) => {
    expect(wayOf({ ...identity, ...changes }, hasRestart)).toBe(expected);
  });
});

test.each([
  // Of an earlier run.
  ['12', {}, true, undefined],
  ['12', { kind: 'sglang', pause: 'present' }, false, undefined],
  ['0', {}, true, 0],
  // It may have kept the weights of an earlier run.
  [undefined, {}, true, undefined],
  ['default', {}, true, undefined],
  [undefined, { lora: 'present' }, true, 0],
  ['default', { kind: 'sglang', pause: 'present' }, false, 0],
] as const)(
  'the first version of a server that reports %s, with %j and restart %s, is %s',
  (weightVersion, changes, hasRestart, expected) => {
    const server = { ...identity, ...changes };
    expect(firstVersion({ server, ...(weightVersion !== undefined && { weightVersion }) }, hasRestart)).toBe(
      expected,
    );
  },
);

const number = fc.option(fc.nat(20), { nil: undefined });
const state: fc.Arbitrary<UpdateState> = fc.record({
  ...{ version: number, tried: number, hasProblem: fc.boolean() },
});

interface Watched {
  version: number | undefined;
  tried: number | undefined;
  hasProblem: boolean;
  /** Updates of other servers since its last one, while it waited for one. */
  waited: number;
}

describe('the next update', () => {
  test('is of a server without the target that was not tried with it, the oldest attempt first, then one without a problem', () => {
    fc.assert(
      fc.property(fc.array(state, { maxLength: 6 }), number, (servers, target) => {
        const next = nextUpdate(servers, target);
        const left = servers.filter(each => each.version !== target && each.tried !== target);
        if (target === undefined || left.length === 0) expect(next).toBeUndefined();
        else {
          expect(left).toContain(next);
          for (const each of left) expect(next?.tried ?? -1).toBeLessThanOrEqual(each.tried ?? -1);
          const equal = left.filter(({ tried }) => tried === next?.tried);
          expect(next?.hasProblem).toBe(equal.every(({ hasProblem }) => hasProblem));
        }
      }),
    );
  });

  test('brings every server to the last version, whatever fails on the way', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        // Per update: how many versions arrive during it, and whether it fails.
        fc.array(fc.record({ arrive: fc.nat(3), fails: fc.boolean() }), { maxLength: 40 }),
        (count, updates) => {
          const servers: Watched[] = Array.from({ length: count }, () => ({
            ...{ version: 0, tried: undefined, hasProblem: false, waited: 0 },
          }));
          let target = 1;
          const step = (fails: boolean): boolean => {
            const next = nextUpdate(servers, target);
            if (next === undefined) return false;
            for (const each of servers)
              each.waited += each.version === target || each.tried === target ? 0 : 1;
            next.waited = 0;
            next.tried = target;
            next.version = fails ? undefined : target;
            next.hasProblem = fails;
            return true;
          };
          for (const { arrive, fails } of updates) {
            step(fails);
            target += arrive;
            // Each server gets its turn within one round, however fast versions arrive.
            for (const each of servers) expect(each.waited).toBeLessThanOrEqual(count);
          }
          target += 1;
          let rounds = 0;
          while (step(false)) rounds += 1;
          expect(rounds).toBe(count);
          expect(servers.map(each => each.version)).toEqual(servers.map(() => target));
        },
      ),
    );
  });
});

describe('adapters that may be unloaded', () => {
  const adapter: fc.Arbitrary<LoadedAdapter> = fc
    .record({ version: fc.nat(50), inFlight: fc.nat(2) })
    .map(each => ({ ...each, version: version(each.version), model: `run-v${each.version}` }));
  const adapters = fc.uniqueArray(adapter, { maxLength: 8, selector: ({ model }) => model });

  test('are all old ones that nobody uses, and never one of the newest two', () => {
    fc.assert(
      fc.property(adapters, all => {
        const named = unloadable(all);
        const isNewest = ({ version: own }: LoadedAdapter): boolean =>
          all.filter(other => other.version > own).length < KEPT_ADAPTERS;
        const expected = all.filter(each => !isNewest(each) && each.inFlight === 0);
        expect(new Set(named)).toEqual(new Set(expected.map(({ model }) => model)));
      }),
    );
  });
});
