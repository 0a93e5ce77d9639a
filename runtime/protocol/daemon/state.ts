// The state of a run at one moment. Terminal, pages and editor all render this one object.

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { DESKTOP_KINDS } from '../desktop-kinds.ts';
import { hostState } from './hosts.ts';
import { learnerState, serverState, spentState } from './model-run.ts';

const share = z.number().min(0).max(1);
const count = z.int().min(0);
const moment = z.number();

/** Success with its 95 % interval, clustered by task. */
const rated = z.strictObject({ successes: count, trials: count, rate: share, low: share, high: share });

const point = rated.extend({
  /** Training time so far. */
  seconds: z.number().min(0),
  /** Training steps played so far. */
  steps: count,
  split: z.enum(['train', 'test', 'unseen']),
  version: count,
  /** The mean score, which may be fractional, and the number of broken episodes. Runs of earlier versions lack both. */
  score: share.optional(),
  broken: count.optional(),
});

const taskState = z.strictObject({
  task: z.string(),
  tier: z.int().min(1).max(4),
  /** Success rate of its last rollouts; absent before the first. */
  rate: share.optional(),
  rollouts: count,
});

/** Invariant: `submitted` is the sum of the other five. */
const books = z.strictObject({
  submitted: count,
  accepted: count,
  filtered: count,
  dropped: count,
  failed: count,
  running: count,
});

const environments = z.strictObject({
  desktops: count,
  broken: count,
  /** Shares of the time of all desktops: with a live episode; inside a step. */
  occupancy: share,
  stepping: share,
});

const rollout = z.strictObject({
  workers: count,
  /** Share of the time of all workers: deciding or loading weights. */
  utilisation: share,
  episodes: count,
  steps: count,
  episodesPerSecond: z.number().min(0),
  stepsPerSecond: z.number().min(0),
});

const data = z.strictObject({
  books,
  queues: z.strictObject({ orders: count, trajectories: count, batches: count, lessons: count }),
  trainableGroups: count,
  filteredGroups: count,
  injections: count,
  /** How many versions the weights that chose a step are behind the weights that trained on it. */
  staleness: z.strictObject({ mean: z.number().min(0), max: z.number().min(0) }),
});

const trainer = z.strictObject({
  version: count,
  updates: count,
  updatesPerSecond: z.number().min(0),
  /** Share of its time inside an update or an evaluation of steps. */
  utilisation: share,
  /** Share of the steps of trained groups that the high-entropy mask keeps. */
  keptSteps: share.optional(),
  /** The share of lessons in all rows that trained. */
  imitatedShare: share.optional(),
  /** The share of transferred demonstrations by people in the lessons that trained. */
  personTransferShare: share.optional(),
  /** Loss, KL, clip fraction and others, by name. */
  metrics: z.record(z.string(), z.number()),
});

const waiting = z.strictObject({ module: z.string(), reason: z.string(), since: moment });
const problem = z.strictObject({
  thing: z.string(),
  message: z.string(),
  /** When it last occurred. */
  at: moment,
  /** How often it occurred, if more than once. */
  count: count.optional(),
});

/** The maximum length of a run, resumes included: one week. */
export const MAX_RUN_MINUTES = 7 * 24 * 60;

/** The total minutes to propose when a run of this length is resumed: twice its length. Undefined at the maximum. */
export function proposedMinutes(seconds: number): number | undefined {
  const minutes = Math.min(MAX_RUN_MINUTES, Math.ceil((2 * seconds) / 60));
  return 60 * minutes > seconds ? minutes : undefined;
}

/** A complete run resumes only with a longer time. One that failed at the end of its time may lack its last save or evaluation. */
export const isRunComplete = ({
  status,
  seconds,
  of,
}: Pick<RunSummary, 'status' | 'seconds' | 'of'>): boolean =>
  status === 'failed' ? seconds > of : of - seconds < 1;

/** Absent for the built-in policy, and until they are reported. */
const modelRun = {
  learner: learnerState.optional(),
  /** In the order of dartboard.json. */
  servers: z.array(serverState).optional(),
  spent: spentState.optional(),
};

export const RUN_STATUS = ['starting', 'running', 'paused', 'stopping', 'ended', 'failed'] as const;

export const runState = z.strictObject({
  run: z.string(),
  status: z.enum(RUN_STATUS),
  /** Why it failed, or what it does before it ends. */
  message: z.string().optional(),
  startedAt: moment,
  /** Training time so far, resumes included, and the configured total. */
  seconds: z.number().min(0),
  of: z.number().min(0),
  about: z.strictObject({
    preset: z.string(),
    mode: z.string(),
    seed: z.string(),
    tiers: z.array(z.int().min(1).max(4)),
    tasks: count,
    /** The kind of desktops; absent for the pocket desktop. */
    desktops: z.enum(DESKTOP_KINDS).exclude(['pocket']).optional(),
    /** The name of the agent that trains; absent for the built-in policy. */
    agent: z.string().optional(),
  }),
  curve: z.array(point),
  tasks: z.array(taskState),
  environments,
  rollout,
  data,
  trainer,
  ...modelRun,
  /** The local one first. Absent for a run on one machine. */
  hosts: z.array(hostState).optional(),
  waiting: z.array(waiting),
  /** Latest last. */
  problems: z.array(problem),
});

export type RunState = z.infer<typeof runState>;

/** A state file. Those of earlier versions call the problems `troubles`. */
export const savedRunState = z.preprocess(value => {
  if (typeof value !== 'object' || value === null || !('troubles' in value)) return value;
  const { troubles, ...rest } = value;
  return { ...rest, problems: troubles };
}, runState);

/** An ended run does not change any more. */
export const isOver = ({ status }: Pick<RunState, 'status'>): boolean =>
  status === 'ended' || status === 'failed';

export type EvaluationPoint = z.infer<typeof point>;
export type TrajectoryCounts = z.infer<typeof books>;

/** A run as lists show it. */
export const runSummary = z.strictObject({
  run: z.string(),
  status: z.enum(RUN_STATUS),
  startedAt: moment,
  seconds: z.number().min(0),
  of: z.number().min(0),
  about: runState.shape.about,
  /** The last evaluation on test worlds. */
  last: point.optional(),
  ...modelRun,
  /** On disk. */
  bytes: count,
  /** Whether `resume` is possible. */
  canResume: z.boolean(),
});

export type RunSummary = z.infer<typeof runSummary>;
