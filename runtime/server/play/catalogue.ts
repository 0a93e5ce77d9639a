// The tasks that the page lists, and the instance that a request selects.

import { type Seed, seed } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import type { Task } from '../../core/task.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import type { PlayParams, PlaySplit, StartedTask, TaskEntry } from '../../protocol/play.ts';
import { RequestError } from '../request-error.ts';

const SPLITS = ['train', 'test', 'unseen'] as const satisfies readonly PlaySplit[];
/** A page draws from so many instances of a task; the suite has no limit. */
const MAX_INSTANCES = 100_000;

/** Empty when the task does not exist. */
const splitsOf = (suite: PocketSuite, id: string): PlaySplit[] =>
  SPLITS.filter(split => suite.tasks(split).some(task => task === id));

/** The easiest first; within a tier, in the suite's order. */
export function tasksFor(suite: PocketSuite, { tier, split }: PlayParams<'tasks'>): TaskEntry[] {
  const ids = [...new Set(SPLITS.flatMap(each => suite.tasks(each)))];
  return ids
    .map(id => {
      const { tier, apps } = suite.template(id);
      const splits = splitsOf(suite, id);
      const example = suite.instance(id, suite.seed(splits[0] ?? 'train', 0)).instruction;
      return { id, tier, splits, apps: [...apps], example };
    })
    .filter(entry => tier === undefined || entry.tier === tier)
    .filter(entry => split === undefined || entry.splits.includes(split))
    .sort((a, b) => a.tier - b.tier);
}

/** The seed that a request names, or a random one of its split. */
export function chooseSeed(
  suite: PocketSuite,
  { task, seed: requested, split }: PlayParams<'start'>,
  random: Random,
): Seed {
  const splits = splitsOf(suite, task);
  const chosen = split ?? splits[0];
  if (chosen === undefined || splits.length === 0) {
    const message = `task: ${JSON.stringify(task)} does not exist. Send 'tasks' for a list.`;
    throw new RequestError('bad_request', message, 'params.task');
  }
  if (requested !== undefined) return seed(requested);
  if (splits.includes(chosen)) return suite.seed(chosen, random.int(MAX_INSTANCES));
  const message = `split: ${task} has no instances for ${chosen}. Use ${splits.join(' or ')}.`;
  throw new RequestError('bad_request', message, 'params.split');
}

export function startedTask(task: Task, seed: Seed): StartedTask {
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
