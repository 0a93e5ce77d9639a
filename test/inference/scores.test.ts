import { expect, test } from 'vitest';
import { overall, worstFirst } from '../../runtime/inference/scores.ts';

const SCORES = [
  { task: 'b', successes: 1, trials: 3 },
  { task: 'a', successes: 2, trials: 2 },
];

test('all tasks together are as many as were tried', () => {
  expect(overall(SCORES)).toMatchObject({ successes: 3, trials: 5, rate: 0.6 });
});

test('the worst comes first, and like ones by their name', () => {
  const others = [
    { task: 'c', successes: 0, trials: 1 },
    { task: '0', successes: 5, trials: 5 },
  ];
  const scores = [...SCORES, ...others];
  expect(worstFirst(scores).map(({ task }) => task)).toEqual(['c', 'b', '0', 'a']);
});
