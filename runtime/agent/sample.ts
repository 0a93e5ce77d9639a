// One step of a policy or of somebody it learns from: what was shown, what was chosen, and with which probability at the time.

import { type Choices, slotNumbers } from './act.ts';
import type { TokenFeatures, Tokens } from './tokens.ts';

export interface Sample<Row extends TokenFeatures = Tokens> {
  readonly tokens: Row;
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

/** Without what only acting needs. */
export function withoutMeanings({
  tokens: { meanings: _, ...tokens },
  ...sample
}: Sample): Sample<TokenFeatures> {
  return { ...sample, tokens };
}
