// Collecting successes ahead of training, beside whatever trains. One collection at a time; it belongs to the daemon, not to who began it.
//
//   collect.start    begins one
//   collect.follow   its state, as soon as it is another than the one that is known
//   collect.cancel   ends it; what was kept so far stays
//   collect.now      the one under way, if there is one

// As a namespace: a page's bundle then leaves out what it does not use.
import * as z from 'zod';
import { count, name, requestSchema, task } from './schemas.ts';

/** What is meant where nobody says: bold enough that tries of one instance differ, and who knows a part of the way still keeps to it. */
export const COLLECT_DEFAULTS = { instances: 8, rollouts: 16, temperature: 1.5 } as const;

const wanted = z.union([
  z.strictObject({ tiers: z.array(z.literal([1, 2, 3, 4])).min(1) }),
  z.strictObject({ tasks: z.array(task).min(1).max(1000) }),
]);

const by = z.discriminatedUnion('kind', [
  /** Scripted solutions: one try of each instance. */
  z.strictObject({ kind: z.literal('script') }),
  z.strictObject({
    kind: z.literal('weights'),
    /** A file of weights or the name of a run; absent for the latest run's. */
    from: z.string().min(1).exactOptional(),
    /** Tries of each instance. */
    rollouts: z.int().min(1).max(1000),
    temperature: z.number().positive().max(10),
  }),
]);

const ofCollection = z.strictObject({ collection: name });

export const COLLECT_REQUESTS = [
  requestSchema(
    'collect.start',
    z.strictObject({
      /** As for a run: which tasks there are, and what desktops. */
      config: z.record(z.string(), z.unknown()),
      /** Absent for what the weights were trained on, or for what a run here would train. */
      wanted: wanted.exactOptional(),
      by,
      /** Of each task, from its first on. */
      instances: z.int().min(1).max(32),
      minutes: z.number().positive().exactOptional(),
      /** Whether what succeeds goes into the success pool at once, in the name of who asks. */
      accepts: z.boolean(),
      who: name,
    }),
  ),
  /** Answered when its `change` is no longer `after`; at once where it is over. */
  requestSchema('collect.follow', ofCollection.extend({ after: count })),
  requestSchema('collect.cancel', ofCollection),
  requestSchema('collect.now', z.strictObject({})),
] as const;

const row = z.strictObject({
  task: z.string(),
  tried: count,
  succeeded: count,
  /** On disk now. */
  kept: count,
  /** The infrastructure failed: these were not tried. */
  broken: count,
});

const collecting = z.strictObject({
  collection: z.string(),
  /** Grows with every change. */
  change: count,
  /** Stopped: by somebody, or by its time. */
  status: z.enum(['playing', 'ended', 'stopped', 'failed']),
  /** Why it failed. */
  message: z.string().exactOptional(),
  /** Who plays, in words. */
  told: z.string(),
  instances: count,
  tasks: count,
  /** In all. */
  tries: count,
  accepts: z.boolean(),
  /** Only of tasks that were tried, in the order in which they first were. */
  rows: z.array(row),
  /** What keeps the next try from coming; gone once one has come. */
  trouble: z.string().optional(),
  /** How many of each of these tasks are in the success pool: as it was at first, and once it is over as it is then. */
  members: z.record(z.string(), count),
});

export type CollectionState = z.infer<typeof collecting>;

export const COLLECT_RESULTS = {
  'collect.start': collecting,
  'collect.follow': collecting,
  'collect.cancel': collecting,
  'collect.now': z.strictObject({ collecting: collecting.exactOptional() }),
} as const;
