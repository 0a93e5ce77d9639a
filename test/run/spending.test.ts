// The cost of a run per success gained.

import { describe, expect, test } from 'vitest';
import { spentState as spentSchema } from '../../runtime/protocol/daemon/model-run.ts';
import type { EvaluationPoint } from '../../runtime/protocol/daemon/state.ts';
import { type Spending, spentState } from '../../runtime/run/spending.ts';

const point = (rate: number, split: EvaluationPoint['split'] = 'test'): EvaluationPoint => ({
  ...{ seconds: 0, steps: 0, split, version: 0 },
  ...{ successes: 100 * rate, trials: 100, rate, low: rate, high: rate },
});
const SPENT: Spending = {
  ...{ promptTokens: 900, completionTokens: 100, hardwareSeconds: 50, money: 2 },
  successes: 4,
};

test('the cost per point is the whole cost divided by the points between the first and the last test evaluation', () => {
  const curve = [point(0.25), point(0.9, 'train'), point(0.1), point(0.75), point(0.99, 'unseen')];
  expect(spentState(SPENT, curve)).toMatchObject({
    points: 50,
    perPoint: { tokens: 20, hardwareSeconds: 1, money: 0.04 },
  });
});

test('the cost per successful rollout is the whole cost divided by their number', () => {
  expect(spentState(SPENT, [])).toMatchObject({
    perSuccess: { tokens: 250, hardwareSeconds: 12.5, money: 0.5 },
  });
});

describe('where nothing was gained there is no quotient', () => {
  test.each([
    ['no evaluation', []],
    ['one evaluation', [point(0.5)]],
    ['training worlds only', [point(0.1, 'train'), point(0.5, 'train')]],
  ])('%s', (_, curve) => {
    const state = spentState(SPENT, curve);
    expect(state).not.toHaveProperty('points');
    expect(state).not.toHaveProperty('perPoint');
  });

  test.each([
    [0, 0.5],
    [-20, 0.3],
  ])('%d points', (points, last) => {
    const state = spentState({ ...SPENT, successes: 0 }, [point(0.5), point(last)]);
    expect(state.points).toBeCloseTo(points);
    expect(state).not.toHaveProperty('perPoint');
    expect(state).not.toHaveProperty('perSuccess');
  });
});

test('amounts that nobody reported are absent, also from the quotients', () => {
  const { hardwareSeconds: _, money: __, ...tokens } = SPENT;
  const state = spentState(tokens, [point(0), point(0.1)]);
  expect(state).toEqual({
    ...{ promptTokens: 900, completionTokens: 100, successes: 4, points: 10 },
    ...{ perSuccess: { tokens: 250 }, perPoint: { tokens: 100 } },
  });
  expect(() => spentSchema.parse(state)).not.toThrow();
});
