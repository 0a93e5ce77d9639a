// A thousand simulated runs. A second file has the odd seeds, so that both cores work.

import { expect, test } from 'vitest';
import { keepLaws } from './report.ts';

test('the runs of even seeds keep their laws', async () => {
  const seeds = Array.from({ length: 1000 }, (_, index) => 2 * index);
  expect(await keepLaws(seeds)).toHaveLength(seeds.length);
});
