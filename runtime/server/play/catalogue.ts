// The tasks of a suite as the page lists them, and one instance as the page shows it.

import type { Seed } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import type { Task } from '../../core/task.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import type { StartedTask, TaskEntry, TaskSplit } from '../../protocol/play.ts';

const SPLITS = ['train', 'test', 'unseen'] as const satisfies readonly TaskSplit[];
/** How many test instances a page draws from; the suite has as many as one likes. */
const TEST_INSTANCES = 100_000;

/** None where there is no such task. */
export const splitsOf = (suite: PocketSuite, id: string): TaskSplit[] =>
  SPLITS.filter(split => suite.tasks(split).some(task => task === id));

/** The easiest first; within a tier, in the suite's order. */
export function catalogue(suite: PocketSuite): readonly TaskEntry[] {
  const ids = [...new Set(SPLITS.flatMap(split => suite.tasks(split)))];
  return ids
    .map(id => {
      const { tier, apps } = suite.template(id);
      const splits = splitsOf(suite, id);
      const example = suite.instance(id, suite.seed(splits[0] ?? 'train', 0)).instruction;
      return { id, tier, splits, apps: [...apps], example };
    })
    .sort((a, b) => a.tier - b.tier);
}

/** Any instance of a split. */
export const drawnSeed = (suite: PocketSuite, split: TaskSplit, random: Random): Seed =>
  suite.seed(split, random.int(TEST_INSTANCES));

export function described(task: Task, seed: Seed): StartedTask {
  const { tier = 1, split = 'train', max_steps = 1 } = task.dartboard ?? {};
  return {
    id: task.id,
    seed,
    tier,
    split,
    apps: [...(task.related_apps ?? [])],
    instruction: task.instruction,
    maxSteps: max_steps,
  };
}
