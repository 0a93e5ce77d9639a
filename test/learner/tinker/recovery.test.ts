// What follows from a failed request of an update.

import { expect, test } from 'vitest';
import { type FailedRequest, remedyFor } from '../../../runtime/learner/tinker/recovery.ts';

const FAILED: FailedRequest = {
  ...{
    reason: 'unreachable',
    phase: 'gradient',
    isSubmission: true,
    isUnsent: false,
    recognisesRepeats: true,
  },
};

test.each([
  ['a lost connection is repeated, if the server recognises it', {}, 'later'],
  ['otherwise the gradients are unknown', { recognisesRepeats: false }, 'renew-present'],
  ['and the step is unknown', { recognisesRepeats: false, phase: 'step' }, 'renew-saved'],
  ['unless it was not sent', { recognisesRepeats: false, phase: 'step', isUnsent: true }, 'later'],
  ['a result can be retrieved again', { recognisesRepeats: false, isSubmission: false }, 'later'],
  ['a lost model comes from the last saved state', { reason: 'no-model' }, 'renew-saved'],
  [
    'a lost result of a pass leaves the weights',
    { reason: 'no-future', isSubmission: false },
    'renew-present',
  ],
  ['a lost result of a step does not', { reason: 'no-future', phase: 'step' }, 'renew-saved'],
  ['a number that another request used', { reason: 'conflict', phase: 'step' }, 'renew-saved'],
  ['a refused request', { reason: 'bad-request' }, 'drop'],
  ['a request that failed', { reason: 'failed', isSubmission: false }, 'drop'],
  ['a wrong key needs a person', { reason: 'unauthorized', recognisesRepeats: false }, 'later'],
] as const)('%s', (_, changes, remedy) => {
  expect(remedyFor({ ...FAILED, ...changes })).toBe(remedy);
});
