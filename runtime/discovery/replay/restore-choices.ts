// What a policy would have had to choose to do what somebody else did: demonstrations do not tell.

import { choicesFor, slotNumbers } from '../../agent/act.ts';
import { HEAD_OF, SLOTS } from '../../agent/action-kinds.ts';
import { decode } from '../../agent/observation.ts';
import { tokensOf } from '../../agent/tokens.ts';
import type { BatchDecision } from '../../core/batch.ts';
import type { Step } from '../../core/step.ts';

/** Undefined where no policy could have done it, or where it is not known what was seen. */
export function restoredChoices({ action, observation }: Step): readonly BatchDecision[] | undefined {
  if (observation === undefined) return undefined;
  const seen = decode(observation);
  const tokens = tokensOf(seen);
  const choices = choicesFor(tokens, seen.instruction, action);
  if (choices === undefined) return undefined;
  const { chosen, used } = slotNumbers(tokens, choices);
  return SLOTS.flatMap((slot, index) =>
    used[index] === 1 ? [{ head: HEAD_OF[slot], choice: chosen[index] ?? 0 }] : [],
  );
}
