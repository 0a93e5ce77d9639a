// What the benchmark of hosts counts as lost, and as trained twice.

import { expect, test } from 'vitest';
import { accountOfEpisodes, type EpisodeRecords, openOrders } from '../../../runtime/bench/hosts/episodes.ts';

const stored = (...trajectories: readonly string[]): EpisodeRecords['stored'] =>
  // `a.2` is the second trajectory of the order `a`.
  trajectories.map(trajectory => ({ trajectory, order: trajectory.replace(/\.\d+$/, ''), isJudged: true }));

const WHOLE: EpisodeRecords = {
  ordered: ['a', 'b', 'c'],
  stored: stored('a.1', 'b.1', 'c.1'),
  batches: [new Set(['a.1', 'b.1']), new Set(['c.1'])],
};

test('each episode once is no problem', () => {
  expect(accountOfEpisodes(WHOLE)).toEqual({ ordered: 3, lost: 0, twice: 0, repeated: 0, trained: 3 });
});

test('an order that does not train is not lost', () => {
  expect(accountOfEpisodes({ ...WHOLE, batches: [] })).toMatchObject({ lost: 0, trained: 0 });
});

test.each([
  ['no trajectory', stored('a.1', 'b.1')],
  ['a broken one', [...stored('a.1', 'b.1'), { trajectory: 'c.1', order: 'c', isJudged: false }]],
])('an order with %s is lost', (_, episodes) => {
  expect(accountOfEpisodes({ ...WHOLE, stored: episodes })).toMatchObject({ lost: 1 });
  expect(openOrders(WHOLE.ordered, episodes)).toEqual(['c']);
});

test('a second attempt answers its order, and is a repetition only beside the first', () => {
  expect(accountOfEpisodes({ ...WHOLE, stored: stored('a.1', 'b.1', 'c.2'), batches: [] })).toMatchObject({
    ...{ lost: 0, repeated: 0 },
  });
  expect(accountOfEpisodes({ ...WHOLE, stored: stored('a.1', 'b.1', 'c.1', 'c.2') })).toMatchObject({
    ...{ lost: 0, repeated: 1, twice: 0 },
  });
});

test.each([
  ['the same trajectory', [new Set(['a.1']), new Set(['a.1'])]],
  ['another attempt', [new Set(['a.1']), new Set(['a.2'])]],
  ['another attempt in the same batch', [new Set(['a.1', 'a.2'])]],
  ['a trajectory that was never stored', [new Set(['x']), new Set(['x'])]],
])('an episode is trained twice by %s', (_, batches) => {
  const episodes = stored('a.1', 'a.2', 'b.1', 'c.1');
  expect(accountOfEpisodes({ ...WHOLE, stored: episodes, batches })).toMatchObject({ twice: 1 });
});

test('orders after the last fault do not count, but their training does', () => {
  const late = { ...WHOLE, ordered: ['a'] };
  expect(accountOfEpisodes(late)).toMatchObject({ ordered: 1, lost: 0, trained: 3 });
});
