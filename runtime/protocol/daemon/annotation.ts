// Saying something of trajectories, the success pool, and the tasks that it is all about.
//
//   annotation.queue   successes that nobody has accepted or rejected yet, what is needed most first
//   annotate           says something of one; the reply has what takes it back
//   pool.list          the members of the success pool
//   tasks.list         the tasks, with how they fare

// As a namespace: a page's bundle then leaves out what it does not use.
import * as z from 'zod';
import { accepted, marked, remark } from './remarks.ts';
import { count, moment, name, requestSchema, run, share, task, trajectory, window } from './schemas.ts';
import { PURPOSES, trajectoryRow } from './trajectories.ts';

const tier = z.int().min(1).max(4);
const tasks = z.array(task).max(1000).optional();
const narrowed = { tasks, tiers: z.array(tier).max(4).optional(), run: run.optional() };

export const ANNOTATION_REQUESTS = [
  /**
   * Of every instance without a member in the pool, one: the newest that was collected or shown, else the newest success of a
   * rollout. Tasks with the fewest members come first, and of these the hardest. With a run, only what that run brought about.
   */
  requestSchema('annotation.queue', window.extend(narrowed)),
  requestSchema('annotate', z.strictObject({ trajectory, remark, who: name })),
  /** The newest member first. */
  requestSchema('pool.list', window.extend({ tasks, tiers: narrowed.tiers })),
  /** Success of a run or of all, over rollouts of these purposes; 'train' where none are named. */
  requestSchema(
    'tasks.list',
    z.strictObject({ run: run.optional(), purposes: z.array(z.enum(PURPOSES)).optional() }),
  ),
] as const;

const waiting = z.strictObject({
  row: trajectoryRow,
  /** Of its task: members of the pool, and how its rollouts fare; no rate where there were none. */
  members: count,
  rate: share.optional(),
});
const queue = z.strictObject({ total: count, waiting: z.array(waiting) });

/** What holds now, and the remark that brings back what held before. */
const annotated = z.strictObject({ marked, undo: remark });

const member = z.strictObject({ row: trajectoryRow, accepted });
const members = z.strictObject({ total: count, members: z.array(member) });

const tried = z.strictObject({ successes: count, trials: count });

const taskRow = tried.extend({
  task: z.string(),
  /** 'pocket', or the folder that the task is from. */
  suite: z.string(),
  tier,
  /** Unseen ones are never trained. */
  isUnseen: z.boolean(),
  apps: z.array(z.string()),
  /** The instruction of one instance. */
  example: z.string(),
  /** Failures of the infrastructure: they are no trials. */
  broken: count,
  /** Success over equal parts of the time, the latest last; parts without trials are left out. */
  trend: z.array(tried.extend({ from: moment })),
  members: count,
});
const taskRows = z.strictObject({ tasks: z.array(taskRow) });

export const ANNOTATION_RESULTS = {
  'annotation.queue': queue,
  annotate: annotated,
  'pool.list': members,
  'tasks.list': taskRows,
} as const;

export type QueueEntry = z.infer<typeof waiting>;
export type AnnotationQueue = z.infer<typeof queue>;
export type AnnotateResult = z.infer<typeof annotated>;
export type PoolMember = z.infer<typeof member>;
export type PoolMembers = z.infer<typeof members>;
export type TaskRow = z.infer<typeof taskRow>;
export type TaskRows = z.infer<typeof taskRows>;
