// Carries requests out: each becomes one call of Runs, and its result. Who asks, and how it travels, is not known here.

import { type RunId, runId, type TrajectoryId, trajectoryId } from '../../contracts/ids.ts';
import type { Method, Request, Results } from '../../protocol/daemon/messages.ts';
import type { RunState } from '../../protocol/daemon/state.ts';
import type { Config } from '../config/config.ts';
import type { Runs } from '../runs.ts';
import type { Lifetime } from './life.ts';
import { Refusal } from './refusal.ts';

export interface Powers {
  readonly runs: Runs;
  /** Throws an error that names the key. */
  readonly parseConfig: (value: unknown) => Config;
  readonly life: Lifetime;
}

/** What concerns the connection itself is not asked for here. */
export type Asked = Exclude<Request, { method: 'hello' | 'subscribe' | 'unsubscribe' }>;

const DONE = {};

export async function carryOut(
  { method, params }: Asked,
  { runs, parseConfig, life }: Powers,
): Promise<Results[Method]> {
  switch (method) {
    case 'runs.list':
      return runs.list();
    case 'run.start':
      return { run: await runs.start(parsed('params.config', () => parseConfig(params.config))) };
    case 'run.resume':
      await runs.resume(known(runs, params.run).run, params.seconds);
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
      await runs.delete(known(runs, params.run).run);
      return DONE;
    case 'run.state':
      return known(runs, params.run).state;
    case 'verdict': {
      const { run } = known(runs, params.run);
      await runs.judge(run, trajectoryOf(params.trajectory), params.success, params.who);
      return DONE;
    }
    case 'daemon.life':
      return life.now;
    case 'daemon.keepTraining':
      life.keepTraining(params.keep);
      return life.now;
  }
}

export function known(runs: Runs, name: string): { readonly run: RunId; readonly state: RunState } {
  const run = parsed('params.run', () => runId(name));
  const state = runs.state(run);
  if (state !== undefined) return { run, state };
  throw new Refusal(
    'not_found',
    `There is no run '${name}': 'runs.list' tells which there are.`,
    'params.run',
  );
}

const trajectoryOf = (name: string): TrajectoryId => parsed('params.trajectory', () => trajectoryId(name));

function parsed<Value>(field: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw new Refusal('bad_request', error instanceof Error ? error.message : String(error), field);
  }
}
