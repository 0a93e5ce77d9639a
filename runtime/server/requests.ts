// Executes requests: each becomes one call of Runs. Does not know which client asks, or over which transport.

import { evaluatedTasks } from '../collect/evaluated-tasks.ts';
import type { Config } from '../config/config.ts';
import type { RunId } from '../core/ids.ts';
import {
  DAEMON_RESULTS,
  type DaemonMethod,
  type DaemonParams,
  type DaemonResults,
} from '../protocol/daemon/messages.ts';
import type { RunState } from '../protocol/daemon/state.ts';
import type { Lifetime } from './lifetime.ts';
import { parsed, parseRunId, parseTrajectoryId } from './parse-ids.ts';
import type { RecordMethod } from './record-requests.ts';
import { RequestError } from './request-error.ts';
import type { Runs } from './runs.ts';

export interface RequestContext {
  readonly runs: Runs;
  /** Throws an error that names the setting. */
  readonly parseConfig: (value: unknown) => Config;
  readonly life: Lifetime;
  /** Rejects every request that changes something. */
  readonly readOnly: boolean;
}

/** All but those that concern the connection or its client, or that are answered with bytes. */
type RunMethod = Exclude<
  DaemonMethod,
  'hello' | 'subscribe' | 'unsubscribe' | 'trajectory.frame' | 'desktops.look' | RecordMethod
>;

type RequestHandlers = {
  readonly [M in RunMethod]: (
    params: DaemonParams<M>,
    context: RequestContext,
  ) => DaemonResults[M] | Promise<DaemonResults[M]>;
};

/** Methods that change nothing. */
const READ_METHODS: ReadonlySet<DaemonMethod> = new Set<DaemonMethod>([
  ...(['hello', 'subscribe', 'unsubscribe', 'trajectory.frame'] as const),
  'run.compare',
  ...(['runs.list', 'run.state', 'daemon.life', 'trajectories.list', 'trajectory.get'] as const),
  ...(['trajectory.elements', 'steps.uncertain', 'annotation.queue', 'pool.list', 'tasks.list'] as const),
  ...(['annotation.agreement', 'presort.now'] as const),
  ...(['agents.list', 'agents.compare', 'fleet.runs', 'desktops.look', 'desktops.kinds'] as const),
  ...(['collect.now', 'collect.results', 'collect.tasks'] as const),
]);

/** The methods that are available to clients. */
export const methodsOf = ({
  readOnly,
  life,
}: {
  readonly readOnly: boolean;
  readonly life: Pick<Lifetime, 'isFixed'>;
}): readonly DaemonMethod[] =>
  Object.keys(DAEMON_RESULTS)
    .filter(isMethod)
    .filter(method => !readOnly || READ_METHODS.has(method))
    .filter(method => method !== 'daemon.keepTraining' || !life.isFixed);

const isMethod = (name: string): name is DaemonMethod => Object.hasOwn(DAEMON_RESULTS, name);

const HANDLERS: RequestHandlers = {
  'runs.list': async (_, { runs }) => [...(await runs.list())],
  'run.start': async ({ config, from }, context) => ({
    run: await context.runs.start(configOf(config, context), from === undefined ? {} : { from }),
  }),
  'run.resume': ({ run, seconds }, { runs }) => done(runs.resume(parseRunId(run), seconds)),
  'run.pause': ({ run }, { runs }) => done(runs.pause(requireRun(runs, run).run)),
  'run.continue': ({ run }, { runs }) => done(runs.continue(requireRun(runs, run).run)),
  'run.stop': ({ run }, { runs }) => done(runs.stop(requireRun(runs, run).run)),
  'run.delete': ({ run, withPool = false }, { runs }) => done(runs.delete(parseRunId(run), { withPool })),
  'run.state': ({ run }, { runs }) => requireRun(runs, run).state,
  'run.compare': async ({ runs: names }, { runs }) => ({
    html: await runs.compare(names.map(parseRunId)),
  }),
  'trajectories.list': (params, { runs }) => runs.trajectories.list(params),
  'trajectory.get': ({ trajectory }, { runs }) => runs.trajectories.whole(parseTrajectoryId(trajectory)),
  'trajectory.elements': ({ trajectory, step }, { runs }) =>
    runs.trajectories.elements(parseTrajectoryId(trajectory), step),
  'trajectories.import': (params, { runs }) => runs.exchange.import(params),
  'trajectories.export': (params, { runs }) => runs.exchange.export(params),
  'steps.uncertain': (params, { runs }) => runs.trajectories.uncertain(params),
  'agents.list': (_, { runs }) => runs.trajectories.agents(),
  'agents.compare': (params, { runs }) => runs.trajectories.compareAgents(params),
  'fleet.runs': (_, { runs }) => runs.trajectories.fleet(),
  'annotation.queue': (params, { runs }) => runs.trajectories.queue(params),
  'annotation.agreement': (params, { runs }) => runs.trajectories.agreement(params),
  'presort.now': (_, { runs }) => runs.presorts.now(),
  'presort.start': (params, { runs }) => runs.presorts.start(params),
  'presort.follow': ({ presort, after }, { runs }) => runs.presorts.follow(presort, after),
  'presort.cancel': ({ presort }, { runs }) => runs.presorts.cancel(presort),
  annotate: ({ trajectory, remark, who }, { runs }) =>
    runs.trajectories.annotate(parseTrajectoryId(trajectory), remark, who),
  'pool.list': (params, { runs }) => runs.trajectories.pool(params),
  'tasks.list': (params, { runs }) => runs.trajectories.tasks(params),
  'collect.start': (params, context) =>
    context.runs.collections.start({ ...params, config: configOf(params.config, context) }),
  'collect.follow': ({ collection, after }, { runs }) => runs.collections.follow(collection, after),
  'collect.results': ({ collection, from }, { runs }) => runs.collections.results(collection, from),
  'collect.cancel': ({ collection }, { runs }) => runs.collections.cancel(collection),
  'collect.now': (_, { runs }) => {
    const collecting = runs.collections.now;
    return collecting === undefined ? {} : { collecting };
  },
  'collect.tasks': ({ config }, context) => evaluatedTasks(configOf(config, context)),
  'host.drain': ({ run, host }, { runs }) => done(runs.hosts.drain(requireRun(runs, run).run, host)),
  'host.address': ({ run }, { runs }) => runs.hosts.address(requireRun(runs, run).run),
  'host.newAddress': ({ run }, { runs }) => runs.hosts.renewAddress(requireRun(runs, run).run),
  'desktops.kinds': async (_, { runs }) => ({ kinds: [...(await runs.desktops.kinds())] }),
  'daemon.life': (_, { life }) => life.now,
  'daemon.keepTraining': ({ keep }, { life }) => {
    // Editors ask for it with their own setting.
    if (!life.isFixed) life.keepTraining(keep);
    return life.now;
  },
};

export async function executeRequest<M extends RunMethod>(
  { method, params }: { readonly method: M; readonly params: DaemonParams<M> },
  context: RequestContext,
): Promise<DaemonResults[M]> {
  requireAllowed(method, context);
  return HANDLERS[method](params, context);
}

/** Throws for a request that changes something, if the daemon is read-only. */
export function requireAllowed(method: DaemonMethod, { readOnly }: Pick<RequestContext, 'readOnly'>): void {
  if (readOnly && !READ_METHODS.has(method))
    throw new RequestError(
      'failed',
      `These runs are read-only, so '${method}' is rejected. Train a run in a folder of your own.`,
    );
}

const done = (work: Promise<void>): Promise<Record<string, never>> => work.then(() => ({}));

const configOf = (config: unknown, { parseConfig }: RequestContext): Config =>
  parsed('params.config', () => parseConfig(config));

export function requireRun(runs: Runs, name: string): { readonly run: RunId; readonly state: RunState } {
  const run = parseRunId(name);
  const state = runs.state(run);
  if (state !== undefined) return { run, state };
  throw new RequestError(
    'not_found',
    `Run '${name}' does not exist. 'runs.list' returns all runs.`,
    'params.run',
  );
}
