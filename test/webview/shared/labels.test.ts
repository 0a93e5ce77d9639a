import { describe, expect, test } from 'vitest';
import { formatCount, formatPercent, plural } from '../../../webview/shared/labels.ts';

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

  test('counts have commas and no fractions', () => {
    expect(formatCount(32_116.4)).toBe('32,116');
    expect([plural(1, 'task'), plural(1200, 'task')]).toEqual(['1 task', '1,200 tasks']);
  });
});
