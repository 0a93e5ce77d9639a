// Hundreds of simulated runs. A second file has the odd seeds, so that both cores work.

import { expect, test } from 'vitest';
import { keepLaws, RUNS } from './report.ts';

test('the runs of even seeds keep their laws', async () => {
  const seeds = Array.from({ length: RUNS }, (_, index) => 2 * index);
  expect(await keepLaws(seeds)).toHaveLength(RUNS);
});
