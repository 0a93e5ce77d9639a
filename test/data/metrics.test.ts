import { expect, test } from 'vitest';
import { seed, taskId } from '../../runtime/core/ids.ts';
import { OrderStatistics } from '../../runtime/data/metrics.ts';

const planned = (rollouts: number, maxSteps: number) => ({
  ...{ instance: { task: taskId('a'), seed: seed(1) }, rollouts, maxSteps, why: 'a test says so' },
});

test('the means cover the last groups, and are absent before the first', () => {
  const ordered = new OrderStatistics();
  expect(ordered.means()).toEqual({});
  ordered.record(planned(8, 12));
  ordered.record(planned(2, 6));
  expect(ordered.means()).toEqual({ mean_rollouts: 5, mean_cap: 9 });
  for (let group = 0; group < 32; group++) ordered.record(planned(4, 5));
  expect(ordered.means()).toEqual({ mean_rollouts: 4, mean_cap: 5 });
});
