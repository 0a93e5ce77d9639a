// What a decision is inside the graph, and who makes it.

import type { Value } from '../../graph/graph.ts';
import * as op from '../../graph/ops/index.ts';
import type { Slot } from '../action-kinds.ts';

export interface Distribution {
  readonly slot: Slot;
  /** Over all choices; those that are not valid have a logarithm of about -1e9. */
  readonly logProbabilities: Value;
  /** Which choices are valid, as 0 and 1. */
  readonly valid: Value;
  /** The number of what was chosen. */
  readonly choice: Value;
}

export type Decisions = Readonly<Record<Slot, Distribution>>;

/** Who chooses, and from which distribution: a rollout may flatten it, a trainer takes it as it is. */
export interface Chooser {
  distribution(logits: Value, valid: Value): Value;
  /** The choice of a slot, [B] int32. */
  choice(slot: Slot, logProbabilities: Value): Value;
}

/** Logits of what is not valid: no choice, and no gradient, but still a number. */
export const NEVER = -1e9;

/** What is not allowed, 0 in `allowed`, is out of the question. */
export const barred = (logits: Value, allowed: Value): Value =>
  op.add(logits, op.mul(op.sub(allowed, 1), -NEVER));

export function choose(chooser: Chooser, slot: Slot, logits: Value, valid: Value): Distribution {
  const logProbabilities = chooser.distribution(barred(logits, valid), valid);
  return { slot, logProbabilities, valid, choice: chooser.choice(slot, logProbabilities) };
}
