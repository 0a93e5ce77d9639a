// Trajectories as clients are shown them: from what the index, the file and the trainer's masks say. Pure.

import type { EntropyMask } from '../../core/batch.ts';
import { type Decision, uncertainty } from '../../core/decision.ts';
import type { TrajectoryId } from '../../core/ids.ts';
import type { Step } from '../../core/step.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { Mark, Marked } from '../../data/files/marks.ts';
import type { Row, StepRow } from '../../data/index/questions.ts';
import { actionInWords } from '../../inference/action-words.ts';
import type { AnnotationRemark, AnnotationMarks as ShownMarked } from '../../protocol/daemon/remarks.ts';
import type {
  DecisionDetail,
  StepDetail,
  TrajectoryRow,
  UncertainStep,
} from '../../protocol/daemon/trajectories.ts';
import type { TaskAbout } from './suites.ts';

type About = Pick<TaskAbout, 'tier'> | undefined;

export const shownMarks = ({
  verdict,
  label,
  note,
  keySteps,
  isInPool,
  trim,
  newInstruction,
}: Marked): ShownMarked => ({
  ...(verdict !== undefined && { verdict }),
  ...(label !== undefined && { label }),
  ...(note !== undefined && { note }),
  keySteps: [...keySteps],
  ...(isInPool !== undefined && { isInPool }),
  ...(trim !== undefined && { trim }),
  ...(newInstruction !== undefined && { instruction: newInstruction }),
});

export function shownRow(row: Row, about: About): TrajectoryRow {
  const { id, instance, verdict, label, note, keySteps, isInPool, trim, newInstruction, broke, ...same } =
    row;
  return {
    ...same,
    trajectory: id,
    task: instance.task,
    seed: instance.seed,
    ...(about !== undefined && { tier: about.tier }),
    marked: shownMarks(row),
  };
}

export const shownUncertain = ({ instance, ...same }: StepRow, about: About): UncertainStep => ({
  ...same,
  task: instance.task,
  seed: instance.seed,
  ...(about !== undefined && { tier: about.tier }),
});

export function shownRemark(mark: Mark): {
  readonly who: string;
  readonly at: number;
  readonly remark: AnnotationRemark;
} {
  const { who, at, trajectory: _, ...remark } = mark;
  return { who, at, remark };
}

/** What the evaluator found, or what broke. */
export const whyOf = ({ outcome }: Trajectory): string =>
  outcome.kind === 'judged' ? outcome.verdict.why : `${outcome.failure.thing}: ${outcome.failure.message}`;

export function sourceOf({ provenance }: Trajectory): string | undefined {
  switch (provenance.kind) {
    case 'human':
      return provenance.who;
    case 'imported':
      return provenance.from;
    case 'hindsight':
      return provenance.of;
    case 'oracle':
      return 'its scripted solution';
    case 'rollout':
      return undefined;
  }
}

type Training = NonNullable<StepDetail['training']>;

/** Of each step; undefined where the trajectory was not among those that the group trained. */
export function trainingOf(mask: EntropyMask, id: TrajectoryId): readonly Training[] | undefined {
  let from = 0;
  for (const { trajectory, steps, advantage } of mask.rollouts ?? []) {
    if (trajectory === id) {
      const { batch, threshold } = mask;
      return mask.steps.slice(from, from + steps).map(step => ({ batch, threshold, ...step, advantage }));
    }
    from += steps;
  }
  return undefined;
}

export function shownStep({ action, meant, chosen }: Step, training: Training | undefined): StepDetail {
  const decisions = chosen?.decisions ?? [];
  const pointed = decisions.filter(({ head }) => head === 'pointer').map(labelOf);
  const places = 'at' in action ? [action.at] : action.kind === 'drag' ? [action.from, action.to] : [];
  const on = (pointing: 0 | 1): string => {
    const { x = 0, y = 0 } = places[pointing] ?? {};
    return pointed[pointing] ?? `the screen at (${x}, ${y})`;
  };
  return {
    action,
    says: actionInWords(action, on),
    meant: meant.map(({ box }) => box),
    ...(chosen !== undefined && {
      chosen: {
        version: chosen.version,
        probability: Math.exp(decisions.reduce((sum, { logProbability }) => sum + logProbability, 0)),
        uncertainty: uncertainty(decisions),
        decisions: decisions.map(shownDecision),
      },
    }),
    ...(training !== undefined && { training }),
  };
}

const shownDecision = (decision: Decision): DecisionDetail => {
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

/** In words, what was chosen; undefined where it was too unlikely to be written down. */
const labelOf = ({ choice, alternatives }: Decision): string | undefined =>
  alternatives.find(other => other.choice === choice && other.label !== '')?.label;
