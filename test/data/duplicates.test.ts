// Rollouts of a group with equal content.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { duplicatesOf } from '../../runtime/data/duplicates.ts';
import { rolloutOf, type TrainingRollout } from '../../runtime/data/rollouts.ts';
import { finished, stepBy } from './finished-episodes.ts';

/** One observation and one choice per step, under these weights. */
function rollout(
  name: string,
  score: number,
  steps: readonly (readonly [number, number])[],
  by = 0,
): TrainingRollout {
  const told = steps.map(([seen, chose]) => {
    const step = stepBy(by, chose);
    return { ...step, observation: { encoding: 'test', bytes: new Uint8Array([seen]) } };
  });
  const known = rolloutOf(finished(name, { score }, { steps: told }));
  if (known === undefined) throw new Error('no rollout');
  return known;
}

const ids = (rollouts: readonly TrainingRollout[]) => rollouts.map(({ id }) => id);

test('equal observations, decisions and rewards are kept once', () => {
  const [a, b, c] = [rollout('a', 0, [[1, 2]]), rollout('b', 0, [[1, 2]]), rollout('c', 0, [[1, 2]])];
  expect(ids(duplicatesOf([a, b, c]))).toEqual(['b.t', 'c.t']);
});

test.each([
  ['another reward', rollout('b', 1, [[1, 2]])],
  ['another observation', rollout('b', 0, [[9, 2]])],
  ['another choice', rollout('b', 0, [[1, 3]])],
  [
    'more steps',
    rollout('b', 0, [
      [1, 2],
      [1, 2],
    ]),
  ],
])('a rollout with %s is no duplicate', (_, other) => {
  expect(duplicatesOf([rollout('a', 0, [[1, 2]]), other])).toEqual([]);
});

test('the rollout with the newest weights stays', () => {
  const group = [
    rollout('old', 0, [[1, 2]], 3),
    rollout('new', 0, [[1, 2]], 5),
    rollout('mid', 0, [[1, 2]], 4),
  ];
  expect(ids(duplicatesOf(group)).sort()).toEqual(['mid.t', 'old.t']);
});

test('one rollout of each content stays, and no rollout is removed twice', () => {
  const one = fc.record({
    score: fc.constantFrom(0, 1),
    steps: fc.array(fc.tuple(fc.nat(1), fc.nat(1)), { minLength: 1, maxLength: 2 }),
    by: fc.nat(2),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), told => {
      const group = told.map(({ score, steps, by }, index) => rollout(`r${index}`, score, steps, by));
      const out = duplicatesOf(group);
      const left = group.filter(each => !out.includes(each));
      const contents = told.map(({ score, steps }) => JSON.stringify({ score, steps }));
      expect(new Set(ids(out)).size).toBe(out.length);
      expect(new Set(left.map(each => contents[group.indexOf(each)])).size).toBe(left.length);
      expect(left).toHaveLength(new Set(contents).size);
    }),
  );
});
