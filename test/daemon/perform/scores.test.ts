import { expect, test } from 'vitest';
import { overall, scoresOf, worstFirst } from '../../../runtime/daemon/perform/scores.ts';

const judged = (task: string, ...successes: readonly boolean[]) =>
  successes.map(success => ({ task, success }));
const SCORES = scoresOf([...judged('b', true, false), ...judged('a', true, true), ...judged('b', false)]);

test('episodes are counted by task', () => {
  expect(SCORES).toEqual([
    { task: 'b', successes: 1, trials: 3 },
    { task: 'a', successes: 2, trials: 2 },
  ]);
  expect(overall(SCORES)).toMatchObject({ successes: 3, trials: 5, rate: 0.6 });
});

test('the worst comes first, and like ones by their name', () => {
  const scores = [...SCORES, { task: 'c', successes: 0, trials: 1 }, { task: '0', successes: 5, trials: 5 }];
  expect(worstFirst(scores).map(({ task }) => task)).toEqual(['c', 'b', '0', 'a']);
});
