// What a policy decided on the way to one action: one entry for each time it chose, with the probability of the choice
// and what it nearly did. It does not say what the action was.

import type { Box } from './screen.ts';

/** The parts of a policy that decide. A drag asks the pointer twice. */
export type Head = 'kind' | 'pointer' | 'text' | 'key';

/** What a pointer can mean: an element, or a patch of the screen where there is none. Each has the index it was shown by. */
export interface Candidate {
  readonly kind: 'element' | 'patch';
  readonly index: number;
  readonly box: Box;
}

export interface Alternative {
  /** Its number, as the head counts. */
  readonly choice: number;
  readonly logProbability: number;
  /** What it would have been, in words for a user. */
  readonly label: string;
  /** Where it would have pointed; present on the pointer's alternatives. */
  readonly box?: Box;
}

export interface Decision {
  readonly head: Head;
  /** The number of what was chosen, as the head counts: of all that it could ever choose, valid here or not. */
  readonly choice: number;
  /** How many choices were valid. */
  readonly choices: number;
  /** Natural logarithms, at the temperature that was sampled at. */
  readonly logProbability: number;
  readonly entropy: number;
  /** The likeliest, in falling order, the chosen one among them if it is likely enough. */
  readonly alternatives: readonly Alternative[];
}

/**
 * How uncertain a step was, from 0 to 1: the mean entropy of its decisions, each divided by the largest that its number
 * of choices allows, so that a pointer over 80 candidates does not drown a choice between two kinds. Where there was
 * only one choice nothing was decided, and it does not count.
 */
export const uncertainty = (decisions: readonly Pick<Decision, 'entropy' | 'choices'>[]): number => {
  const open = decisions.filter(({ choices }) => choices > 1);
  const shares = open.map(({ entropy, choices }) => entropy / Math.log(choices));
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, open.length);
};
