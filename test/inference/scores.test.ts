import { expect, test } from 'vitest';
import { worstFirst } from '../../runtime/inference/scores.ts';

const SCORES = [
  { task: 'b', successes: 1, trials: 3 },
  { task: 'a', successes: 2, trials: 2 },
];

test('the lowest rate comes first, and equal rates by name', () => {
  const others = [
    { task: '1', successes: 0, trials: 0 },
    { task: 'c', successes: 0, trials: 1 },
    { task: '0', successes: 5, trials: 5 },
  ];
  const scores = [...SCORES, ...others];
  expect(worstFirst(scores).map(({ task }) => task)).toEqual(['c', 'b', '0', 'a', '1']);
});
