// "Run task T with seed S, at most L steps, in group G, for purpose P": what environments take from the orders channel.
// All that an episode needs is fixed here, when it is ordered; the task itself is looked up by its id.

import type { GroupId, OrderId, RunId, Version } from './ids.ts';
import type { Mode } from './policy.ts';
import type { Instance } from './task.ts';

interface Common {
  readonly id: OrderId;
  readonly run: RunId;
  readonly group: GroupId;
  readonly instance: Instance;
  /** The length cap, shared by the whole group. */
  readonly maxSteps: number;
  readonly mode: Mode;
  /** The share of decisions that are made at random, in place of what all rollouts of the run have. */
  readonly exploration?: number;
}

/**
 * train: may reach a batch, and is the only purpose that ever does.
 * evaluate: measured against one version of the weights, from its first step to its last.
 * collect: gathers successes for the pool ahead of training.
 * demonstrate: a person or a script acts.
 */
export type Purpose = 'train' | 'evaluate' | 'collect' | 'demonstrate';

export type Order =
  | (Common & { readonly purpose: 'evaluate'; readonly version: Version })
  | (Common & { readonly purpose: Exclude<Purpose, 'evaluate'> });

/** The version an order insists on; undefined when any will do. */
export const pinnedVersion = (order: Order): Version | undefined =>
  order.purpose === 'evaluate' ? order.version : undefined;
