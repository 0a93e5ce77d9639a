// Data for tests of results: one outcome, and arbitrary points of curves.

import fc from 'fast-check';
import type { BenchOutcome } from '../../../runtime/bench/results/outcome.ts';

export const PLAIN: BenchOutcome = {
  bench: 'scale',
  figures: { cost_growth_100_to_10000: 1.7, occupancy_10000: 0.95, us_per_step: 12.34 },
  config: { rounds: 3 },
  versions: { node: 'v20.0.0' },
  seeds: 2,
  machine: { processor: 'One', cores: 2, memoryMb: 8192, os: 'Linux 6 x64' },
  date: '2026-01-02T03:04:05Z',
  seconds: 61,
  series: { 'cost/the scheduler': ['100', '1,000'].map((x, y) => ({ x, y })) },
};

const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 });

export const points = fc.array(
  fc
    .tuple(
      fc.double({ min: 0, max: 1e5, noNaN: true }),
      number,
      fc.option(fc.double({ min: 0, max: 1e3, noNaN: true })),
    )
    .map(([x, y, reach]) => ({ x, y, ...(reach !== null && { low: y - reach, high: y + reach }) })),
  { minLength: 1, maxLength: 12 },
);
