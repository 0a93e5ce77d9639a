// The tasks that can be recorded, and the choice of an instance. Pure.

import { oneOf } from '../core/chance.ts';
import { type Seed, seed, taskId } from '../core/ids.ts';
import type { Random } from '../core/rng.ts';
import type { Instance } from '../core/task.ts';
import { SPLITS, type Suite } from '../environments/suite.ts';
import { InstanceSearchError, instanceFor } from '../inference/instance-search.ts';
import type { RecordedTask, RecordSplit } from '../protocol/daemon/record.ts';

/** A random test instance is one of so many. */
const MAX_TEST_INSTANCES = 100_000;

const splitsOf = (suite: Suite, id: string): RecordSplit[] =>
  SPLITS.filter(split => suite.tasks(split).some(task => task === id));

/** The easiest first; within a tier, in the order of the suite. */
export function tasksOf(suite: Suite): RecordedTask[] {
  return suite.templates
    .map(({ id, tier, apps }) => {
      const splits = splitsOf(suite, id);
      const example = suite.task(
        id,
        suite.seed(splits.includes('train') ? 'train' : 'unseen', 0),
      ).instruction;
      return { task: id, tier, splits, apps: [...apps], example };
    })
    .sort((one, other) => one.tier - other.tier);
}

export interface AskedInstance {
  readonly task: string;
  readonly split?: RecordSplit;
  readonly seed?: number;
}

export const chooseInstance = (suite: Suite, asked: AskedInstance, random: Random): Instance => ({
  task: taskId(asked.task),
  seed: chooseSeed(suite, asked, random),
});

/** Without a task: an instance for training that fits the instruction, or else any. */
export function instanceToRun(
  suite: Suite,
  { task, instruction, ...asked }: Partial<AskedInstance> & { readonly instruction?: string },
  random: Random,
): Instance {
  if (task !== undefined) return chooseInstance(suite, { ...asked, task }, random);
  const [option] = Object.keys(asked);
  if (option !== undefined)
    throw new RangeError(`The '${option}' of an instance needs a task. Name the task, or leave it out.`);
  const tasks = suite.tasks('train');
  if (instruction !== undefined) return instanceFor(suite, tasks, instruction, 'train');
  const chosen = oneOf(random, tasks);
  if (chosen === undefined) throw new InstanceSearchError('The suite has no task to try.');
  return chooseInstance(suite, { task: chosen, split: 'train' }, random);
}

function chooseSeed(suite: Suite, { task, split, seed: asked }: AskedInstance, random: Random): Seed {
  const splits = splitsOf(suite, task);
  if (splits.length === 0)
    throw new RangeError(`These desktops have no task '${task}'. 'record.tasks' returns all tasks.`);
  if (asked !== undefined) return seed(asked);
  const chosen = split ?? (splits.includes('train') ? 'train' : 'unseen');
  if (!splits.includes(chosen))
    throw new RangeError(
      `The task '${task}' has no instances of the split '${chosen}'. Use ${splits.join(' or ')}.`,
    );
  return suite.seed(chosen, random.int(chosen === 'train' ? suite.trainSeeds : MAX_TEST_INSTANCES));
}
