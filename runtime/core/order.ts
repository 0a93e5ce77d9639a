// An order for one episode: "run task T with seed S, at most L steps, in group G, for purpose P". Environments take orders from the orders
// channel and look the task up by its id.

import type { GroupId, OrderId, RunId, Version } from './ids.ts';
import type { Mode } from './policy.ts';
import type { Instance } from './task.ts';

interface Common {
  readonly id: OrderId;
  readonly run: RunId;
  readonly group: GroupId;
  readonly instance: Instance;
  /** The length cap of the whole group. */
  readonly maxSteps: number;
  readonly mode: Mode;
  /** Share of random decisions; overrides the exploration of the run. */
  readonly exploration?: number;
}

/**
 * train: the only purpose whose trajectories may reach a batch.
 * evaluate: all steps use one version of the weights.
 * collect: collects successes for the pool before training.
 * demonstrate: a person or a script acts.
 */
export type Purpose = 'train' | 'evaluate' | 'collect' | 'demonstrate';

export type Order =
  | (Common & { readonly purpose: 'evaluate'; readonly version: Version })
  | (Common & { readonly purpose: Exclude<Purpose, 'evaluate'> });

/** The version that the order requires; undefined if the newest applies. */
export const pinnedVersion = (order: Order): Version | undefined =>
  order.purpose === 'evaluate' ? order.version : undefined;
