// A decision inside the graph, and the interface of the chooser that makes it.

import type { Value } from '../../../graph/graph.ts';
import * as op from '../../../graph/ops/index.ts';
import type { Slot } from '../action-kinds.ts';

export interface Distribution {
  readonly slot: Slot;
  /** Over all choices; invalid choices have about -1e9. */
  readonly logProbabilities: Value;
  /** 1 for each valid choice, else 0. */
  readonly valid: Value;
  /** Index of the chosen alternative. */
  readonly choice: Value;
}

export type Decisions = Readonly<Record<Slot, Distribution>>;

/** Makes the decisions: a rollout flattens and samples the distribution, a trainer returns recorded choices. */
export interface Chooser {
  /** `scores` guide random decisions: the logarithm of a weight for each choice. */
  distribution(logits: Value, valid: Value, scores: Value | undefined): Value;
  /** The choice of a slot, [B] int32. */
  choice(slot: Slot, logProbabilities: Value): Value;
}

/** Added to invalid logits. Finite, so that no NaN arises; large enough for probability and gradient 0. */
export const MASK_PENALTY = -1e9;

/** Lowers the logits where `allowed` is 0. */
export const maskLogits = (logits: Value, allowed: Value): Value =>
  op.add(logits, op.mul(op.sub(allowed, 1), -MASK_PENALTY));

export function choose(
  chooser: Chooser,
  slot: Slot,
  logits: Value,
  valid: Value,
  scores?: Value,
): Distribution {
  const logProbabilities = chooser.distribution(maskLogits(logits, valid), valid, scores);
  return { slot, logProbabilities, valid, choice: chooser.choice(slot, logProbabilities) };
}
