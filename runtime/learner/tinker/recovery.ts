// The remedy for a failed request of an update: the update must be applied once or not at all. Pure.

import { isTemporaryCause, type TinkerCause } from './tinker-error.ts';

export interface FailedRequest {
  readonly reason: TinkerCause;
  readonly phase: 'gradient' | 'step';
  /** Whether the request was being sent; otherwise its result was being retrieved. */
  readonly isSubmission: boolean;
  readonly isUnsent: boolean;
  readonly recognisesRepeats: boolean;
}

/**
 * later: the update stays in work. The same requests may be sent again.
 * drop: the server refused the update.
 * renew: the gradients or the model on the server are not what the learner thinks. Only a new model is certain: with the present weights if
 *   no step can have been made since they were computed, and otherwise with those of the last saved state.
 */
export type Remedy = 'later' | 'drop' | 'renew-present' | 'renew-saved';

export function remedyFor(failed: FailedRequest): Remedy {
  const { reason, phase, isSubmission, isUnsent, recognisesRepeats } = failed;
  const renewal = phase === 'gradient' ? 'renew-present' : 'renew-saved';
  if (reason === 'no-model') return 'renew-saved';
  if (reason === 'no-future' || reason === 'conflict' || reason === 'uncertain') return renewal;
  if (reason === 'bad-request' || reason === 'failed') return 'drop';
  // The rest is temporary, or needs a person.
  const isUncertain = isSubmission && !isUnsent && !recognisesRepeats && isTemporaryCause(reason);
  return isUncertain ? renewal : 'later';
}
