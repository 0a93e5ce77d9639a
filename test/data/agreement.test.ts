// Agreement between people, against counts by hand and the definition of kappa.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agreements } from '../../runtime/data/agreement.ts';

const votes = (...each: readonly (readonly [string, boolean])[]) =>
  each.map(([who, isMember]) => ({ who, isMember }));

test('counts the trajectories on which both voted, and those with equal votes', () => {
  const found = agreements([
    votes(['bob', true], ['ada', true]),
    votes(['ada', true], ['bob', false]),
    votes(['ada', false], ['bob', false]),
    votes(['ada', false], ['bob', false], ['eve', true]),
    votes(['eve', true]),
  ]);
  expect(found[0]).toMatchObject({ who: ['ada', 'bob'], both: 4, agreed: 3 });
  // By hand: observed 3/4, chance 1/2 · 1/4 + 1/2 · 3/4 = 1/2.
  expect(found[0]?.kappa).toBeCloseTo(0.5);
  expect(found.slice(1)).toEqual([
    { who: ['ada', 'eve'], both: 1, agreed: 0, kappa: 0 },
    { who: ['bob', 'eve'], both: 1, agreed: 0, kappa: 0 },
  ]);
});

test('kappa is absent where both always cast the same vote, and otherwise at most 1', () => {
  expect(agreements([votes(['ada', true], ['bob', true])])[0]).toEqual({
    ...{ who: ['ada', 'bob'], both: 1, agreed: 1 },
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 1 }), both => {
      const [pair] = agreements(both.map(([a, b]) => votes(['ada', a], ['bob', b])));
      const isConstant = new Set(both.flat()).size === 1;
      expect(pair?.kappa === undefined).toBe(isConstant);
      if (pair?.kappa === undefined) return;
      expect(pair.kappa).toBeLessThanOrEqual(1);
      expect(pair.kappa === 1).toBe(pair.agreed === pair.both);
    }),
  );
});
