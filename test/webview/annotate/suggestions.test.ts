import { expect, test } from 'vitest';
import type { PresortState } from '../../../runtime/protocol/daemon/annotation.ts';
import {
  hasVoted,
  modelAgreementLabel,
  presortCount,
  presortLabel,
  presortProblem,
  suggestionWithReason,
} from '../../../webview/annotate/suggestions.ts';

test('a suggestion has the agent, its judgement, its confidence and its reason', () => {
  const suggestion = {
    agent: 'tars',
    model: 'tars-7b',
    at: 1,
    isSuccess: false,
    confidence: 0.9,
    reason: '',
  };
  expect(suggestionWithReason(suggestion)).toBe('tars: likely failure, 90 % sure');
  expect(suggestionWithReason({ ...suggestion, isSuccess: true, reason: 'The mail is starred.' })).toBe(
    'tars: likely success, 90 % sure. The mail is starred.',
  );
});

test('only an own vote shows suggestions', () => {
  const marked = { votes: [{ who: 'Ada', isMember: false }] };
  expect(hasVoted(marked, 'Ada')).toBe(true);
  expect(hasVoted(marked, 'Bob')).toBe(false);
  expect(hasVoted({}, 'Bob')).toBe(false);
});

test('the agreement of models is that with this person', () => {
  const models = [
    { agent: 'tars', who: 'Ada', both: 10, agreed: 9, kappa: 0.8 },
    { agent: 'tars', who: 'Bob', both: 2, agreed: 1 },
  ];
  expect(modelAgreementLabel({ models }, 'Ada')).toBe('tars agrees with you on 9 of 10 (κ = 0.80)');
  expect(modelAgreementLabel({ models }, 'Eve')).toBe('');
});

test('the number of trajectories is a whole number within the limit', () => {
  expect(['1', ' 20 ', '1000'].map(presortCount)).toEqual([1, 20, 1000]);
  expect(['', '0', '-1', '2.5', '1001', 'all'].map(presortCount)).toEqual(Array(6).fill(undefined));
});

test('the progress counts suggestions, unreadable replies and failures, and names the problem', () => {
  const state: PresortState = {
    ...{ presort: 'p', change: 1, status: 'asking', agent: 'tars', total: 20 },
    ...{ suggested: 5, doubted: 1, unreadable: 2, failed: 3, tokens: 1200, problem: 'No reply in 120 s.' },
  };
  const label = presortLabel(state);
  for (const part of ['10 of 20', '5 suggestions, 1 doubt', '2 with', '3 without', '1,200 tokens'])
    expect(label).toContain(part);
  expect(presortProblem(state)).toBe('No reply in 120 s.');
  expect(presortProblem({ ...state, status: 'failed', message: 'The budget is spent.' })).toBe(
    'The budget is spent.',
  );
  const done = {
    ...state,
    suggested: 0,
    unreadable: 0,
    failed: 0,
    tokens: 0,
    total: 0,
    status: 'ended',
  } as const;
  expect(presortLabel(done)).toContain('whole queue');
});
