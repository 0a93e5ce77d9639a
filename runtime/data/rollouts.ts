// A finished episode in the form that groups and batches need: observations, choices and reward, without frames and metadata.

import { type SerializedValue, serializeValue } from '../agents/compact/serialized-value.ts';
import type { ExpertMatch } from '../core/expert-match.ts';
import type { OrderId, TrajectoryId, Version } from '../core/ids.ts';
import type { Lesson, LessonSort, LessonStep } from '../core/lesson.ts';
import type { Step } from '../core/step.ts';
import { type TrainingChoice, trainingChoice, trainingRefusal, withoutProbabilities } from '../core/trace.ts';
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
  /** One for each turn; never empty. */
  readonly steps: readonly LessonStep[];
  /** Of each step with the expert's; present for desktops that play stored trajectories. */
  readonly matches?: readonly ExpertMatch[];
  /** The share of its replies that could be read; absent if no step has a reply. */
  readonly readable?: number;
  /** Actions, which step limits count: a turn can have several. Undefined for a part of a trajectory. */
  readonly actions: number | undefined;
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

/** Recovers the choice of a step that records only its action: demonstrations and imports. */
export type RestoreChoice = (step: Step) => TrainingChoice | undefined;

/** Undefined if the trajectory cannot train: it has no verdict, or a turn has no observation or no choice. */
export function rolloutOf(
  trajectory: Trajectory,
  restore: RestoreChoice = () => undefined,
): TrainingRollout | undefined {
  const { id, order, outcome, steps } = trajectory;
  const reward = rewardOf(outcome);
  // Later actions of a turn train with its first.
  const turns = steps.filter(({ chosen }) => chosen?.trace.kind !== 'same-turn');
  const complete = turns.flatMap(step => {
    const choice = step.chosen === undefined ? restore(step) : trainingChoice(step.chosen.trace);
    const { observation } = step;
    return observation === undefined || choice === undefined ? [] : [{ observation, choice }];
  });
  if (reward === undefined || complete.length === 0 || complete.length < turns.length) return undefined;
  const oldest = versionSpan(steps)?.oldest;
  const matches = matchesOf(steps);
  return {
    ...{ id, order, reward, isSuccess: isSuccess(outcome), oldest, steps: complete, actions: steps.length },
    ...(matches.length === turns.length && { matches }),
    ...readableShare(turns),
  };
}

function readableShare(turns: readonly Step[]): Pick<TrainingRollout, 'readable'> {
  const replies = turns.flatMap(({ chosen }) => (chosen?.trace.kind === 'tokens' ? [chosen.trace] : []));
  if (replies.length === 0) return {};
  return { readable: replies.filter(({ malformed }) => malformed === undefined).length / replies.length };
}

/** Of each turn: the place of its first action, and the score of the worst one, since the reply has all of them. */
function matchesOf(steps: readonly Step[]): readonly ExpertMatch[] {
  const matches: ExpertMatch[] = [];
  for (const { match, chosen } of steps) {
    const last = chosen?.trace.kind === 'same-turn' ? matches.pop() : undefined;
    if (match !== undefined)
      matches.push(last === undefined ? match : { ...last, score: Math.min(last.score, match.score) });
  }
  return matches;
}

/** Why `rolloutOf` returns nothing for a trajectory with a verdict, and what to do, for the user. */
export function whyUntrainable({ steps }: Trajectory): string {
  const [refusal] = steps.flatMap(({ chosen }) => (chosen && trainingRefusal(chosen.trace)) ?? []);
  return refusal === undefined
    ? 'a step has no observation or no decision. This is a bug in Dartboard: report it with this message.'
    : `${refusal}. Run 'dartboard endpoint check' to find what the server of the model lacks.`;
}

/** The rollout under a manual verdict; `undefined` restores the evaluator's. */
export function withManualVerdict(rollout: TrainingRollout, success: boolean | undefined): TrainingRollout {
  const { evaluated: { reward, isSuccess } = rollout, ...rest } = rollout;
  if (success === undefined || success === isSuccess) return { ...rest, reward, isSuccess };
  return { ...rest, reward: success ? 1 : 0, isSuccess: success, evaluated: { reward, isSuccess } };
}

export const asDemonstration = (steps: readonly LessonStep[]): readonly LessonStep[] =>
  steps.map(({ observation, choice }) => ({ observation, choice: withoutProbabilities(choice) }));

export const lessonOf = (sort: LessonSort, kind: string, { steps }: TrainingRollout): Lesson => ({
  sort,
  kind,
  steps: asDemonstration(steps),
});
