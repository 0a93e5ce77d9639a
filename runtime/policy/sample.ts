// One step of a policy or of somebody it learns from: what was shown, what was chosen, and with which probability at the time.

import { type Choices, slotNumbers } from './act.ts';
import type { Tokens } from './tokens.ts';

export interface Sample {
  readonly tokens: Tokens;
  /** The number chosen in each slot, 0 where it was not used. */
  readonly chosen: readonly number[];
  /** 1 for each slot that was used. */
  readonly used: readonly number[];
  /** As the rollout recorded them; absent where nobody did, as on demonstrations. */
  readonly logProbabilities?: readonly number[];
}

export const sampleOf = (tokens: Tokens, choices: Choices, logProbabilities?: readonly number[]): Sample => ({
  tokens,
  ...slotNumbers(tokens, choices),
  ...(logProbabilities && { logProbabilities }),
});

/** The same with arrays of its own. What comes in a message looks into the message's memory, and holds all of it while it is kept. */
export function ownCopy(sample: Sample): Sample {
  const { tokens } = sample;
  return {
    ...sample,
    tokens: {
      ...tokens,
      sorts: tokens.sorts.slice(),
      places: tokens.places.slice(),
      features: tokens.features.slice(),
      spelled: tokens.spelled.slice(),
      related: tokens.related.slice(),
      squares: tokens.squares.slice(),
      pointable: tokens.pointable.slice(),
      copyable: tokens.copyable.slice(),
      sayable: tokens.sayable.slice(),
    },
  };
}
