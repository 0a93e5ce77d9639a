// A finished episode in the form that groups and batches need: observations, decisions and reward, without frames and metadata.

import { type SerializedValue, serializeValue } from '../agents/compact/serialized-value.ts';
import type { OrderId, TrajectoryId, Version } from '../core/ids.ts';
import type { Lesson, LessonSort, LessonStep } from '../core/lesson.ts';
import type { Step } from '../core/step.ts';
import type { BatchDecision } from '../core/trace.ts';
import { type Trajectory, versionSpan } from '../core/trajectory.ts';
import { isSuccess, rewardOf } from '../core/verdict.ts';

export interface TrainingRollout {
  readonly id: TrajectoryId;
  /** Undefined for a trajectory that the run did not order. */
  readonly order: OrderId | undefined;
  readonly reward: number;
  readonly isSuccess: boolean;
  /** The evaluator's verdict, present if a manual verdict overrides it. */
  readonly evaluated?: Pick<TrainingRollout, 'reward' | 'isSuccess'>;
  /** The oldest version that chose one of its steps. */
  readonly oldest: Version | undefined;
  /** Never empty. */
  readonly steps: readonly LessonStep[];
}

/** A rollout in compact form: a run keeps one for each solved instance. */
export interface StoredRollout {
  readonly id: TrajectoryId;
  readonly packed: SerializedValue<TrainingRollout>;
}

export const packRollout = (rollout: TrainingRollout): StoredRollout => ({
  id: rollout.id,
  packed: serializeValue(rollout),
});

/** Recovers the decisions of a step that records only its action: demonstrations and imports. */
export type RestoreDecisions = (step: Step) => readonly BatchDecision[] | undefined;

/** Undefined if the trajectory cannot train: it has no verdict, or a step has no observation or no decisions. */
export function rolloutOf(
  trajectory: Trajectory,
  restore: RestoreDecisions = () => undefined,
): TrainingRollout | undefined {
  const { id, order, outcome, steps } = trajectory;
  const reward = rewardOf(outcome);
  const complete = steps.flatMap(step => {
    const decisions = step.chosen === undefined ? restore(step) : recorded(step.chosen.decisions);
    const { observation } = step;
    return observation === undefined || decisions === undefined || decisions.length === 0
      ? []
      : [{ observation, decisions }];
  });
  if (reward === undefined || complete.length === 0 || complete.length < steps.length) return undefined;
  const oldest = versionSpan(steps)?.oldest;
  return { id, order, reward, isSuccess: isSuccess(outcome), oldest, steps: complete };
}

/** The rollout under a manual verdict; `undefined` restores the evaluator's. */
export function withManualVerdict(rollout: TrainingRollout, success: boolean | undefined): TrainingRollout {
  const { evaluated: { reward, isSuccess } = rollout, ...rest } = rollout;
  if (success === undefined || success === isSuccess) return { ...rest, reward, isSuccess };
  return { ...rest, reward: success ? 1 : 0, isSuccess: success, evaluated: { reward, isSuccess } };
}

/** Steps as a demonstration: without the log-probabilities of old weights, which would make wrong importance ratios. */
export const withoutProbabilities = (steps: readonly LessonStep[]): readonly LessonStep[] =>
  steps.map(({ observation, decisions }) => ({
    observation,
    decisions: decisions.map(({ head, choice }) => ({ head, choice })),
  }));

export const lessonOf = (sort: LessonSort, kind: string, { steps }: TrainingRollout): Lesson => ({
  sort,
  kind,
  steps: withoutProbabilities(steps),
});

const recorded = (decisions: readonly (BatchDecision & { readonly logProbability: number })[]) =>
  decisions.map(({ head, choice, logProbability }) => ({ head, choice, logProbability }));
