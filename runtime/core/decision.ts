// The decisions of a policy that lead to one action, each with its probability, entropy and likeliest alternatives.

import type { Box } from './screen.ts';
import { sum } from './sum.ts';

/** The heads of the policy. A drag has two decisions of the pointer. */
export type Head = 'kind' | 'pointer' | 'text' | 'key';

/** A target of the pointer: an element, or a patch of pixels without an element. `index` is its number in the observation. */
export interface Candidate {
  readonly kind: 'element' | 'patch';
  readonly index: number;
  readonly box: Box;
}

export interface Alternative {
  /** The number of the choice among all choices of the head. */
  readonly choice: number;
  readonly logProbability: number;
  /** A description for the user. */
  readonly label: string;
  /** The target; present for the head 'pointer'. */
  readonly box?: Box;
}

export interface Decision {
  readonly head: Head;
  /** The number of the choice among all choices of the head, valid in this step or not. */
  readonly choice: number;
  /** The number of valid choices. */
  readonly choices: number;
  /** Natural logarithm, at the sampling temperature. `entropy` is in nats. */
  readonly logProbability: number;
  readonly entropy: number;
  /** The likeliest choices, most likely first. The chosen one is included if it is likely enough. */
  readonly alternatives: readonly Alternative[];
}

/**
 * The uncertainty of a step, from 0 to 1: the mean entropy of its decisions, each divided by the maximum entropy of its number of
 * choices. Without this division a pointer over 80 candidates would outweigh a choice between two kinds. Decisions with a single choice
 * do not count.
 */
export const uncertainty = (decisions: readonly Pick<Decision, 'entropy' | 'choices'>[]): number => {
  const open = decisions.filter(({ choices }) => choices > 1);
  const shares = open.map(({ entropy, choices }) => entropy / Math.log(choices));
  return sum(shares) / Math.max(1, open.length);
};
