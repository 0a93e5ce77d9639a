// What never changes of a run, as its picture shows it.

import type { TaskId } from '../../contracts/ids.ts';
import type { Suite } from '../../environments/pocket/tasks/suite.ts';
import type { CurvePoint } from '../../protocol/daemon/state.ts';
import type { Config } from '../config/config.ts';
import type { About } from './gauge.ts';

interface Described {
  readonly run: string;
  readonly config: Config;
  readonly suite: Suite;
  readonly tasks: readonly TaskId[];
}

export function aboutOf(
  { run, config, suite, tasks }: Described,
  startedAt: number,
  curve: readonly CurvePoint[],
): About {
  const tiers = [...new Set(tasks.map(task => suite.template(task).tier))].sort();
  return {
    run,
    startedAt,
    of: 60 * config.minutes,
    about: { preset: config.preset, mode: config.mode, seed: config.seed, tiers, tasks: tasks.length },
    tasks: tasks.map(task => ({ task, tier: suite.template(task).tier })),
    curve,
    desktops: config.environments.desktops,
  };
}
