// The number of workers that load new weights at a time.

import { expect, test } from 'vitest';
import { SwapPace, swapsAtOnce } from '../../runtime/rollout/swap-pace.ts';

test('one after another where loading takes little of the time between versions', () => {
  expect(swapsAtOnce(4, 5, 1000)).toBe(1);
  expect(swapsAtOnce(40, 150, 6000)).toBe(1);
});

test('as many as let each worker load every version, but never all', () => {
  expect(swapsAtOnce(4, 90_000, 200_000)).toBe(2);
  expect(swapsAtOnce(4, 90_000, 130_000)).toBe(3);
  expect(swapsAtOnce(4, 90_000, 10)).toBe(3);
});

test('a single worker loads', () => {
  expect(swapsAtOnce(1, 90_000, 10)).toBe(1);
});

test('the pace follows measured times, and is 1 before there are any', () => {
  const pace = new SwapPace();
  expect(pace.atOnce(4)).toBe(1);
  pace.published(0);
  pace.loaded(90);
  expect(pace.atOnce(4)).toBe(1);
  pace.published(200);
  expect(pace.atOnce(4)).toBe(2);
  // Versions come less often.
  for (let version = 1; version <= 40; version++) pace.published(200 + 1000 * version);
  expect(pace.atOnce(4)).toBe(1);
});
