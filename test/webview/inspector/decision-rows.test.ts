// The rows of a decision.

import { expect, test } from 'vitest';
import { decisionRows } from '../../../webview/inspector/decision-rows.ts';

const decision = (chosen: number | undefined, probability: number, choices = 40) => ({
  ...{ head: 'target', entropy: 1, choices, probability },
  alternatives: [0.3, 0.2, 0.15, 0.1].map((share, index) => ({
    ...{ label: `target ${index}`, probability: share, isChosen: index === chosen },
  })),
});

test('the likeliest choices have a row each, and the others one in all', () => {
  const { rows, others } = decisionRows(decision(1, 0.2));
  expect(rows.map(({ label, isChosen }) => [label, isChosen])).toEqual([
    ['target 0', false],
    ['target 1', true],
    ['target 2', false],
    ['target 3', false],
  ]);
  expect(others).toEqual({ count: 36, probability: expect.closeTo(0.25) });
});

test('a choice that is not among them has a row too, and does not count among the others', () => {
  const { rows, others } = decisionRows(decision(undefined, 0.09));
  expect(rows.at(-1)).toEqual({ probability: 0.09, isChosen: true });
  expect(others).toEqual({ count: 35, probability: expect.closeTo(0.16) });
});

test('others that are unlikely, or none, have no row', () => {
  expect(decisionRows(decision(undefined, 0.245)).others).toBeUndefined();
  expect(decisionRows(decision(undefined, 0.2, 5)).others).toBeUndefined();
});
