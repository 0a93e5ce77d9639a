// Executes requests: each becomes one call of Runs. Does not know which client asks, or over which transport.

import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import {
  type DesktopId,
  desktopId,
  type RunId,
  runId,
  type TrajectoryId,
  trajectoryId,
} from '../core/ids.ts';
import {
  DAEMON_RESULTS,
  type DaemonMethod,
  type DaemonRequest,
  type DaemonResults,
} from '../protocol/daemon/messages.ts';
import type { RunState } from '../protocol/daemon/state.ts';
import type { Lifetime } from './lifetime.ts';
import { RequestError } from './request-error.ts';
import type { Runs } from './runs.ts';

export interface RequestContext {
  readonly runs: Runs;
  /** Throws an error that names the setting. */
  readonly parseConfig: (value: unknown) => Config;
  readonly life: Lifetime;
  readonly clock: Clock;
  /** Rejects every request that changes something. */
  readonly readOnly: boolean;
}

/** All requests but those that concern the connection itself, or that are answered with bytes. */
export type ConnectionlessRequest = Exclude<
  DaemonRequest,
  { method: 'hello' | 'subscribe' | 'unsubscribe' | 'trajectory.frame' | 'desktops.look' }
>;

const DONE = {};

/** Methods that change nothing. */
const READ_METHODS: ReadonlySet<DaemonMethod> = new Set<DaemonMethod>([
  ...(['hello', 'subscribe', 'unsubscribe', 'trajectory.frame'] as const),
  ...(['runs.list', 'run.state', 'daemon.life', 'trajectories.list', 'trajectory.get'] as const),
  ...(['trajectory.elements', 'steps.uncertain', 'annotation.queue', 'pool.list', 'tasks.list'] as const),
  ...(['collect.now', 'desktops.look', 'desktops.kinds'] as const),
]);

/** The methods that are available to clients. */
export const methodsOf = ({ readOnly }: Pick<RequestContext, 'readOnly'>): readonly DaemonMethod[] =>
  Object.keys(DAEMON_RESULTS)
    .filter(isMethod)
    .filter(method => !readOnly || READ_METHODS.has(method));

const isMethod = (name: string): name is DaemonMethod => Object.hasOwn(DAEMON_RESULTS, name);

export async function executeRequest(
  { method, params }: ConnectionlessRequest,
  { runs, parseConfig, life, readOnly }: RequestContext,
): Promise<DaemonResults[DaemonMethod]> {
  if (readOnly && !READ_METHODS.has(method))
    throw new RequestError(
      'failed',
      `These runs are read-only, so '${method}' is rejected. Train a run in a folder of your own.`,
    );
  switch (method) {
    case 'runs.list':
      return runs.list();
    case 'run.start':
      return { run: await runs.start(parsed('params.config', () => parseConfig(params.config))) };
    case 'run.resume':
      await runs.resume(parseRunId(params.run), params.seconds);
      return DONE;
    case 'run.pause':
      await runs.pause(requireRun(runs, params.run).run);
      return DONE;
    case 'run.continue':
      await runs.continue(requireRun(runs, params.run).run);
      return DONE;
    case 'run.stop':
      await runs.stop(requireRun(runs, params.run).run);
      return DONE;
    case 'run.delete':
      await runs.delete(parseRunId(params.run), { withPool: params.withPool ?? false });
      return DONE;
    case 'run.state':
      return requireRun(runs, params.run).state;
    case 'trajectories.list':
      return runs.trajectories.list(params);
    case 'trajectory.get':
      return runs.trajectories.whole(parseTrajectoryId(params.trajectory));
    case 'trajectory.elements':
      return runs.trajectories.elements(parseTrajectoryId(params.trajectory), params.step);
    case 'steps.uncertain':
      return runs.trajectories.uncertain(params);
    case 'annotation.queue':
      return runs.trajectories.queue(params);
    case 'annotate':
      return runs.trajectories.annotate(parseTrajectoryId(params.trajectory), params.remark, params.who);
    case 'pool.list':
      return runs.trajectories.pool(params);
    case 'tasks.list':
      return runs.trajectories.tasks(params);
    case 'collect.start': {
      const config = parsed('params.config', () => parseConfig(params.config));
      return runs.collections.start({ ...params, config });
    }
    case 'collect.follow':
      return runs.collections.follow(params.collection, params.after);
    case 'collect.cancel':
      return runs.collections.cancel(params.collection);
    case 'collect.now': {
      const collecting = runs.collections.now;
      return collecting === undefined ? {} : { collecting };
    }
    case 'desktops.kinds':
      return { kinds: [...(await runs.desktops.kinds())] };
    case 'daemon.life':
      return life.now;
    case 'daemon.keepTraining':
      life.keepTraining(params.keep);
      return life.now;
  }
}

/** Accepts runs whose state is unknown, since their state file is damaged or of another version. */
const parseRunId = (name: string): RunId => parsed('params.run', () => runId(name));

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

export const parseDesktopId = (name: string): DesktopId => parsed('params.desktop', () => desktopId(name));

export const parseTrajectoryId = (name: string): TrajectoryId =>
  parsed('params.trajectory', () => trajectoryId(name));

function parsed<Value>(field: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw new RequestError('bad_request', messageOf(error), field);
  }
}
