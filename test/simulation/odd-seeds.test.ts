// Hundreds of simulated runs. A second file has the even seeds, so that both cores work.

import { expect, test } from 'vitest';
import { keepLaws, RUNS } from './report.ts';

test('the runs of odd seeds keep their laws', async () => {
  const seeds = Array.from({ length: RUNS }, (_, index) => 2 * index + 1);
  expect(await keepLaws(seeds)).toHaveLength(RUNS);
});
