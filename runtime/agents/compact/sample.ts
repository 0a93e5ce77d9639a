// A training sample: the tokens of an observation, the recorded choices, and their log-probabilities if a policy made them.

import { type Choices, slotNumbers } from './act.ts';
import type { TokenFeatures, Tokens } from './token-features.ts';

export interface Sample<Row extends TokenFeatures = Tokens> {
  readonly tokens: Row;
  /** The chosen number of each slot; 0 for unused slots. */
  readonly chosen: readonly number[];
  /** 1 for each used slot. */
  readonly used: readonly number[];
  /** Recorded by the rollout; absent for demonstrations. */
  readonly logProbabilities?: readonly number[];
}

export const sampleOf = (tokens: Tokens, choices: Choices, logProbabilities?: readonly number[]): Sample => ({
  tokens,
  ...slotNumbers(tokens, choices),
  ...(logProbabilities && { logProbabilities }),
});

/** The sample without the meanings, which only acting needs. */
export function withoutMeanings({
  tokens: { meanings: _, ...tokens },
  ...sample
}: Sample): Sample<TokenFeatures> {
  return { ...sample, tokens };
}
