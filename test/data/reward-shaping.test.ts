// Rewards by the length of a rollout and by its replies, against values computed by hand.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  NO_SHAPING,
  overlongPenalty,
  shapedReward,
  shortestPathReward,
} from '../../runtime/data/reward-shaping.ts';

const rollout = (reward: number, actions: number) => ({ reward, isSuccess: reward === 1, actions });
const KNOWN = { shortest: 1, limit: 20 };

test('a success loses α·(T − T_min)/T of its reward', () => {
  // 1 − 0.5·(10 − 4)/10
  expect(shortestPathReward(1, 10, 4, 0.5)).toBeCloseTo(0.7, 12);
  // 1 − 1·(8 − 2)/8
  expect(shortestPathReward(1, 8, 2, 1)).toBeCloseTo(0.25, 12);
  expect(shortestPathReward(1, 4, 4, 0.5)).toBe(1);
});

test('the penalty of an overlong rollout rises from 0 to 1 in the last share of its limit', () => {
  // Of a limit of 20 steps, the last 0.2 are the steps from 16 to 20.
  expect([10, 16, 18, 20, 21].map(length => overlongPenalty(length, 20, 0.2))).toEqual([
    ...[0, 0, -0.5, -1, -1],
  ]);
  expect(overlongPenalty(20, 20, 0)).toBe(0);
  expect(overlongPenalty(20, Number.POSITIVE_INFINITY, 0.2)).toBe(0);
});

test('only successes are compared with the shortest one, and both parts add up', () => {
  const both = { ...NO_SHAPING, shortestPath: 0.5, overlong: 0.2 };
  // 1 − 0.5·(18 − 9)/18 − 0.5 and 0 − 0.5
  expect(shapedReward(rollout(1, 18), { shortest: 9, limit: 20 }, both)).toBeCloseTo(0.25, 12);
  expect(shapedReward(rollout(0, 18), { shortest: 9, limit: 20 }, both)).toBeCloseTo(-0.5, 12);
});

test('replies that can be read add their share, and choices without replies all of it', () => {
  const format = { ...NO_SHAPING, format: 0.5 };
  const of = (reward: number, readable: number) => ({ ...rollout(reward, 4), readable });
  // 1 + 0.5 · 0.75, 0 + 0.5 · 0.25 and 0 + 0.5
  expect(shapedReward(of(1, 0.75), KNOWN, format)).toBeCloseTo(1.375, 12);
  expect(shapedReward(of(0, 0.25), KNOWN, format)).toBeCloseTo(0.125, 12);
  expect(shapedReward(rollout(0, 4), KNOWN, format)).toBeCloseTo(0.5, 12);
});

test('without shaping the reward stays as it is; with it, it never grows, and a shorter success is never worth less', () => {
  const length = fc.integer({ min: 1, max: 40 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.constantFrom(0, 0.3, 1),
      length,
      length,
      length,
      share,
      share,
      (reward, a, b, limit, x, y) => {
        const known = { shortest: Math.min(a, b), limit };
        expect(shapedReward(rollout(reward, a), known, NO_SHAPING)).toBe(reward);
        const shaping = { ...NO_SHAPING, shortestPath: x, overlong: y };
        const of = (steps: number) => shapedReward(rollout(reward, steps), known, shaping);
        expect(of(a)).toBeLessThanOrEqual(reward);
        expect(of(Math.min(a, b))).toBeGreaterThanOrEqual(of(Math.max(a, b)) - 1e-12);
      },
    ),
  );
});
