// Whether a task is visited in a round.

import { describe, expect, test } from 'vitest';
import { RESULT_WINDOW } from '../../../runtime/data/curation/results.ts';
import { isWorthVisiting } from '../../../runtime/data/curation/revisits.ts';

describe('a task', () => {
  const same = (result: boolean, count: number) => Array<boolean>(count).fill(result);
  const visits = (results: readonly boolean[]) =>
    Array.from({ length: 40 }, (_, visit) => isWorthVisiting(results, visit)).filter(Boolean).length;

  test('whose results differ, or are few, is always visited', () => {
    for (const results of [
      [],
      same(true, RESULT_WINDOW - 1),
      [false, ...same(true, RESULT_WINDOW - 1)],
      [...same(true, 40), false],
    ])
      expect(visits(results)).toBe(40);
  });

  test.each([true, false])('whose last results are all %s is visited one time in four', result => {
    expect(visits(same(result, RESULT_WINDOW))).toBe(10);
    expect(visits([!result, ...same(result, RESULT_WINDOW)])).toBe(10);
  });
});
