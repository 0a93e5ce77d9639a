// What a client (a page, an editor, a terminal) and the daemon say to each other: requests with ids, exactly one reply to each, and
// states that were subscribed to. Bytes travel apart, as binary frames (frame.ts). No behaviour.

// As a namespace: a page's bundle then leaves out what it does not use.
import * as z from 'zod';
import { ANNOTATION_REQUESTS, ANNOTATION_RESULTS } from './annotation.ts';
import { COLLECT_REQUESTS, COLLECT_RESULTS } from './collection.ts';
import { DESKTOPS_REQUESTS, DESKTOPS_RESULTS } from './desktops.ts';
import { type EmptyResult, id, name, nothing, requestSchema, run } from './schemas.ts';
import { MAX_RUN_MINUTES, type RunState, type RunSummary, runState, runSummary } from './state.ts';
import { TRAJECTORY_REQUESTS, TRAJECTORY_RESULTS } from './trajectories.ts';

/** Grows with every change that an older client would not understand. */
export const DAEMON_VERSION = 2;
/** Where the daemon listens for its clients. */
export const DAEMON_PATH = '/daemon';

// Requests

const ofRun = z.strictObject({ run });

/** All runs, or one. */
const what = z.union([z.literal('runs'), ofRun]);
const subscription = z.strictObject({ what });

export const request = z.discriminatedUnion('method', [
  /** The first of a connection. */
  requestSchema('hello', z.strictObject({ version: z.int(), token: z.string(), client: name })),
  requestSchema('runs.list', nothing),
  /** The configuration is described by its own schema. */
  requestSchema('run.start', z.strictObject({ config: z.record(z.string(), z.unknown()) })),
  /** For so many seconds in all; without them, for as long as it was meant to. */
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
  /** With `withPool` also where some of its trajectories are in the success pool. */
  requestSchema('run.delete', ofRun.extend({ withPool: z.boolean().optional() })),
  requestSchema('run.state', ofRun),
  /** Of one run, the state as it is comes right after the reply; of all runs, that of each when it changes next. */
  requestSchema('subscribe', subscription),
  requestSchema('unsubscribe', subscription),
  requestSchema('daemon.life', nothing),
  /** Whether it goes on training when its last client has left. */
  requestSchema('daemon.keepTraining', z.strictObject({ keep: z.boolean() })),
  ...TRAJECTORY_REQUESTS,
  ...ANNOTATION_REQUESTS,
  ...COLLECT_REQUESTS,
  ...DESKTOPS_REQUESTS,
]);

/**
 * A hello of whatever version, so that who speaks another one is told just that. Only this much of a hello may never change.
 */
export const anyHello = z.looseObject({
  id,
  method: z.literal('hello'),
  params: z.looseObject({ version: z.int() }),
});

export type DaemonRequest = z.infer<typeof request>;
export type DaemonMethod = DaemonRequest['method'];
export type DaemonParams<M extends DaemonMethod> = Extract<DaemonRequest, { method: M }>['params'];
export type SubscriptionTarget = z.infer<typeof what>;

// Results

const life = z.strictObject({
  /** Somebody is connected; nobody is, and it trains; nobody is, and it is about to go. */
  doing: z.enum(['serving', 'training', 'leaving']),
  clients: z.int().min(0),
  /** Runs that train just now. */
  trainings: z.array(z.string()),
  keepTraining: z.boolean(),
  /** When it goes unless somebody comes; there where it is leaving. */
  leavesAt: z.number().optional(),
  /** The same in a sentence, with what it waits for. */
  says: z.string(),
});

export type DaemonLife = z.infer<typeof life>;

const welcome = z.strictObject({ version: z.int(), methods: z.array(z.string()) });

/** What can be asked of trajectories, of what is said of them, of collecting more, and of desktops. */
type LookResults = typeof TRAJECTORY_RESULTS &
  typeof ANNOTATION_RESULTS &
  typeof COLLECT_RESULTS &
  typeof DESKTOPS_RESULTS;

export interface DaemonResults extends Readonly<{ [M in keyof LookResults]: z.infer<LookResults[M]> }> {
  /** The version that is spoken from now on, and what can be asked for. */
  readonly hello: z.infer<typeof welcome>;
  readonly 'runs.list': readonly RunSummary[];
  readonly 'run.start': { readonly run: string };
  readonly 'run.resume': EmptyResult;
  readonly 'run.pause': EmptyResult;
  readonly 'run.continue': EmptyResult;
  readonly 'run.stop': EmptyResult;
  readonly 'run.delete': EmptyResult;
  readonly 'run.state': RunState;
  readonly subscribe: EmptyResult;
  readonly unsubscribe: EmptyResult;
  readonly 'daemon.life': DaemonLife;
  readonly 'daemon.keepTraining': DaemonLife;
}

export const DAEMON_RESULTS: { readonly [M in DaemonMethod]: z.ZodType<DaemonResults[M]> } = {
  hello: welcome,
  'runs.list': z.array(runSummary),
  'run.start': ofRun,
  'run.resume': nothing,
  'run.pause': nothing,
  'run.continue': nothing,
  'run.stop': nothing,
  'run.delete': nothing,
  'run.state': runState,
  subscribe: nothing,
  unsubscribe: nothing,
  'daemon.life': life,
  'daemon.keepTraining': life,
  ...TRAJECTORY_RESULTS,
  ...ANNOTATION_RESULTS,
  ...COLLECT_RESULTS,
  ...DESKTOPS_RESULTS,
};

// Replies and notifications

const ERROR_CODES = [
  /** The request itself is wrong, in the field that is named. */
  'bad_request',
  'unauthorized',
  'version',
  'not_found',
  /** Too much was asked for at once, or too little of the answers was read. */
  'busy',
  /** A later request took its place: nothing is wrong. */
  'superseded',
  /** It was tried, or could not be as things stand; the message says which and what to do. */
  'failed',
] as const;
export type DaemonErrorCode = (typeof ERROR_CODES)[number];

const failure = z.strictObject({
  code: z.enum(ERROR_CODES),
  /** Which field of the request is wrong, where it is one. */
  field: z.string().optional(),
  /** What happened, to which thing, and what to do about it. */
  message: z.string(),
});

export type DaemonFailure = z.infer<typeof failure>;

export const message = z.union([
  z.strictObject({ id, result: z.unknown() }),
  /** Null where the request had no id that could be read. */
  z.strictObject({ id: id.nullable(), error: failure }),
  z.strictObject({ method: z.literal('state'), params: runState }),
]);

export type DaemonMessage = z.infer<typeof message>;
