// The summary of the micro benchmark of reinforcement learning.

import { expect, test } from 'vitest';
import { meanOf } from '../../../runtime/bench/curation/statistics.ts';
import { summary } from '../../../runtime/bench/micro/learn.ts';

const GAINS = [0.3, 0, -0.3];
const rates = (gains: readonly number[]) =>
  gains.flatMap((gain, seed) =>
    (['cloned', 'rl', 'filtered', 'imitation'] as const).map(arm => ({
      ...{ arm, seed },
      tasks: [0.5, 0.6].map(rate => (arm === 'rl' ? rate + gain : rate)),
    })),
  );

test('a training is one value of a gain, however many tasks it has', () => {
  const { certainty, figures } = summary(rates(GAINS), [], 40);
  const { mean, low, high } = meanOf(GAINS);
  expect(figures['gain']).toBeCloseTo(mean);
  expect(certainty?.['gain']?.low).toBeCloseTo(Math.max(-1, low));
  expect(certainty?.['gain']?.high).toBeCloseTo(Math.min(1, high));
});

test('one training has a gain without an interval', () => {
  const { certainty, figures } = summary(rates([0.1]), [], 40);
  expect(figures['gain']).toBeCloseTo(0.1);
  expect(certainty?.['gain']).toEqual({});
});

test('a gain over another arm counts the seeds that have both', () => {
  const measured = rates([0.1, 0.3]).filter(({ arm, seed }) => arm !== 'filtered' || seed === 1);
  const { certainty, config, figures } = summary(measured, [], 40);
  expect(figures['gain']).toBeCloseTo(0.2);
  expect(figures['rl_over_filtered']).toBeCloseTo(0.3);
  expect(certainty?.['rl_over_filtered']).toEqual({});
  expect(config['seeds_of_arms']).toEqual({ rl: 2, filtered: 1, imitation: 2 });
});
