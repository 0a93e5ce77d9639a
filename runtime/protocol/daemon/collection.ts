// Collecting successes for the success pool, and evaluating agents: an evaluation is a collection that stores every episode and leaves
// the pool alone. The daemon runs one collection at a time. It continues without the client that started it, until the daemon
// exits: a daemon that has no client and keeps no training exits after 30 s, and cancels it.
//
//   collect.start    starts one
//   collect.follow   its state, once it differs from the state that the client has
//   collect.results  its finished episodes, one by one
//   collect.cancel   stops it; the trajectories collected so far stay
//   collect.now      the collection in progress, if any
//   collect.tasks    the tasks that an evaluation with a configuration can play

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { DESKTOP_KINDS } from '../desktop-kinds.ts';
import { episodeResult, failureCounts, MAX_RESULTS } from './episode-result.ts';
import { count, name, requestSchema, task } from './schemas.ts';
import { MAX_RUN_MINUTES } from './state.ts';

/**
 * Defaults. The temperature is high enough that attempts at one instance differ, and low enough that a half-trained policy still
 * follows what it has learned.
 */
export const COLLECT_DEFAULTS = { instances: 8, rollouts: 16, temperature: 1.5 } as const;

/** The default number of instances of a task. OSWorld's tasks and stored trajectories have one each. */
export const defaultInstances = (kind: unknown, others: number): number =>
  kind === 'guest' || kind === 'offline' ? 1 : others;

/** Of model agents: requests cost time and money, and their temperature is a setting of the agent, which this multiplies. */
export const AGENT_DEFAULTS = { rollouts: 4, temperature: 1 } as const;

/** The same configuration as for a run: it names the tasks and the desktops. */
const config = z.record(z.string(), z.unknown());

/** Test: new instances of trained tasks. Train: training instances. Unseen: other kinds of tasks. */
const split = z.enum(['test', 'train', 'unseen']);
const MAX_INSTANCES = 10_000;

const wanted = z.union([
  z.strictObject({ tiers: z.array(z.literal([1, 2, 3, 4])).min(1) }),
  z.strictObject({ tasks: z.array(task).min(1).max(1000) }),
]);

const by = z.discriminatedUnion('kind', [
  /** Scripted solutions: one attempt per instance. */
  z.strictObject({ kind: z.literal('script') }),
  z.strictObject({
    kind: z.literal('weights'),
    /** A file of weights or the name of a run. The default is that of `findWeights`. */
    from: z.string().min(1).exactOptional(),
    /** Attempts per instance. */
    rollouts: z.int().min(1).max(1000),
    temperature: z.number().positive().max(10),
  }),
  /** An agent by its name, on desktops in the process of the collection. */
  z.strictObject({
    kind: z.literal('agent'),
    /** 'compact', or an entry of `agents` in the configuration. */
    agent: name,
    /** The weights of 'compact': a file, or the name of a run. The default is that of `findWeights`. */
    from: z.string().min(1).exactOptional(),
    /** Attempts per instance. */
    rollouts: z.int().min(1).max(1000),
    /** Multiplies the temperature of the agent. 0 takes the likeliest choice. */
    temperature: z.number().min(0).max(10),
    /** Episodes at a time. The default is 16, or fewer if the agent or its desktops support fewer. */
    parallel: z.int().min(1).max(1000).exactOptional(),
    /** Of the random numbers. Equal seeds give equal requests. */
    seed: name.exactOptional(),
  }),
]);

const ofCollection = z.strictObject({ collection: name });

export const COLLECT_REQUESTS = [
  requestSchema(
    'collect.start',
    z.strictObject({
      config,
      /** The default is what the weights were trained on, else what a run in this folder would train. */
      wanted: wanted.exactOptional(),
      by,
      /**
       * Makes it an evaluation on this part of the suite: every episode is stored with the purpose `evaluate`, and none enters the pool.
       * Only agents are evaluated, and `accepts` must be false. The default of `wanted` is then all tasks of this part.
       */
      evaluates: split.exactOptional(),
      /** Instances per task, starting with the first. The default depends on the desktops that play. */
      instances: z.int().min(1).max(MAX_INSTANCES).exactOptional(),
      minutes: z.number().positive().max(MAX_RUN_MINUTES).exactOptional(),
      /** Whether successes are accepted into the success pool at once, in the name of `who`. */
      accepts: z.boolean(),
      who: name,
    }),
  ),
  /** The reply comes when `change` differs from `after`, or after a few seconds, or at once if the collection is over. */
  requestSchema('collect.follow', ofCollection.extend({ after: count })),
  /** Episodes in the order in which they finished, from the one with this number on. */
  requestSchema('collect.results', ofCollection.extend({ from: count })),
  requestSchema('collect.cancel', ofCollection),
  requestSchema('collect.now', z.strictObject({})),
  requestSchema('collect.tasks', z.strictObject({ config })),
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
  /** Present for an evaluation. */
  evaluates: split.exactOptional(),
  /** The name of the agent, if an agent plays. */
  agent: z.string().exactOptional(),
  /** Only tasks with attempts, in the order of their first attempt. */
  rows: z.array(row),
  /** Why no attempt can start at present. Absent again after the next attempt. */
  problem: z.string().optional(),
  /** Pool members per task: counted at the start, and again at the end. */
  members: z.record(z.string(), count),
});

const evaluatedTask = z.strictObject({
  task: z.string(),
  tier: z.int().min(1).max(4),
  /** The part of the suite on which it is evaluated. */
  split: z.enum(['test', 'unseen']),
  /** The task file of the user; absent for built-in tasks. */
  file: z.string().exactOptional(),
});

const evaluatedTasks = z.strictObject({
  kind: z.enum(DESKTOP_KINDS),
  /** The folder with task files of the user. */
  files: z.string().exactOptional(),
  tasks: z.array(evaluatedTask),
});

export type WantedTasks = z.infer<typeof wanted>;
export type CollectPolicy = z.infer<typeof by>;
export type AttemptRow = z.infer<typeof row>;
export type CollectionState = z.infer<typeof collecting>;
export type EvaluatedSplit = z.infer<typeof split>;
export type EvaluatedTasks = z.infer<typeof evaluatedTasks>;

export const COLLECT_RESULTS = {
  'collect.start': collecting,
  'collect.follow': collecting,
  'collect.results': z.strictObject({
    episodes: z.array(episodeResult).max(MAX_RESULTS),
    /** Requests of the agent that failed, by cause, up to now. A request that is sent again counts each time. */
    failedRequests: failureCounts,
    /** By all requests of the agent up to now, also of attempts that broke and were repeated; absent without servers. */
    spent: z
      .strictObject({ promptTokens: count, completionTokens: count, money: z.number().min(0) })
      .exactOptional(),
  }),
  'collect.cancel': collecting,
  'collect.now': z.strictObject({ collecting: collecting.exactOptional() }),
  'collect.tasks': evaluatedTasks,
} as const;
