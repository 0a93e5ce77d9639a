// The messages between a client (page, editor, terminal) and the daemon: requests with ids, exactly one reply to each, and states of
// subscribed runs. Bytes travel as binary frames (frame.ts). Types and schemas only.

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import { AGENT_REQUESTS, AGENT_RESULTS } from './agents.ts';
import { ANNOTATION_REQUESTS, ANNOTATION_RESULTS } from './annotation.ts';
import { COLLECT_REQUESTS, COLLECT_RESULTS } from './collection.ts';
import { DESKTOPS_REQUESTS, DESKTOPS_RESULTS } from './desktops.ts';
import { EXCHANGE_REQUESTS, EXCHANGE_RESULTS } from './exchange.ts';
import { FLEET_REQUESTS, FLEET_RESULTS } from './fleet.ts';
import { HOST_REQUESTS, HOST_RESULTS } from './hosts.ts';
import { RECORD_REQUESTS, RECORD_RESULTS } from './record.ts';
import { empty, hello, REPLIES, requestSchema, run } from './schemas.ts';
import { MAX_RUN_MINUTES, runState, runSummary } from './state.ts';
import { TRAJECTORY_REQUESTS, TRAJECTORY_RESULTS } from './trajectories.ts';

/** Increases with every change that an older client cannot read. */
export const DAEMON_VERSION = 4;
/** The URL path of the WebSocket. */
export const DAEMON_PATH = '/daemon';

// Requests

const ofRun = z.strictObject({ run });

/** More curves in one chart cannot be distinguished. */
export const MAX_COMPARED_RUNS = 16;

/** All runs, or one. */
const what = z.union([z.literal('runs'), ofRun]);
const subscription = z.strictObject({ what });

export const request = z.discriminatedUnion('method', [
  /** The first request of a connection. */
  hello,
  requestSchema('runs.list', empty),
  /** The configuration has its own schema (runtime/config). `from` is a run whose weights replace random ones, or 'base'. */
  requestSchema(
    'run.start',
    z.strictObject({ config: z.record(z.string(), z.unknown()), from: run.optional() }),
  ),
  /** `seconds` is the new total length; the default is the run's configured length. */
  requestSchema(
    'run.resume',
    ofRun.extend({
      seconds: z
        .number()
        .positive()
        .max(60 * MAX_RUN_MINUTES)
        .optional(),
    }),
  ),
  requestSchema('run.pause', ofRun),
  requestSchema('run.continue', ofRun),
  requestSchema('run.stop', ofRun),
  /** Fails with 'in_pool' if trajectories of the run are in the success pool, unless `withPool`. */
  requestSchema('run.delete', ofRun.extend({ withPool: z.boolean().optional() })),
  requestSchema('run.state', ofRun),
  /** The report that compares these runs; reading them takes seconds. */
  requestSchema('run.compare', z.strictObject({ runs: z.array(run).min(1).max(MAX_COMPARED_RUNS) })),
  /** For one run, its current state follows the reply. For all runs, each run's state follows at its next change. */
  requestSchema('subscribe', subscription),
  requestSchema('unsubscribe', subscription),
  requestSchema('daemon.life', empty),
  /** Whether the daemon keeps training after its last client disconnects. */
  requestSchema('daemon.keepTraining', z.strictObject({ keep: z.boolean() })),
  ...TRAJECTORY_REQUESTS,
  ...AGENT_REQUESTS,
  ...ANNOTATION_REQUESTS,
  ...COLLECT_REQUESTS,
  ...DESKTOPS_REQUESTS,
  ...EXCHANGE_REQUESTS,
  ...FLEET_REQUESTS,
  ...HOST_REQUESTS,
  ...RECORD_REQUESTS,
]);

export type DaemonRequest = z.infer<typeof request>;
export type DaemonMethod = DaemonRequest['method'];
export type DaemonParams<M extends DaemonMethod> = Extract<DaemonRequest, { method: M }>['params'];
export type SubscriptionTarget = z.infer<typeof what>;

// Results

const life = z.strictObject({
  /** 'serving': clients are connected. 'training': none, but runs train. 'leaving': none, and the daemon exits soon. */
  doing: z.enum(['serving', 'training', 'leaving']),
  clients: z.int().min(0),
  /** The runs that train. */
  trainings: z.array(z.string()),
  keepTraining: z.boolean(),
  /** The same as a sentence. */
  says: z.string(),
});

export type DaemonLife = z.infer<typeof life>;

const RESULTS = {
  /** The version of the protocol, and the methods that this daemon answers. */
  hello: z.strictObject({ version: z.int(), methods: z.array(z.string()) }),
  'runs.list': z.array(runSummary),
  'run.start': ofRun,
  'run.resume': empty,
  'run.pause': empty,
  'run.continue': empty,
  'run.stop': empty,
  'run.delete': empty,
  'run.state': runState,
  /** One HTML file without scripts and without other files. */
  'run.compare': z.strictObject({ html: z.string() }),
  subscribe: empty,
  unsubscribe: empty,
  'daemon.life': life,
  'daemon.keepTraining': life,
  ...TRAJECTORY_RESULTS,
  ...AGENT_RESULTS,
  ...ANNOTATION_RESULTS,
  ...COLLECT_RESULTS,
  ...DESKTOPS_RESULTS,
  ...EXCHANGE_RESULTS,
  ...FLEET_RESULTS,
  ...HOST_RESULTS,
  ...RECORD_RESULTS,
};

export type DaemonResults = { readonly [M in DaemonMethod]: z.infer<(typeof RESULTS)[M]> };
export const DAEMON_RESULTS: { readonly [M in DaemonMethod]: z.ZodType<DaemonResults[M]> } = RESULTS;

// Replies and notifications

export const message = z.union([
  ...REPLIES,
  z.strictObject({ method: z.literal('state'), params: runState }),
]);

export type DaemonMessage = z.infer<typeof message>;
