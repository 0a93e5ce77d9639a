// What is known of a run at one moment: the one picture that terminal, page and panels draw. Numbers only, no words for users but
// those that modules said themselves.

// As a namespace: a page's bundle then leaves out what it does not use.
import * as z from 'zod';

const share = z.number().min(0).max(1);
const count = z.int().min(0);
const moment = z.number();

/** Success with its 95 % interval, clustered by task. */
const rated = z.strictObject({ successes: count, trials: count, rate: share, low: share, high: share });

const point = rated.extend({
  /** Of training so far. */
  seconds: z.number().min(0),
  /** Played to train on so far. */
  steps: count,
  split: z.enum(['train', 'test', 'unseen']),
  version: count,
  /** The mean of what evaluators gave, which may be a part of 1, and episodes that broke and are judged by none. Earlier runs have neither. */
  score: share.optional(),
  broken: count.optional(),
});

const taskState = z.strictObject({
  task: z.string(),
  tier: z.int().min(1).max(4),
  /** Over its last rollouts; absent before there are any. */
  rate: share.optional(),
  rollouts: count,
});

/** Each trajectory that was submitted is in one of the five states. */
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
  /** Of the time of all desktops: holding a live episode; within a call. */
  occupancy: share,
  stepping: share,
});

const rollout = z.strictObject({
  workers: count,
  /** Of the time of all workers: deciding or loading. */
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
  /** Versions between the weights that chose a step and those that it trained. */
  staleness: z.strictObject({ mean: z.number().min(0), max: z.number().min(0) }),
});

const trainer = z.strictObject({
  version: count,
  updates: count,
  updatesPerSecond: z.number().min(0),
  /** Of its time: inside an update or an assessment. */
  utilisation: share,
  /** Of the steps of trained groups, the share that the high-entropy mask left. */
  keptSteps: share.optional(),
  /** By the names that the field uses. */
  metrics: z.record(z.string(), z.number()),
});

const waiting = z.strictObject({ module: z.string(), reason: z.string(), since: moment });
const trouble = z.strictObject({ thing: z.string(), message: z.string(), at: moment });

/** Of a run, over all of its lives. */
export const MAX_RUN_MINUTES = 7 * 24 * 60;

/** What is proposed to whoever goes on with a run of so many seconds: minutes in all; undefined where no run may be longer. */
export function proposedMinutes(of: number): number | undefined {
  const minutes = Math.min(MAX_RUN_MINUTES, Math.ceil((2 * of) / 60));
  return 60 * minutes > of ? minutes : undefined;
}

export const RUN_STATUS = ['starting', 'running', 'paused', 'stopping', 'ended', 'failed'] as const;

export const runState = z.strictObject({
  run: z.string(),
  status: z.enum(RUN_STATUS),
  /** Why it failed, or what it still does before it ends. */
  message: z.string().optional(),
  startedAt: moment,
  /** Trained so far, over all of its lives, and in all. */
  seconds: z.number().min(0),
  of: z.number().min(0),
  about: z.strictObject({
    preset: z.string(),
    mode: z.string(),
    seed: z.string(),
    tiers: z.array(z.int().min(1).max(4)),
    tasks: count,
    /** The kind of desktops; absent for the pocket desktop, and of runs from before there were others. */
    desktops: z.literal('docker').optional(),
  }),
  curve: z.array(point),
  tasks: z.array(taskState),
  environments,
  rollout,
  data,
  trainer,
  waiting: z.array(waiting),
  /** The latest last. */
  troubles: z.array(trouble),
});

export type RunState = z.infer<typeof runState>;

/** Nothing of it changes any more. */
export const isOver = ({ status }: Pick<RunState, 'status'>): boolean =>
  status === 'ended' || status === 'failed';

export type CurvePoint = z.infer<typeof point>;
export type TrajectoryCounts = z.infer<typeof books>;

/** A run as lists show it. */
export const runSummary = z.strictObject({
  run: z.string(),
  status: z.enum(RUN_STATUS),
  startedAt: moment,
  seconds: z.number().min(0),
  of: z.number().min(0),
  about: runState.shape.about,
  /** The last measurement on test worlds. */
  last: point.optional(),
  /** On disk. */
  bytes: count,
  /** Whether `resume` can go on with it. */
  canResume: z.boolean(),
});

export type RunSummary = z.infer<typeof runSummary>;
