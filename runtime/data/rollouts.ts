// A finished episode as groups and batches need it: what was seen, chosen and earned. Where it lies and how it looked is left behind.

import { type SerializedValue, serializeValue } from '../agent/serialized-value.ts';
import type { BatchDecision } from '../core/batch.ts';
import type { OrderId, TrajectoryId, Version } from '../core/ids.ts';
import type { Lesson, LessonSort, LessonStep } from '../core/lesson.ts';
import type { Step } from '../core/step.ts';
import { type Trajectory, versionSpan } from '../core/trajectory.ts';
import { isSuccess, rewardOf } from '../core/verdict.ts';

export interface Rollout {
  readonly id: TrajectoryId;
  /** Absent on what nobody ordered. */
  readonly order: OrderId | undefined;
  readonly reward: number;
  readonly isSuccess: boolean;
  /** What the evaluator said, where a verdict by hand counts in its place. */
  readonly evaluated?: Pick<Rollout, 'reward' | 'isSuccess'>;
  /** The oldest weights that chose one of its steps. */
  readonly oldest: Version | undefined;
  /** Never empty. */
  readonly steps: readonly LessonStep[];
}

/** In little room: as many instances have one, for the whole of a run. */
export interface Stored {
  readonly id: TrajectoryId;
  readonly packed: SerializedValue<Rollout>;
}

export const storedOf = (rollout: Rollout): Stored => ({ id: rollout.id, packed: serializeValue(rollout) });

/** What was decided on the way to a step, where that is not written on it: on demonstrated and imported ones. */
export type Restores = (step: Step) => readonly BatchDecision[] | undefined;

/** Undefined where it has no verdict, or where what was seen or decided is not known of every step: nothing can be learned from it. */
export function rolloutOf(trajectory: Trajectory, restored: Restores = () => undefined): Rollout | undefined {
  const { id, order, outcome, steps } = trajectory;
  const reward = rewardOf(outcome);
  const told = steps.flatMap(step => {
    const decisions = step.chosen === undefined ? restored(step) : recorded(step.chosen.decisions);
    const { observation } = step;
    return observation === undefined || decisions === undefined || decisions.length === 0
      ? []
      : [{ observation, decisions }];
  });
  if (reward === undefined || told.length === 0 || told.length < steps.length) return undefined;
  const oldest = versionSpan(steps)?.oldest;
  return { id, order, reward, isSuccess: isSuccess(outcome), oldest, steps: told };
}

/** The same under a verdict by hand, or under the evaluator's again. */
export function judgedAs(rollout: Rollout, success: boolean | undefined): Rollout {
  const { evaluated: { reward, isSuccess } = rollout, ...rest } = rollout;
  if (success === undefined || success === isSuccess) return { ...rest, reward, isSuccess };
  return { ...rest, reward: success ? 1 : 0, isSuccess: success, evaluated: { reward, isSuccess } };
}

/** Without the probabilities that the weights of another day gave to it. */
export const asDemonstrated = (steps: readonly LessonStep[]): readonly LessonStep[] =>
  steps.map(({ observation, decisions }) => ({
    observation,
    decisions: decisions.map(({ head, choice }) => ({ head, choice })),
  }));

export const lessonOf = (sort: LessonSort, kind: string, { steps }: Rollout): Lesson => ({
  sort,
  kind,
  steps: asDemonstrated(steps),
});

const recorded = (decisions: readonly (BatchDecision & { readonly logProbability: number })[]) =>
  decisions.map(({ head, choice, logProbability }) => ({ head, choice, logProbability }));
