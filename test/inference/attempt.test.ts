import { expect, test } from 'vitest';
import { confidenceOf } from '../../runtime/inference/attempt.ts';

const logarithms = (...probabilities: readonly number[]) => Float32Array.from(probabilities, Math.log);

test('the confidence is the probability, and the runner-up the likeliest other choice', () => {
  const { sure, other } = confidenceOf(logarithms(0.1, 0.6, 0.05, 0.25), 1);
  expect(sure).toBeCloseTo(0.6);
  expect(other?.choice).toBe(3);
  expect(other?.probability).toBeCloseTo(0.25);
});

test('an unlikely choice is no runner-up', () => {
  expect(confidenceOf(logarithms(0.995, 0.005), 0).other).toBeUndefined();
  expect(confidenceOf(logarithms(1), 0)).toEqual({ sure: 1, other: undefined });
});
