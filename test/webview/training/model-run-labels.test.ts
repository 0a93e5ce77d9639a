// The texts about the learner, the servers and the cost of a run.

import { expect, test } from 'vitest';
import { spentState } from '../../../runtime/run/spending.ts';
import { costFigures, learnerFigures, serverCells } from '../../../webview/training/model-run-labels.ts';
import { modelRunState } from '../../server/model-run-state.ts';

const figuresOf = (spent: Parameters<typeof costFigures>[0]) =>
  Object.fromEntries(costFigures(spent).map(({ label, value }) => [label, value]));

test('a learner is named by its kind and its place', () => {
  const { learner } = modelRunState(600);
  if (learner === undefined) throw new Error('The state has no learner.');
  expect(learnerFigures(learner)).toEqual({
    ...{ place: 'Tinker server at http://gpu-0.example:8000', model: 'ByteDance-Seed/UI-TARS-1.5-7B' },
    ...{ step: '118', stepSeconds: '14.2 s', batches: '1' },
  });
  const { stepSeconds: _, ...unused } = learner;
  expect(learnerFigures({ ...unused, kind: 'in-process' })).toMatchObject({
    place: 'This machine',
    stepSeconds: '–',
  });
  expect(learnerFigures({ ...unused, kind: 'file', place: 'rows' }).place).toBe('Folder rows');
});

test('unknown values of a server are dashes', () => {
  expect(serverCells({ name: 'a', phase: 'serving', inFlight: 0, replies: 1204 })).toEqual({
    ...{ version: '–', inFlight: '0', latency: '–', replies: '1,204' },
  });
});

test('the cost has its amounts, what was gained, and the cost per gain', () => {
  const { spent } = modelRunState(600);
  if (spent === undefined) throw new Error('The state has no cost.');
  expect(
    figuresOf({ ...spent, points: 50, perPoint: { tokens: 262_200, hardwareSeconds: 33.5, money: 0.0589 } }),
  ).toEqual({
    Money: '2.95',
    Tokens: '12.3M of prompts, 810K of replies',
    Hardware: '28 min',
    Gained: '+50 points, 1,204 successful rollouts',
    'Per point of test success': 'cost 0.059, 262.2K tokens, 33.5 s of hardware',
    'Per successful rollout': 'cost 0.0024, 10.9K tokens, 1.4 s of hardware',
  });
});

test('a cost without prices, hardware time and gains has tokens alone', () => {
  const spent = spentState({ promptTokens: 10, completionTokens: 2, successes: 0 }, []);
  expect(figuresOf(spent)).toEqual({
    Tokens: '10 of prompts, 2 of replies',
    Gained: '0 successful rollouts',
    'Per point of test success': '–',
    'Per successful rollout': '–',
  });
  expect(figuresOf({ ...spent, points: -3.21 })['Gained']).toBe('−3.2 points, 0 successful rollouts');
});
