// Agreement between people, and of model agents with people, against counts by hand and the definition of kappa.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trajectoryId } from '../../runtime/core/ids.ts';
import { agreements, modelAgreements } from '../../runtime/data/agreement.ts';

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

test('an agent agrees with a vote for the pool if it suggests a success, also if a person has its name', () => {
  const suggestions = (...each: readonly (readonly [string, boolean])[]) =>
    each.map(([agent, isSuccess]) => ({
      ...{ trajectory: trajectoryId('t'), agent, model: 'm', at: 1, isSuccess, confidence: 1, reason: '' },
    }));
  const found = modelAgreements([
    { votes: votes(['ada', true], ['tars', false]), suggestions: suggestions(['tars', true]) },
    { votes: votes(['ada', false]), suggestions: suggestions(['tars', false], ['gpt', true]) },
    { votes: votes(['ada', true]), suggestions: suggestions(['tars', false]) },
    { votes: votes(['bob', true]), suggestions: [] },
  ]);
  expect(found[0]).toMatchObject({ agent: 'tars', who: 'ada', both: 3, agreed: 2 });
  // By hand: observed 2/3, chance 1/3 · 2/3 + 2/3 · 1/3 = 4/9.
  expect(found[0]?.kappa).toBeCloseTo(0.4);
  expect(found.slice(1)).toEqual([
    { agent: 'tars', who: 'tars', both: 1, agreed: 0, kappa: 0 },
    { agent: 'gpt', who: 'ada', both: 1, agreed: 0, kappa: 0 },
  ]);
});
