// Steps as they travel, for tests: what was shown as bytes, and a decision for each slot that was used.

import { usedSlots } from '../../runtime/agent/act.ts';
import { HEAD_OF, SLOTS } from '../../runtime/agent/action-kinds.ts';
import { encode, type Observation } from '../../runtime/agent/observation.ts';
import type { Sample } from '../../runtime/agent/sample.ts';
import type { BatchDecision } from '../../runtime/core/batch.ts';
import type { EncodedObservation } from '../../runtime/core/policy.ts';

export function decisionsOf({ tokens, chosen, logProbabilities }: Sample): readonly BatchDecision[] {
  const choices = Object.fromEntries(SLOTS.map((slot, index) => [slot, chosen[index] ?? 0]));
  return usedSlots(tokens, choices).map(slot => {
    const logProbability = logProbabilities?.[SLOTS.indexOf(slot)];
    return {
      head: HEAD_OF[slot],
      choice: choices[slot] ?? 0,
      ...(logProbability !== undefined && { logProbability }),
    };
  });
}

export const travelling = (
  seen: Observation,
  sample: Sample,
): { readonly observation: EncodedObservation; readonly decisions: readonly BatchDecision[] } => ({
  observation: encode(seen),
  decisions: decisionsOf(sample),
});
