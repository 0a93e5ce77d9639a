// The steps chosen for one update of the weights, group by group: what was seen and chosen, with which probability, and
// how much better than its group it did. Everything that an update needs is in it: given the same batch and the same
// weights, the trainer's result is bit-exact.

import type { Head } from './decision.ts';
import type { BatchId, GroupId, RunId, TrajectoryId, Version } from './ids.ts';
import type { EncodedObservation } from './policy.ts';
import type { Instance } from './task.ts';

export interface BatchDecision {
  readonly head: Head;
  /** As in Decision. */
  readonly choice: number;
  /** As the rollout recorded it; absent on demonstrations, where the trainer uses its own at the start of the batch. */
  readonly logProbability?: number;
}

export interface BatchStep {
  readonly trajectory: TrajectoryId;
  /** Its place in the trajectory, from 0. */
  readonly index: number;
  readonly observation: EncodedObservation;
  /** In the order in which they were made; never empty. */
  readonly decisions: readonly BatchDecision[];
  readonly advantage: number;
}

export interface BatchGroup {
  readonly group: GroupId;
  readonly instance: Instance;
  /** Whether a stored success took the place of the oldest failure. */
  readonly injected: boolean;
  readonly steps: readonly BatchStep[];
}

export interface Batch {
  readonly id: BatchId;
  readonly run: RunId;
  readonly groups: readonly BatchGroup[];
  /** Of each trajectory, but of stored successes, the oldest weights that chose one of its steps. */
  readonly oldest: readonly Version[];
}

/** Which steps of a group train: the uncertain ones. Found by the trainer, stored beside the batch and shown. */
export interface EntropyMask {
  readonly batch: BatchId;
  readonly group: GroupId;
  /** Steps at least this uncertain train. */
  readonly threshold: number;
  /** One for each of the group's steps, in their order. */
  readonly steps: readonly { readonly uncertainty: number; readonly kept: boolean }[];
  /** Whose steps these are, in their order; absent in files of before it was written down. */
  readonly rollouts?: readonly MaskedRollout[];
}

/** So many steps of a group belong to this trajectory, and did so much better than the group. */
export interface MaskedRollout {
  readonly trajectory: TrajectoryId;
  readonly steps: number;
  readonly advantage: number;
}
