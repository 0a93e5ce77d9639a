// Converts trajectories from the index, their files and the trainer's masks to the messages of clients. Pure.

import { pointsOf } from '../../core/action.ts';
import type { EntropyMask } from '../../core/batch.ts';
import { type Decision, uncertainty } from '../../core/decision.ts';
import type { TrajectoryId } from '../../core/ids.ts';
import type { ChosenBy, Step } from '../../core/step.ts';
import { type TokensTrace, traceProbability, traceUncertainty, trainingRefusal } from '../../core/trace.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { Mark, Marked } from '../../data/files/marks.ts';
import type { Suggestion } from '../../data/files/suggestions.ts';
import type { IndexedTrajectory, StepRow } from '../../data/index/queries.ts';
import { actionInWords } from '../../inference/action-words.ts';
import type { ModelSuggestion } from '../../protocol/daemon/annotation.ts';
import type { AnnotationMarks, AnnotationRemark } from '../../protocol/daemon/remarks.ts';
import type { ReplyDetail } from '../../protocol/daemon/reply.ts';
import type {
  DecisionDetail,
  StepDetail,
  TrajectoryRow,
  UncertainStep,
} from '../../protocol/daemon/trajectories.ts';
import type { TaskAbout } from './suites.ts';

type TaskTier = Pick<TaskAbout, 'tier'> | undefined;

export const toMarks = ({
  verdict,
  label,
  note,
  keySteps,
  isInPool,
  votes,
  trim,
  newInstruction,
}: Marked): AnnotationMarks => ({
  ...(verdict !== undefined && { verdict }),
  ...(label !== undefined && { label }),
  ...(note !== undefined && { note }),
  keySteps: [...keySteps],
  ...(isInPool !== undefined && { isInPool }),
  ...(votes !== undefined && { votes: votes.map(vote => ({ ...vote })) }),
  ...(trim !== undefined && { trim }),
  ...(newInstruction !== undefined && { instruction: newInstruction }),
});

export function toTrajectoryRow(row: IndexedTrajectory, about: TaskTier): TrajectoryRow {
  const {
    id,
    instance,
    verdict,
    label,
    note,
    keySteps,
    isInPool,
    votes,
    trim,
    newInstruction,
    broke,
    replies,
    ...same
  } = row;
  return {
    ...same,
    trajectory: id,
    task: instance.task,
    seed: instance.seed,
    ...(about !== undefined && { tier: about.tier }),
    ...(replies !== undefined && { usage: toUsage(replies) }),
    marked: toMarks(row),
  };
}

const toUsage = ({
  promptTokens,
  completionTokens,
  latencyMs,
  cost,
}: NonNullable<IndexedTrajectory['replies']>): NonNullable<TrajectoryRow['usage']> => ({
  ...{ promptTokens, completionTokens, latencyMs },
  ...(cost !== undefined && { cost }),
});

export const toUncertainStep = ({ instance, ...same }: StepRow, about: TaskTier): UncertainStep => ({
  ...same,
  task: instance.task,
  seed: instance.seed,
  ...(about !== undefined && { tier: about.tier }),
});

export function toRemark(mark: Mark): {
  readonly who: string;
  readonly at: number;
  readonly remark: AnnotationRemark;
} {
  const { who, at, trajectory: _, ...remark } = mark;
  return { who, at, remark };
}

/** The entry of the queue names the trajectory. */
export const toSuggestion = ({ trajectory: _, ...same }: Suggestion): ModelSuggestion => same;

/** The reason of the evaluator, or the failure. */
export const whyOf = ({ outcome }: Trajectory): string =>
  outcome.kind === 'judged' ? outcome.verdict.why : `${outcome.failure.thing}: ${outcome.failure.message}`;

export function sourceOf({ provenance }: Trajectory): string | undefined {
  switch (provenance.kind) {
    case 'human':
      return provenance.who;
    case 'imported':
      return provenance.format === undefined ? provenance.from : `${provenance.from} (${provenance.format})`;
    case 'hindsight':
      return provenance.of;
    case 'oracle':
      return 'its scripted solution';
    case 'rollout':
      return undefined;
  }
}

type Training = NonNullable<StepDetail['training']>;

/** One item per turn; undefined when the group did not train this trajectory. */
export function trainingOf(mask: EntropyMask, id: TrajectoryId): readonly Training[] | undefined {
  let from = 0;
  for (const { trajectory, steps, advantage } of mask.rollouts ?? []) {
    if (trajectory === id) {
      const { batch, threshold } = mask;
      return mask.steps.slice(from, from + steps).map(step => ({ batch, threshold, advantage, ...step }));
    }
    from += steps;
  }
  return undefined;
}

/** `training` has one item per turn: later actions of a turn train with its first. */
export function toStepDetails(
  steps: readonly Step[],
  training: readonly Training[] | undefined,
): StepDetail[] {
  let turns = 0;
  return steps.map(step =>
    toStepDetail(step, step.chosen?.trace.kind === 'same-turn' ? undefined : training?.[turns++]),
  );
}

function toStepDetail({ action, meant, chosen, match }: Step, training: Training | undefined): StepDetail {
  const decisions = chosen?.trace.kind === 'heads' ? chosen.trace.decisions : [];
  const pointed = decisions.filter(({ head }) => head === 'pointer').map(labelOf);
  const places = pointsOf(action);
  const on = (pointing: 0 | 1): string => {
    const { x = 0, y = 0 } = places[pointing] ?? {};
    return pointed[pointing] ?? `the screen at (${x}, ${y})`;
  };
  return {
    action,
    says: `${actionInWords(action, on)}${match === undefined || match.score === 1 ? '' : ', unlike the expert'}`,
    meant: meant.map(({ box }) => box),
    ...(chosen !== undefined && { chosen: toChosenDetail(chosen) }),
    ...(training !== undefined && { training }),
  };
}

function toChosenDetail({ version, trace }: ChosenBy): NonNullable<StepDetail['chosen']> {
  const [probability, doubt] = [traceProbability(trace), traceUncertainty(trace)];
  return {
    version,
    ...(probability !== undefined && { probability }),
    ...(doubt !== undefined && { uncertainty: doubt }),
    decisions: trace.kind === 'heads' ? trace.decisions.map(toDecisionDetail) : [],
    ...(trace.kind === 'tokens' && { reply: toReplyDetail(trace) }),
    ...(trace.kind === 'same-turn' && { continues: true }),
  };
}

function toReplyDetail(trace: TokensTrace): ReplyDetail {
  const { kind: _, prompt: __, tokens, defects, served, ...rest } = trace;
  const refusal = trainingRefusal(trace);
  return {
    ...rest,
    defects: [...defects],
    tokens: tokens.map(({ text, logProbability, entropy, alternatives }) => ({
      text,
      ...(logProbability !== undefined && { probability: Math.exp(logProbability) }),
      ...(entropy !== undefined && { entropy }),
      ...(alternatives !== undefined && {
        alternatives: alternatives.map(other => ({
          text: other.text,
          probability: Math.exp(other.logProbability),
        })),
      }),
    })),
    served: { ...served, retries: [...served.retries] },
    ...(refusal !== undefined && { refusal }),
  };
}

const toDecisionDetail = (decision: Decision): DecisionDetail => {
  const { head, choice, choices, logProbability, entropy, alternatives } = decision;
  return {
    ...{ head, choices, entropy },
    probability: Math.exp(logProbability),
    ...(choices > 1 && { uncertainty: uncertainty([decision]) }),
    alternatives: alternatives.map(other => ({
      label: other.label,
      probability: Math.exp(other.logProbability),
      ...(other.box !== undefined && { box: other.box }),
      isChosen: other.choice === choice,
    })),
  };
};

/** The label of the chosen alternative; undefined when it was too unlikely to be stored. */
const labelOf = ({ choice, alternatives }: Decision): string | undefined =>
  alternatives.find(other => other.choice === choice && other.label !== '')?.label;
