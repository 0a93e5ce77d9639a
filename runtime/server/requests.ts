// Carries requests out: each becomes one call of Runs, and its result. Who asks, and how it travels, is not known here.

import type { Config } from '../config/config.ts';
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
import { Refusal } from './refusal.ts';
import type { Runs } from './runs.ts';

export interface Powers {
  readonly runs: Runs;
  /** Throws an error that names the key. */
  readonly parseConfig: (value: unknown) => Config;
  readonly life: Lifetime;
  /** Whether everything is only to be looked at. */
  readonly readOnly: boolean;
}

/** What concerns the connection itself, or comes with bytes, is not asked for here. */
export type Asked = Exclude<
  DaemonRequest,
  { method: 'hello' | 'subscribe' | 'unsubscribe' | 'trajectory.frame' | 'desktops.look' }
>;

const DONE = {};

/** What changes nothing. */
const LOOKS: ReadonlySet<DaemonMethod> = new Set<DaemonMethod>([
  ...(['hello', 'subscribe', 'unsubscribe', 'trajectory.frame'] as const),
  ...(['runs.list', 'run.state', 'daemon.life', 'trajectories.list', 'trajectory.get'] as const),
  ...(['trajectory.elements', 'steps.uncertain', 'annotation.queue', 'pool.list', 'tasks.list'] as const),
  ...(['collect.now', 'desktops.look', 'desktops.kinds'] as const),
]);

/** What it can be asked for. */
export const methodsOf = ({ readOnly }: Pick<Powers, 'readOnly'>): readonly DaemonMethod[] =>
  Object.keys(DAEMON_RESULTS)
    .filter(isMethod)
    .filter(method => !readOnly || LOOKS.has(method));

const isMethod = (name: string): name is DaemonMethod => Object.hasOwn(DAEMON_RESULTS, name);

export async function carryOut(
  { method, params }: Asked,
  { runs, parseConfig, life, readOnly }: Powers,
): Promise<DaemonResults[DaemonMethod]> {
  if (readOnly && !LOOKS.has(method))
    throw new Refusal(
      'failed',
      `These runs are only to be looked at, so '${method}' is not done: train one of your own in a folder of yours.`,
    );
  switch (method) {
    case 'runs.list':
      return runs.list();
    case 'run.start':
      return { run: await runs.start(parsed('params.config', () => parseConfig(params.config))) };
    case 'run.resume':
      await runs.resume(named(params.run), params.seconds);
      return DONE;
    case 'run.pause':
      await runs.pause(known(runs, params.run).run);
      return DONE;
    case 'run.continue':
      await runs.continue(known(runs, params.run).run);
      return DONE;
    case 'run.stop':
      await runs.stop(known(runs, params.run).run);
      return DONE;
    case 'run.delete':
      await runs.delete(named(params.run), { withPool: params.withPool ?? false });
      return DONE;
    case 'run.state':
      return known(runs, params.run).state;
    case 'trajectories.list':
      return runs.trajectories.list(params);
    case 'trajectory.get':
      return runs.trajectories.whole(trajectoryOf(params.trajectory));
    case 'trajectory.elements':
      return runs.trajectories.elements(trajectoryOf(params.trajectory), params.step);
    case 'steps.uncertain':
      return runs.trajectories.uncertain(params);
    case 'annotation.queue':
      return runs.trajectories.queue(params);
    case 'annotate':
      return runs.trajectories.annotate(trajectoryOf(params.trajectory), params.remark, params.who);
    case 'pool.list':
      return runs.trajectories.pool(params);
    case 'tasks.list':
      return runs.trajectories.tasks(params);
    case 'collect.start': {
      const { config, ...asked } = params;
      const parsedConfig = parsed('params.config', () => parseConfig(config));
      return runs.collections.start({ ...asked, config: parsedConfig });
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

/** It may be there although nobody knows its state: that was lost, or is of another version. */
const named = (name: string): RunId => parsed('params.run', () => runId(name));

export function known(runs: Runs, name: string): { readonly run: RunId; readonly state: RunState } {
  const run = named(name);
  const state = runs.state(run);
  if (state !== undefined) return { run, state };
  throw new Refusal(
    'not_found',
    `There is no run '${name}': 'runs.list' tells which there are.`,
    'params.run',
  );
}

export const desktopOf = (name: string): DesktopId => parsed('params.desktop', () => desktopId(name));

export const trajectoryOf = (name: string): TrajectoryId =>
  parsed('params.trajectory', () => trajectoryId(name));

function parsed<Value>(field: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw new Refusal('bad_request', error instanceof Error ? error.message : String(error), field);
  }
}
