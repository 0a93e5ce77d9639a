// Collecting successes for the success pool, before or beside training. The daemon runs one collection at a time; it continues when
// the client that started it disconnects.
//
//   collect.start    starts one
//   collect.follow   its state, once it differs from the state that the client has
//   collect.cancel   stops it; the trajectories collected so far stay
//   collect.now      the collection in progress, if any

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { count, name, requestSchema, task } from './schemas.ts';

/**
 * Defaults. The temperature is high enough that attempts at one instance differ, and low enough that a half-trained policy still
 * follows what it has learned.
 */
export const COLLECT_DEFAULTS = { instances: 8, rollouts: 16, temperature: 1.5 } as const;

const wanted = z.union([
  z.strictObject({ tiers: z.array(z.literal([1, 2, 3, 4])).min(1) }),
  z.strictObject({ tasks: z.array(task).min(1).max(1000) }),
]);

const by = z.discriminatedUnion('kind', [
  /** Scripted solutions: one attempt per instance. */
  z.strictObject({ kind: z.literal('script') }),
  z.strictObject({
    kind: z.literal('weights'),
    /** A file of weights or the name of a run. The default is the latest run. */
    from: z.string().min(1).exactOptional(),
    /** Attempts per instance. */
    rollouts: z.int().min(1).max(1000),
    temperature: z.number().positive().max(10),
  }),
]);

const ofCollection = z.strictObject({ collection: name });

export const COLLECT_REQUESTS = [
  requestSchema(
    'collect.start',
    z.strictObject({
      /** The same configuration as for a run: it names the tasks and the desktops. */
      config: z.record(z.string(), z.unknown()),
      /** The default is what the weights were trained on, else what a run in this folder would train. */
      wanted: wanted.exactOptional(),
      by,
      /** Instances per task, starting with the first. */
      instances: z.int().min(1).max(32),
      minutes: z.number().positive().exactOptional(),
      /** Whether successes are accepted into the success pool at once, in the name of `who`. */
      accepts: z.boolean(),
      who: name,
    }),
  ),
  /** The reply comes when `change` differs from `after`, or at once if the collection is over. */
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
  /** Attempts that the infrastructure failed; they are not in `tried`. */
  broken: count,
});

const collecting = z.strictObject({
  collection: z.string(),
  /** Increases with every change. */
  change: count,
  /** 'stopped' by a user or by its time limit. */
  status: z.enum(['playing', 'ended', 'stopped', 'failed']),
  /** Why it failed. */
  message: z.string().exactOptional(),
  /** A description of the player. */
  told: z.string(),
  instances: count,
  tasks: count,
  /** The number of attempts of the whole collection. */
  tries: count,
  accepts: z.boolean(),
  /** Only tasks with attempts, in the order of their first attempt. */
  rows: z.array(row),
  /** Why no attempt can start at present. Absent again after the next attempt. */
  trouble: z.string().optional(),
  /** Pool members per task: counted at the start, and again at the end. */
  members: z.record(z.string(), count),
});

export type WantedTasks = z.infer<typeof wanted>;
export type CollectPolicy = z.infer<typeof by>;
export type AttemptRow = z.infer<typeof row>;
export type CollectionState = z.infer<typeof collecting>;

export const COLLECT_RESULTS = {
  'collect.start': collecting,
  'collect.follow': collecting,
  'collect.cancel': collecting,
  'collect.now': z.strictObject({ collecting: collecting.exactOptional() }),
} as const;
