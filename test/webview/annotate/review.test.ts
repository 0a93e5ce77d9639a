import { expect, test } from 'vitest';
import { agreementLabel, isQueueMode, votesLabel } from '../../../webview/annotate/review.ts';

const marked = {
  votes: [
    { who: 'Ada', isMember: true },
    { who: 'Bob', isMember: false },
  ],
};

test('votes of others are hidden until the person has voted', () => {
  expect(votesLabel(marked, 'Eve')).toBe('');
  expect(votesLabel(marked, 'Bob')).toBe('You rejected · Ada accepted');
  expect(votesLabel({ votes: [{ who: 'Bob', isMember: true }] }, 'Bob')).toBe('');
  expect(votesLabel({}, 'Bob')).toBe('');
});

test('states the agreement with each other person', () => {
  const pairs = [
    { who: ['Ada', 'Bob'] as [string, string], both: 10, agreed: 9, kappa: 0.8 },
    { who: ['Ada', 'Eve'] as [string, string], both: 2, agreed: 1 },
    { who: ['Bob', 'Eve'] as [string, string], both: 2, agreed: 2 },
  ];
  expect(agreementLabel({ pairs }, 'Bob')).toBe(
    'You and Ada agree on 9 of 10 (κ = 0.80)\nYou and Eve agree on 2 of 2',
  );
  expect(agreementLabel({ pairs }, 'Dan')).toBe('');
});

test('a stored mode of another version is ignored', () => {
  expect(['coverage', 'second', 'suggested', 'toString', 'newest', 7].map(isQueueMode)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
