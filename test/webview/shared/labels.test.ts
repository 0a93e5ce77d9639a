import { describe, expect, test } from 'vitest';
import {
  formatCost,
  formatCount,
  formatDuration,
  formatPercent,
  formatProbability,
  plural,
  rowVersions,
  usageLabel,
} from '../../../webview/shared/labels.ts';

describe('number formats', () => {
  test.each([
    [0, '0 %'],
    [0.001, '< 1 %'],
    [0.01, '1 %'],
    [0.444, '44 %'],
    [0.99, '99 %'],
    [0.997, '> 99 %'],
    [1, '100 %'],
  ])('a share of %d is %s', (share, words) => expect(formatPercent(share)).toBe(words));

  test.each([
    [0.5, '50 %'],
    [0.01, '1 %'],
    [0.004, '0.40 %'],
    [0.000_012, '0.0012 %'],
    [1e-9, '< 0.0001 %'],
    [0, '0 %'],
  ])('a probability of %d is %s', (probability, words) => expect(formatProbability(probability)).toBe(words));

  test.each([
    [0, '0 ms'],
    [640.4, '640 ms'],
    [1830, '1.8 s'],
    [59_960, '1 min 0 s'],
    [125_000, '2 min 5 s'],
  ])('%d ms are %s', (milliseconds, words) => expect(formatDuration(milliseconds)).toBe(words));

  test.each([
    [0, '0.00'],
    [12.345, '12.35'],
    [0.0312, '0.031'],
    [0.000_000_1, '< 0.000001'],
  ])('a cost of %d is %s', (cost, words) => expect(formatCost(cost)).toBe(words));

  test('the usage of an episode is its tokens and, with prices, its cost', () => {
    const usage = { promptTokens: 21_400, completionTokens: 310, latencyMs: 9000 };
    expect(usageLabel(undefined)).toBe('');
    expect(usageLabel(usage)).toBe('21.7K tokens');
    expect(usageLabel({ ...usage, cost: 0.031 })).toBe('21.7K tokens, cost 0.031');
  });

  test('the version 0 of a language model is not shown: its server has weights of its own', () => {
    const usage = { promptTokens: 1, completionTokens: 1, latencyMs: 1 };
    expect(rowVersions({ oldest: 0, newest: 0, usage })).toBe('');
    expect(rowVersions({ oldest: 3, newest: 4, usage })).toBe('weights 3–4');
    expect(rowVersions({ oldest: 0, newest: 0 })).toBe('weights 0');
  });

  test('counts have commas and no fractions', () => {
    expect(formatCount(32_116.4)).toBe('32,116');
    expect([plural(1, 'task'), plural(1200, 'task')]).toEqual(['1 task', '1,200 tasks']);
  });
});
