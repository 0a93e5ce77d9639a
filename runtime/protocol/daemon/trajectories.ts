// Trajectories: the list, one in detail (its steps, decisions and training), and the most uncertain steps.
//
//   trajectories.list     a page of the list, filtered and sorted
//   trajectory.get        one trajectory without its pictures
//   trajectory.frame      the screen before a step; its bytes arrive as a binary frame just before the reply
//   trajectory.elements   the elements on the screen before a step
//   steps.uncertain       the most uncertain steps of all trajectories

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { ACTION_KINDS } from '../../core/action.ts';
import { ENTROPY_ESTIMATORS } from '../../core/trace.ts';
import { marked, remark } from './remarks.ts';
import { reply } from './reply.ts';
import {
  count,
  group,
  listWindow,
  name,
  range,
  requestSchema,
  run,
  share,
  task,
  timestamp,
  trajectory,
} from './schemas.ts';
import { action, box, element } from './screen.ts';

const tier = z.int().min(1).max(4);
/** Names of agents: 'compact', or an entry of `agents` in dartboard.json. */
const agents = z.array(name).max(100).optional();

export const PURPOSES = ['train', 'evaluate', 'collect', 'demonstrate'] as const;
export const PROVENANCES = ['rollout', 'human', 'oracle', 'imported', 'hindsight'] as const;
/** A verdict by hand overrides the evaluator. */
export const OUTCOMES = ['success', 'failure', 'broken'] as const;
export const ENDINGS = ['finished', 'fail', 'capped'] as const;
/** A trajectory without the value sorts as the smallest. */
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

/** All conditions must hold. An absent condition excludes nothing; an empty list excludes everything. */
export const trajectoryFilter = z.strictObject({
  run: run.optional(),
  tasks: z.array(task).max(1000).optional(),
  tiers: z.array(tier).max(4).optional(),
  /** A suite as `tasks.list` names it. */
  suite: name.optional(),
  seed: z.int().min(0).max(0xffff_ffff).optional(),
  group: group.optional(),
  purposes: z.array(z.enum(PURPOSES)).optional(),
  provenances: z.array(z.enum(PROVENANCES)).optional(),
  outcomes: z.array(z.enum(OUTCOMES)).optional(),
  label: z.string().min(1).max(100).optional(),
  isInPool: z.boolean().optional(),
  /** The time of its end. */
  ended: range.optional(),
  steps: range.optional(),
  maxUncertainty: range.optional(),
  /** At least one step was chosen by weights of these versions. */
  versions: range.optional(),
  agents,
  /** Part of the instruction or of the task's name, in any case. */
  text: z.string().min(1).max(200).optional(),
});

/** Sums over the requests of an episode to its model. */
const usage = z.strictObject({
  promptTokens: count,
  completionTokens: count,
  latencyMs: z.number().min(0),
  /** In the currency of the configured prices; absent without prices. */
  cost: z.number().min(0).optional(),
});

/** A row of the list. Step numbers start at 0. */
const rowShape = {
  trajectory,
  run: run.optional(),
  group: z.string().optional(),
  task: z.string(),
  /** Absent if no suite has the task. */
  tier: tier.optional(),
  seed: z.int().min(0),
  instruction: z.string(),
  purpose: z.enum(PURPOSES),
  provenance: z.enum(PROVENANCES),
  mode: z.string(),
  /** The agent that played; absent: the built-in agent `compact`. */
  agent: z.string().optional(),
  /** Absent if no language model played. */
  usage: usage.optional(),
  outcome: z.enum(OUTCOMES),
  ending: z.enum(ENDINGS).optional(),
  /** The evaluator's score; absent if the episode broke. */
  score: share.optional(),
  steps: count,
  /** From 0 to 1; in nats if a language model chose the steps. Absent, like the versions, if no policy chose them. */
  meanUncertainty: z.number().optional(),
  maxUncertainty: z.number().optional(),
  oldest: count.optional(),
  newest: count.optional(),
  startedAt: timestamp,
  endedAt: timestamp,
  bytes: count,
  /** Its current marks. */
  marked,
};
export const trajectoryRow = z.strictObject(rowShape);

// One trajectory in detail

const decision = z.strictObject({
  /** 'kind', 'pointer', 'text' or 'key'. */
  head: z.string(),
  /** The number of alternatives. */
  choices: count,
  probability: z.number(),
  /** In nats; and as a share of the maximum entropy, absent if there was only one alternative. */
  entropy: z.number(),
  uncertainty: z.number().optional(),
  /** The most probable alternatives, in descending order. */
  alternatives: z.array(
    z.strictObject({
      /** A description of the alternative. */
      label: z.string(),
      probability: z.number(),
      box: box.optional(),
      isChosen: z.boolean(),
    }),
  ),
});

/** How a step was used in training. */
const training = z.strictObject({
  batch: z.string(),
  /** Its uncertainty under the weights that trained. */
  uncertainty: z.number(),
  /** Steps of the group with a higher uncertainty than this trained. */
  threshold: z.number(),
  /** Whether the step trained. */
  kept: z.boolean(),
  /** Absent in older recordings. */
  advantage: z.number().optional(),
});

export const stepDetail = z.strictObject({
  action,
  /** The action as text: 'click button "New"'. */
  says: z.string(),
  /** The boxes it pointed at, in order: none for a key, two for a drag. */
  meant: z.array(box),
  /** Absent if no policy chose the step. */
  chosen: z
    .strictObject({
      version: count,
      /** The joint probability of all decisions; of a reply, the geometric mean per token. Absent without log-probabilities. */
      probability: z.number().optional(),
      /** From 0 to 1; of a reply, the mean entropy of its tokens in nats, which can exceed 1. */
      uncertainty: z.number().optional(),
      /** Empty if a language model chose the step. */
      decisions: z.array(decision),
      /** Present if a language model chose the step, on the first step of the turn. */
      reply: reply.optional(),
      /** The step performs a later action of the same reply; the first step of the turn has the reply. */
      continues: z.literal(true).optional(),
    })
    .optional(),
  /** Absent until the step has trained, or if that is unknown. */
  training: training.optional(),
});

const sibling = z.strictObject({
  trajectory,
  outcome: z.enum(OUTCOMES),
  score: share.optional(),
  steps: count,
  endedAt: timestamp,
});

const saidMark = z.strictObject({ who: z.string(), at: timestamp, remark });

export const wholeTrajectory = z.strictObject({
  ...rowShape,
  maxSteps: count,
  /** The evaluator's reason, or the failure. */
  why: z.string(),
  /** The demonstrator, the origin of an import, or the original of a copy; absent on rollouts. */
  source: z.string().optional(),
  /** One more frame than steps. */
  frames: z.strictObject({
    kind: z.enum(['redrawn', 'png']),
    count,
    /** Why the pictures may differ from what the agent saw; absent if they are exact. */
    doubt: z.string().optional(),
  }),
  each: z.array(stepDetail),
  /** The stored trajectories of its group, itself included, in the order of their end. */
  siblings: z.array(sibling),
  /** All remarks, latest last. */
  said: z.array(saidMark),
});

// Steps

export const stepFilter = z.strictObject({
  run: run.optional(),
  tasks: z.array(task).max(1000).optional(),
  tiers: z.array(tier).max(4).optional(),
  outcomes: z.array(z.enum(OUTCOMES)).optional(),
  kinds: z.array(z.enum(ACTION_KINDS)).optional(),
  agents,
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
  /** The agent that chose it; absent: the built-in agent `compact`. */
  agent: z.string().optional(),
  /** How a language model's entropy was estimated; absent: the decisions of `compact`, exact, as a share of the maximum. */
  estimator: z.enum(ENTROPY_ESTIMATORS).optional(),
});

// Requests and results

const ofStep = z.strictObject({ trajectory, step: count });

export const TRAJECTORY_REQUESTS = [
  requestSchema(
    'trajectories.list',
    listWindow.extend({
      filter: trajectoryFilter,
      sort: z.enum(SORTS),
      descending: z.boolean(),
      /** The `upTo` of the first page: later pages then omit newer trajectories, so that pages fit together. */
      upTo: count.optional(),
    }),
  ),
  requestSchema('trajectory.get', z.strictObject({ trajectory })),
  /** Step 0 is the start; the last frame follows the last action. */
  requestSchema('trajectory.frame', ofStep),
  requestSchema('trajectory.elements', ofStep),
  /** With `by`, `limit` steps of each task or outcome; `offset` must then be 0. */
  requestSchema(
    'steps.uncertain',
    listWindow.extend({ filter: stepFilter, by: z.enum(['task', 'outcome']).optional() }),
  ),
] as const;

const listed = z.strictObject({ total: count, rows: z.array(trajectoryRow), upTo: count });
const frame = z.strictObject({
  width: count,
  height: count,
  /** The number of frames of this trajectory. */
  count,
  /** As `frames.doubt` of the trajectory. */
  doubt: z.string().optional(),
});
/** Null if the desktop had no elements, or they are not stored. */
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
export type StepDetail = z.infer<typeof stepDetail>;
export type DecisionDetail = z.infer<typeof decision>;
export type UncertainStepFilter = z.infer<typeof stepFilter>;
export type UncertainStep = z.infer<typeof uncertainStep>;
export type FrameResult = z.infer<typeof frame>;
export type ElementsResult = z.infer<typeof found>;
