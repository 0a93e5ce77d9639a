// Annotation, the success pool, and the tasks.
//
//   annotation.queue      successes without a decision, or without a vote of one person
//   annotation.agreement  how often two people voted alike, and model agents with people
//   presort.now           the agents that can pre-sort the queue, and the latest pre-sort
//   presort.start         asks a model agent about trajectories of the queue; its answers are suggestions, never votes
//   presort.follow        the state of a pre-sort, once it differs from the state that the client has
//   presort.cancel        stops a pre-sort; the suggestions so far stay
//   annotate              adds a remark to a trajectory; the reply has the remark that undoes it
//   pool.list             the members of the success pool
//   tasks.list            the tasks, with their success rates

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { accepted, marked, remark } from './remarks.ts';
import {
  count,
  empty,
  listWindow,
  name,
  requestSchema,
  run,
  share,
  task,
  timestamp,
  trajectory,
} from './schemas.ts';
import { PURPOSES, trajectoryRow } from './trajectories.ts';

const tier = z.int().min(1).max(4);
const tasks = z.array(task).max(1000).optional();
const narrowed = { tasks, tiers: z.array(tier).max(4).optional(), run: run.optional() };

/**
 * coverage: tasks with the fewest pool members come first; among these, the hardest.
 * teaching: the trajectories on which a decision teaches most come first; see REVIEW_REASONS.
 * suggested: those come first on which a model agent disagrees with the verdict, then those on which it is least sure.
 */
export const REVIEW_ORDERS = ['coverage', 'teaching', 'suggested'] as const;

/** More requests to a model cost too much to start by mistake. */
export const MAX_PRESORTED = 1000;

export const REVIEW_REASONS = [
  /** A step of it is among the most uncertain of the queue. */
  'uncertain',
  /** Its group has successes and failures. */
  'contested',
  /** The evaluator judged it a success, but the agent did not report one: it reached the step limit. */
  'unclaimed',
  /** People voted differently. */
  'disputed',
] as const;

const ofPresort = z.strictObject({ presort: name });

export const ANNOTATION_REQUESTS = [
  /**
   * One trajectory per task instance that has no member in the pool: the newest collected or demonstrated one, else the newest
   * success of a rollout. With `secondOf`, instead all trajectories on which others voted and this person did not. `run` restricts it
   * to that run. The default order is `coverage`.
   */
  requestSchema(
    'annotation.queue',
    listWindow.extend({
      ...narrowed,
      order: z.enum(REVIEW_ORDERS).optional(),
      secondOf: name.optional(),
    }),
  ),
  /** The pairs with the most common trajectories come first. */
  requestSchema('annotation.agreement', z.strictObject({ run: run.optional() })),
  requestSchema('presort.now', empty),
  /** The trajectories on which a decision teaches most, and on which this agent has no suggestion yet. `run` restricts it to that run. */
  requestSchema(
    'presort.start',
    z.strictObject({ agent: name, count: z.int().min(1).max(MAX_PRESORTED), run: run.optional() }),
  ),
  /** The reply comes when `change` differs from `after`, or after a few seconds, or at once if it is over. */
  requestSchema('presort.follow', ofPresort.extend({ after: count })),
  requestSchema('presort.cancel', ofPresort),
  requestSchema('annotate', z.strictObject({ trajectory, remark, who: name })),
  /** Newest member first. */
  requestSchema('pool.list', listWindow.extend({ tasks, tiers: narrowed.tiers })),
  /** Success of one run or of all runs, over rollouts of these purposes. The default purpose is 'train'. */
  requestSchema(
    'tasks.list',
    z.strictObject({ run: run.optional(), purposes: z.array(z.enum(PURPOSES)).optional() }),
  ),
] as const;

/** The judgement of a model agent. */
const suggestion = z.strictObject({
  agent: z.string(),
  model: z.string(),
  at: timestamp,
  /** Whether it believes that the instruction was done. */
  isSuccess: z.boolean(),
  /** From 0.5 for a guess to 1. */
  confidence: share,
  /** In one sentence. */
  reason: z.string(),
});

const presorting = z.strictObject({
  presort: z.string(),
  /** Increases with every change. */
  change: count,
  /** 'opening': the servers of the agent are probed. 'stopped' by a user. */
  status: z.enum(['opening', 'asking', 'ended', 'stopped', 'failed']),
  /** Why it failed. */
  message: z.string().exactOptional(),
  agent: z.string(),
  /** The number of trajectories; 0 until the agent is open. */
  total: count,
  suggested: count,
  /** Of the suggestions, those that disagree with the verdict. */
  doubted: count,
  /** Replies without a judgement that can be read. */
  unreadable: count,
  /** Trajectories about which no reply came. */
  failed: count,
  /** The tokens of prompts and replies. */
  tokens: count,
  /** The latest failure. */
  problem: z.string().exactOptional(),
});

const waiting = z.strictObject({
  row: trajectoryRow,
  /** Of its task: the number of pool members, and the success rate of its rollouts (absent without rollouts). */
  members: count,
  rate: share.optional(),
  /** Why a decision on it teaches much, the strongest reason first. */
  reasons: z.array(z.enum(REVIEW_REASONS)),
  /** The newest one of a model agent. A page shows it after the person has voted, or on demand. */
  suggestion: suggestion.optional(),
});
const agreed = z.strictObject({
  /** The trajectories that both judged, and those on which they agree. */
  both: count,
  agreed: count,
  /** Cohen's kappa; absent if both always judged the same way. */
  kappa: z.number().max(1).optional(),
});
const agreement = agreed.extend({ who: z.tuple([z.string(), z.string()]) });
/** A suggestion agrees with a vote for the pool if it is a success. */
const modelAgreement = agreed.extend({ agent: z.string(), who: z.string() });
const queue = z.strictObject({ total: count, waiting: z.array(waiting) });

/** The marks as they are now, and the remark that restores the previous ones. */
const annotated = z.strictObject({ marked, undo: remark });

const member = z.strictObject({ row: trajectoryRow, accepted });
const members = z.strictObject({ total: count, members: z.array(member) });

const tried = z.strictObject({ successes: count, trials: count });

const taskRow = tried.extend({
  task: z.string(),
  /** A kind of desktops, or the folder of the task. */
  suite: z.string(),
  tier,
  /** Unseen tasks are never trained. */
  isUnseen: z.boolean(),
  apps: z.array(z.string()),
  /** The instruction of one instance. */
  example: z.string(),
  /** Failures of the infrastructure. They are not counted as trials. */
  broken: count,
  /** Success in equal intervals of time, latest last. Intervals without trials are omitted. */
  trend: z.array(tried.extend({ from: timestamp })),
  members: count,
});
const taskRows = z.strictObject({ tasks: z.array(taskRow) });

export const ANNOTATION_RESULTS = {
  'annotation.queue': queue,
  'annotation.agreement': z.strictObject({ pairs: z.array(agreement), models: z.array(modelAgreement) }),
  'presort.now': z.strictObject({
    /** The model agents of the workspace, by name. */
    agents: z.array(z.string()),
    /** The latest one, also after its end. */
    presort: presorting.exactOptional(),
  }),
  'presort.start': presorting,
  'presort.follow': presorting,
  'presort.cancel': presorting,
  annotate: annotated,
  'pool.list': members,
  'tasks.list': taskRows,
} as const;

export type ReviewOrder = (typeof REVIEW_ORDERS)[number];
export type ReviewReason = (typeof REVIEW_REASONS)[number];
export type AgreementResult = z.infer<(typeof ANNOTATION_RESULTS)['annotation.agreement']>;
export type ModelSuggestion = z.infer<typeof suggestion>;
export type PresortState = z.infer<typeof presorting>;
export type QueueEntry = z.infer<typeof waiting>;
export type AnnotationQueue = z.infer<typeof queue>;
export type AnnotateResult = z.infer<typeof annotated>;
export type PoolMember = z.infer<typeof member>;
export type PoolMembers = z.infer<typeof members>;
export type TaskRow = z.infer<typeof taskRow>;
export type TaskRows = z.infer<typeof taskRows>;

export const isPresortRunning = ({ status }: Pick<PresortState, 'status'>): boolean =>
  status === 'opening' || status === 'asking';
