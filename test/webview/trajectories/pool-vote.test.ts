// The vote that a press of the button 'Success pool' gives.

import { expect, test } from 'vitest';
import { nextVote } from '../../../webview/trajectories/pool-vote.ts';

const vote = (who: string, isMember: boolean) => ({ who, isMember });

test.each([
  ['accepts without votes', undefined, [], true],
  ['withdraws the own acceptance', true, [vote('ann', true)], null],
  ['rejects what another person has accepted', true, [vote('bob', true)], false],
  ['accepts beside the rejection of another person', false, [vote('bob', false)], true],
  ['withdraws an acceptance beside a rejection', false, [vote('ann', true), vote('bob', false)], null],
  ['accepts what the same person has rejected', false, [vote('ann', false)], true],
] as const)('%s', (_, isInPool, votes, next) => {
  const marked = { keySteps: [], votes: [...votes], ...(isInPool !== undefined && { isInPool }) };
  expect(nextVote(marked, 'ann')).toBe(next);
});
