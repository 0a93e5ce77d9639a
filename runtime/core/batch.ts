// The steps of one update, by group: observations, choices with their log-probabilities, and advantages. A batch is complete: the same batch and
// the same weights give bit-exact results.

import type { BatchId, GroupId, RunId, TrajectoryId, Version } from './ids.ts';
import type { EncodedObservation } from './policy.ts';
import type { Instance } from './task.ts';
import type { TrainingChoice } from './trace.ts';

export interface BatchStep {
  readonly trajectory: TrajectoryId;
  /** The index of the turn in its trajectory, from 0. */
  readonly index: number;
  readonly observation: EncodedObservation;
  readonly choice: TrainingChoice;
  readonly advantage: number;
  /** Of its trajectory; a verdict by a person counts more than the evaluator's. */
  readonly isSuccess: boolean;
}

export interface BatchGroup {
  readonly group: GroupId;
  readonly instance: Instance;
  /** Whether a stored success replaced the oldest failure. */
  readonly injected: boolean;
  readonly steps: readonly BatchStep[];
}

export interface Batch {
  readonly id: BatchId;
  readonly run: RunId;
  readonly groups: readonly BatchGroup[];
  /** The oldest version that chose a step of each trajectory; stored successes are omitted. */
  readonly oldest: readonly Version[];
}

/** The steps of a group that train, because they are uncertain. The trainer computes it, logs it and publishes it for display. */
export interface EntropyMask {
  readonly batch: BatchId;
  readonly group: GroupId;
  /** Minimum uncertainty of a step that trains. */
  readonly threshold: number;
  /** One entry per step of the group, in order. */
  readonly steps: readonly MaskedStep[];
  /** The trajectories that the steps belong to, in order; absent in files of earlier versions. */
  readonly rollouts?: readonly MaskedRollout[];
}

export interface MaskedStep {
  readonly uncertainty: number;
  /** Whether it trains. */
  readonly kept: boolean;
  /** Absent in files of earlier versions. */
  readonly advantage?: number;
}

/** The number of steps of one trajectory in a group. */
export interface MaskedRollout {
  readonly trajectory: TrajectoryId;
  readonly steps: number;
  /** The mean over its steps. */
  readonly advantage: number;
}
