// Which rows go through the network together.

import { expect, test } from 'vitest';
import { runsOf } from '../../../runtime/agents/compact/length-buckets.ts';
import { seeded } from '../../../runtime/core/rng.ts';

test('a small batch stays together, in its order', () => {
  expect(runsOf([])).toEqual([]);
  expect(runsOf([7])).toEqual([[0]]);
  expect(runsOf([90, 30, 104, 31])).toEqual([[0, 1, 2, 3]]);
});

test('a long row gets its own run; the others stay together', () => {
  const lengths = Array.from({ length: 32 }, (_, index) => (index === 5 ? 160 : 60 + index));
  expect(runsOf(lengths)).toEqual([[...lengths.keys()].filter(index => index !== 5), [5]]);
});

test('a row longer than the limit gets its own run', () => {
  expect(runsOf([700, 2, 900])).toEqual([[1], [0], [2]]);
});

test('no run has more rows than the limit', () => {
  expect(runsOf([3, 1, 2, 5, 4], 2)).toEqual([[1, 2], [0, 4], [3]]);
});

test('each row is in one run; runs are within the limits and as few as possible', () => {
  const random = seeded('runs').fork('lengths');
  for (let turn = 1; turn <= 200; turn++) {
    const most = random.int(40) + 1;
    const lengths = Array.from({ length: random.int(80) }, () => 1 + random.int(turn));
    const runs = runsOf(lengths, most);
    expect(runs.flat().sort((a, b) => a - b)).toEqual([...lengths.keys()]);
    const longest = (run: readonly number[]) => Math.max(...run.map(place => lengths[place] ?? Number.NaN));
    const fits = (run: readonly number[]) =>
      run.length <= most && run.length * longest(run) ** 2 <= 32 * 104 ** 2;
    for (const [index, run] of runs.entries()) {
      expect(run.length === 1 || fits(run)).toBe(true);
      const next = runs[index + 1]?.[0];
      if (next !== undefined) expect(fits([...run, next])).toBe(false);
    }
  }
});
