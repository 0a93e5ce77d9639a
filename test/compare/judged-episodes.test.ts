// The judged episodes of a comparison.

import { expect, test } from 'vitest';
import { judgedEpisodes } from '../../runtime/compare/read/judged-episodes.ts';
import { rowOf } from '../data/index/filled-index.ts';
import { BROKEN, trajectory } from '../data/trajectories.ts';

test('an order that was played again counts once, with its first result', () => {
  const rows = [
    rowOf(trajectory('g.e1.3.2', { endedAt: 20 })),
    rowOf(trajectory('g.e1.3.1', { endedAt: 10, steps: [] })),
    rowOf(trajectory('g.e1.4.1', { endedAt: 10 })),
  ];
  const { episodes } = judgedEpisodes(rows);
  expect(episodes).toHaveLength(2);
  expect(episodes[0]?.steps).toBe(0);
});

test('a broken attempt is not a result', () => {
  const rows = [
    rowOf(trajectory('g.e1.3.1', { endedAt: 10, outcome: BROKEN })),
    rowOf(trajectory('g.e1.3.2', { endedAt: 20 })),
  ];
  expect(judgedEpisodes(rows)).toMatchObject({ broken: 0, episodes: { length: 1 } });
});
