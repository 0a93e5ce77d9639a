// The constant part of a run's state.

import type { Config } from '../config/config.ts';
import type { TaskId } from '../core/ids.ts';
import type { Suite } from '../environments/suite.ts';
import type { RunDescription } from './run-state.ts';

interface RunParts {
  readonly run: string;
  readonly config: Config;
  readonly suite: Suite;
  readonly tasks: readonly TaskId[];
}

export function describeRun(
  { run, config, suite, tasks }: RunParts,
  startedAt: number,
  { curve, played }: Pick<RunDescription, 'curve' | 'played'>,
): RunDescription {
  const { kind } = config.environments;
  const tiers = [...new Set(tasks.map(task => suite.template(task).tier))].sort();
  return {
    run,
    startedAt,
    of: 60 * config.minutes,
    about: {
      ...{ preset: config.preset, mode: config.mode, seed: config.seed, tiers, tasks: tasks.length },
      ...(kind === 'docker' && { desktops: kind }),
    },
    tasks: tasks.map(task => ({ task, tier: suite.template(task).tier })),
    curve,
    played,
    desktops: config.environments.desktops,
  };
}
