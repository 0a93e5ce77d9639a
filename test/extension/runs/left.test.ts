import { expect, test } from 'vitest';
import { isNews, type Left, leftOff } from '../../../extension/runs/left.ts';

const LEFT: Left = { runs: ['one'], daemon: 1, at: 1_000_000 };

test('what trained under a daemon that is gone goes on, where the window comes back soon', () => {
  expect(leftOff(LEFT, 2, LEFT.at + 60_000)).toEqual(['one']);
  expect(leftOff(LEFT, 2, LEFT.at + 10 * 60_000)).toEqual([]);
});

test('under the same daemon, whoever stopped it meant it', () => {
  expect(leftOff(LEFT, 1, LEFT.at + 1000)).toEqual([]);
  expect(leftOff(undefined, 1, LEFT.at)).toEqual([]);
});

test('is written down when another run trains or none, and else now and then while one does', () => {
  expect(isNews(LEFT, undefined)).toBe(true);
  expect(isNews({ ...LEFT, at: LEFT.at + 1000 }, LEFT)).toBe(false);
  expect(isNews({ ...LEFT, at: LEFT.at + 6000 }, LEFT)).toBe(true);
  const none = { ...LEFT, runs: [], at: LEFT.at + 1000 };
  expect(isNews(none, LEFT)).toBe(true);
  expect(isNews({ ...none, at: LEFT.at + 60_000 }, none)).toBe(false);
});
