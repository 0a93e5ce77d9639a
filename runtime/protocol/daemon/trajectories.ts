// Trajectories as lists show them, and one as a whole: what was done step by step, how it was decided, and what was learned from it.
//
//   trajectories.list     a part of all that pass a filter, in an order
//   trajectory.get        one of them, whole but for its pictures
//   trajectory.frame      the picture before a step; its bytes come as a binary frame right before the reply
//   trajectory.elements   what could be found on the screen before a step
//   steps.uncertain       the least certain decisions, over many trajectories

// As a namespace: a page's bundle then leaves out what it does not use.
import * as z from 'zod';
import { ACTION_KINDS } from '../../core/action.ts';
import { marked, remark } from './remarks.ts';
import {
  count,
  group,
  moment,
  name,
  range,
  requestSchema,
  run,
  share,
  task,
  trajectory,
  window,
} from './schemas.ts';
import { action, box, element } from './screen.ts';

const tier = z.int().min(1).max(4);

export const PURPOSES = ['train', 'evaluate', 'collect', 'demonstrate'] as const;
export const PROVENANCES = ['rollout', 'human', 'oracle', 'imported', 'hindsight'] as const;
/** With a verdict by hand in place of the evaluator's. */
export const OUTCOMES = ['success', 'failure', 'broken'] as const;
export const ENDINGS = ['finished', 'fail', 'capped'] as const;
/** Ascending or descending; what has no such number comes where the smallest come. */
export const SORTS = [
  'startedAt',
  'endedAt',
  'score',
  'steps',
  'meanUncertainty',
  'maxUncertainty',
  'oldest',
  'newest',
] as const;

// Lists

/** All of it must hold; what is left out excludes nothing, and an empty list excludes everything. */
export const trajectoryFilter = z.strictObject({
  run: run.optional(),
  tasks: z.array(task).max(1000).optional(),
  tiers: z.array(tier).max(4).optional(),
  /** As `tasks.list` names them. */
  suite: name.optional(),
  seed: z.int().min(0).max(0xffff_ffff).optional(),
  group: group.optional(),
  purposes: z.array(z.enum(PURPOSES)).optional(),
  provenances: z.array(z.enum(PROVENANCES)).optional(),
  outcomes: z.array(z.enum(OUTCOMES)).optional(),
  label: z.string().min(1).max(100).optional(),
  isInPool: z.boolean().optional(),
  /** Ended within. */
  ended: range.optional(),
  steps: range.optional(),
  maxUncertainty: range.optional(),
  /** Some step of it was chosen by weights of these versions. */
  versions: range.optional(),
  /** The instruction or the task's name has it, in whatever case. */
  text: z.string().min(1).max(200).optional(),
});

/** A trajectory as lists show it. Numbers of steps count from 0. */
const rowShape = {
  trajectory,
  run: run.optional(),
  group: z.string().optional(),
  task: z.string(),
  /** Absent where the task is in no suite of this program. */
  tier: tier.optional(),
  seed: z.int().min(0),
  instruction: z.string(),
  purpose: z.enum(PURPOSES),
  provenance: z.enum(PROVENANCES),
  mode: z.string(),
  outcome: z.enum(OUTCOMES),
  ending: z.enum(ENDINGS).optional(),
  /** The evaluator's; absent on broken ones. */
  score: share.optional(),
  steps: count,
  /** From 0 to 1; absent where no policy chose, like the versions. */
  meanUncertainty: z.number().optional(),
  maxUncertainty: z.number().optional(),
  oldest: count.optional(),
  newest: count.optional(),
  startedAt: moment,
  endedAt: moment,
  bytes: count,
  /** What somebody said of it, as it holds now. */
  marked,
};
export const trajectoryRow = z.strictObject(rowShape);

// One, whole

const decision = z.strictObject({
  /** 'kind', 'pointer', 'text' or 'key'. */
  head: z.string(),
  /** How many there were to choose from. */
  choices: count,
  probability: z.number(),
  /** In nats; and as a share of the most that it could be, from 0 to 1, absent where nothing was open. */
  entropy: z.number(),
  uncertainty: z.number().optional(),
  /** The likeliest, in falling order. */
  alternatives: z.array(
    z.strictObject({
      /** What it would have been, in words. */
      label: z.string(),
      probability: z.number(),
      box: box.optional(),
      isChosen: z.boolean(),
    }),
  ),
});

/** What became of a step in training. */
const training = z.strictObject({
  batch: z.string(),
  /** How uncertain the weights that trained found it. */
  uncertainty: z.number(),
  /** Steps of its group that were less certain than this trained. */
  threshold: z.number(),
  /** Whether it trained. */
  kept: z.boolean(),
  /** How much better than its group it did; absent where it was not written down. */
  advantage: z.number().optional(),
});

const step = z.strictObject({
  action,
  /** The action in words: 'click button "New"'. */
  says: z.string(),
  /** Where it pointed, in the order of pointing: none for a key, two for a drag. */
  meant: z.array(box),
  /** Absent where no policy of ours chose. */
  chosen: z
    .strictObject({
      version: count,
      /** Of all decisions together. */
      probability: z.number(),
      uncertainty: z.number(),
      decisions: z.array(decision),
    })
    .optional(),
  /** Absent as long as it has not trained, and where that is not known. */
  training: training.optional(),
});

const sibling = z.strictObject({
  trajectory,
  outcome: z.enum(OUTCOMES),
  score: share.optional(),
  steps: count,
  endedAt: moment,
});

const saidMark = z.strictObject({ who: z.string(), at: moment, remark });

export const wholeTrajectory = z.strictObject({
  ...rowShape,
  maxSteps: count,
  /** What the evaluator found, or what broke. */
  why: z.string(),
  /** Who showed it, where it is from, or which one it is a copy of; absent on rollouts. */
  source: z.string().optional(),
  /** There is one more than steps. */
  frames: z.strictObject({
    kind: z.enum(['redrawn', 'png']),
    count,
    /** Why the pictures are not, or may not be, what was seen; absent where they are just that. */
    doubt: z.string().optional(),
  }),
  each: z.array(step),
  /** All of its group that are there, itself among them; the first to end first. */
  siblings: z.array(sibling),
  /** Everything that was said of it, the latest last. */
  said: z.array(saidMark),
});

// Steps

export const stepFilter = z.strictObject({
  run: run.optional(),
  tasks: z.array(task).max(1000).optional(),
  tiers: z.array(tier).max(4).optional(),
  outcomes: z.array(z.enum(OUTCOMES)).optional(),
  kinds: z.array(z.enum(ACTION_KINDS)).optional(),
});

export const uncertainStep = z.strictObject({
  trajectory,
  step: count,
  run: run.optional(),
  task: z.string(),
  tier: tier.optional(),
  seed: z.int().min(0),
  instruction: z.string(),
  outcome: z.enum(OUTCOMES),
  kind: z.enum(ACTION_KINDS),
  uncertainty: z.number(),
  probability: z.number(),
  version: count,
});

// Requests and results

const ofStep = z.strictObject({ trajectory, step: count });

export const TRAJECTORY_REQUESTS = [
  requestSchema(
    'trajectories.list',
    window.extend({
      filter: trajectoryFilter,
      sort: z.enum(SORTS),
      descending: z.boolean(),
      /** As the first part said it: the parts are then of one list, without what has come meanwhile. */
      upTo: count.optional(),
    }),
  ),
  requestSchema('trajectory.get', z.strictObject({ trajectory })),
  /**
   * Step 0 is the start, and the last is what the last action left. `place` is where the picture is to be shown, in the client's own
   * words: while it waits, a later request for the same place supersedes it, and it fails with 'superseded'.
   */
  requestSchema('trajectory.frame', ofStep.extend({ place: name.optional() })),
  requestSchema('trajectory.elements', ofStep),
  /** So many of each task or outcome, where `by` is given; `offset` is then 0. */
  requestSchema(
    'steps.uncertain',
    window.extend({ filter: stepFilter, by: z.enum(['task', 'outcome']).optional() }),
  ),
] as const;

const listed = z.strictObject({ total: count, rows: z.array(trajectoryRow), upTo: count });
const frame = z.strictObject({
  width: count,
  height: count,
  /** How many there are of this trajectory. */
  count,
  /** As of the whole trajectory. */
  doubt: z.string().optional(),
});
/** Null where the desktop had none, or they are not kept. */
const found = z.strictObject({ elements: z.array(element).nullable() });
const steps = z.strictObject({ steps: z.array(uncertainStep) });

export const TRAJECTORY_RESULTS = {
  'trajectories.list': listed,
  'trajectory.get': wholeTrajectory,
  'trajectory.frame': frame,
  'trajectory.elements': found,
  'steps.uncertain': steps,
} as const;

export type TrajectoryFilter = z.infer<typeof trajectoryFilter>;
export type TrajectoryRow = z.infer<typeof trajectoryRow>;
export type TrajectoryList = z.infer<typeof listed>;
export type TrajectoryDetail = z.infer<typeof wholeTrajectory>;
export type StepDetail = z.infer<typeof step>;
export type DecisionDetail = z.infer<typeof decision>;
export type UncertainStepFilter = z.infer<typeof stepFilter>;
export type UncertainStep = z.infer<typeof uncertainStep>;
export type FrameResult = z.infer<typeof frame>;
export type ElementsResult = z.infer<typeof found>;
