// Steps as they travel, for tests: what was shown as bytes, and a choice with a decision for each slot that was used.

import { usedSlots } from '../../../runtime/agents/compact/act.ts';
import { HEAD_OF, SLOTS } from '../../../runtime/agents/compact/action-kinds.ts';
import { encode, type Observation } from '../../../runtime/agents/compact/observation.ts';
import type { Sample } from '../../../runtime/agents/compact/sample.ts';
import type { EncodedObservation } from '../../../runtime/core/policy.ts';
import type { HeadsChoice } from '../../../runtime/core/trace.ts';

export function choiceOf({ tokens, chosen, logProbabilities }: Sample): HeadsChoice {
  const choices = Object.fromEntries(SLOTS.map((slot, index) => [slot, chosen[index] ?? 0]));
  const decisions = usedSlots(tokens, choices).map(slot => {
    const logProbability = logProbabilities?.[SLOTS.indexOf(slot)];
    return {
      head: HEAD_OF[slot],
      choice: choices[slot] ?? 0,
      ...(logProbability !== undefined && { logProbability }),
    };
  });
  return { kind: 'heads', decisions };
}

export const travelling = (
  seen: Observation,
  sample: Sample,
): { readonly observation: EncodedObservation; readonly choice: HeadsChoice } => ({
  observation: encode(seen),
  choice: choiceOf(sample),
});
