// Steps as they travel, for tests: what was shown as bytes, and a decision for each slot that was used.

import type { BatchDecision } from '../../runtime/contracts/batch.ts';
import type { Observation } from '../../runtime/contracts/policy.ts';
import { usedSlots } from '../../runtime/policy/act.ts';
import { HEAD_OF, SLOTS } from '../../runtime/policy/kinds.ts';
import type { Sample } from '../../runtime/policy/sample.ts';
import { encode, type Seen } from '../../runtime/policy/seen.ts';

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
  seen: Seen,
  sample: Sample,
): { readonly observation: Observation; readonly decisions: readonly BatchDecision[] } => ({
  observation: encode(seen),
  decisions: decisionsOf(sample),
});
