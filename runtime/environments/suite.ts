// The task suite of a kind of desktops: its tasks, their split into training and test instances, and each instance as a task in
// OSWorld's format. Each kind defines the format of its templates and solutions.

import { dirname } from 'node:path';
import { type Seed, seed, type TaskId, type TrajectoryId, taskId } from '../core/ids.ts';
import type { Task } from '../core/task.ts';

/** `unseen`: the whole task never occurs in training. */
export const SPLITS = ['test', 'train', 'unseen'] as const;
export type TaskSplit = (typeof SPLITS)[number];

/** 1: one or two steps. 2: three to five in one application. 3: five to eight with dialogs, scrolling or search. 4: eight to fifteen across applications. */
export const TIERS = [1, 2, 3, 4] as const;
export type Tier = (typeof TIERS)[number];

/** The properties that all instances of a task share. */
export interface TaskKind {
  /** The task's id; stable. */
  readonly id: string;
  readonly tier: Tier;
  readonly apps: readonly string[];
  /** It never occurs in training. */
  readonly unseen?: true;
  /** The file that it was read from. Files of built-in tasks are names without a folder. */
  readonly file?: string;
  /** The stored trajectory that its desktops play. */
  readonly trajectory?: TrajectoryId;
}

/** The folder of the user that a task was read from; undefined for built-in tasks, whose file has a name alone or none. */
export const folderOfTask = ({ file = '' }: TaskKind): string | undefined =>
  dirname(file) === '.' ? undefined : dirname(file);

/** A suite whose templates have the type of one kind of desktops. Methods throw a RangeError for an unknown id. */
export interface Suite<T extends TaskKind = TaskKind> {
  readonly templates: readonly T[];
  template(id: string): T;
  tasks(split: TaskSplit, tier?: Tier): readonly TaskId[];
  /** The tasks that evaluations of a training play as tests, where each task has a single instance. Absent: the tasks that train. */
  readonly tested?: readonly TaskId[];
  /** The reason why it has no tasks, and the remedy; present if it has none. */
  readonly whyNone?: string;
  /** The number of training instances of each task. */
  readonly trainSeeds: number;
  /** The n-th instance of a split. Training has `trainSeeds` instances, tests any number. */
  seed(split: TaskSplit, index: number): Seed;
  /** One instance in the format of a task file. */
  task(id: string, number: Seed): Task;
}

/** Undefined for an instance that cannot be made. An episode of it breaks with the reason. */
export function taskIfPossible(suite: Suite, id: string, number: Seed): Task | undefined {
  try {
    return suite.task(id, number);
  } catch {
    return undefined;
  }
}

/** The split of the seeds. */
export interface SuiteSeeds {
  /** Seeds below this are for training, all others for tests. */
  readonly trainSeeds: number;
  /** Far from the training seeds. */
  readonly firstTestSeed: number;
}

/** The training seeds of templates of Dartboard. */
export const TRAIN_SEEDS = 32;
const TEMPLATE_SEEDS: SuiteSeeds = { trainSeeds: TRAIN_SEEDS, firstTestSeed: 1000 };

/** `name` appears in errors; `taskFrom` creates one instance of a template. */
export function suiteFrom<T extends TaskKind>(
  name: string,
  templates: readonly T[],
  taskFrom: (template: T, number: Seed) => Task,
  { trainSeeds, firstTestSeed }: SuiteSeeds = TEMPLATE_SEEDS,
): Suite<T> {
  const byId = new Map<string, T>();
  for (const template of templates) {
    const other = byId.get(template.id);
    if (other !== undefined) {
      const [first, second] = [other, template].map(({ file = name }) => file);
      const sources = `one from ${first}, one from ${second}`;
      throw new RangeError(`Two tasks have the id '${template.id}', ${sources}. Change one of the ids.`);
    }
    byId.set(template.id, template);
  }
  const templateOf = (id: string): T => {
    const found = byId.get(id);
    if (found === undefined) throw new RangeError(`The suite has no task '${id}'.`);
    return found;
  };
  const splitOf = ({ unseen }: T, number: Seed): TaskSplit =>
    unseen ? 'unseen' : number < trainSeeds ? 'train' : 'test';
  return {
    templates,
    template: templateOf,
    tasks: (split, tier) =>
      templates
        .filter(template => (split === 'unseen') === (template.unseen === true))
        .filter(template => tier === undefined || template.tier === tier)
        .map(template => taskId(template.id)),
    trainSeeds,
    seed: (split, index) => seed(split === 'train' ? index % trainSeeds : firstTestSeed + index),
    task: cached((id, number) => {
      const template = templateOf(id);
      const task = taskFrom(template, number);
      return { ...task, dartboard: { ...task.dartboard, split: splitOf(template, number) } };
    }),
  };
}

/** The rollouts of a group ask for the same instance within seconds, and generating one takes as long as a step. */
const MAX_CACHED_TASKS = 64;

/** Caches the latest tasks. Callers share the objects, which nobody changes. */
function cached(generate: Suite['task']): Suite['task'] {
  const tasks = new Map<string, Task>();
  return (id, number) => {
    const key = `${id} ${number}`;
    const task = tasks.get(key) ?? generate(id, number);
    tasks.set(key, task);
    const [oldest] = tasks.size > MAX_CACHED_TASKS ? tasks.keys() : [];
    if (oldest !== undefined) tasks.delete(oldest);
    return task;
  };
}

/** The properties of an instance that its kind of desktops defines. */
interface InstanceParts extends Pick<Task, 'instruction' | 'snapshot' | 'config' | 'evaluator'> {
  readonly maxSteps: number;
}

/** Builds one instance in the format of a task file. The suite adds the split. */
export const instanceOf = (kind: TaskKind, { maxSteps, ...parts }: InstanceParts): Task => ({
  ...{ id: taskId(kind.id), ...parts, related_apps: kind.apps },
  dartboard: { tier: kind.tier, template: kind.id, max_steps: maxSteps },
});

/** The seeds of the first training instances; a run gets demonstrations of these. At most all of them, which is the default. */
export const trainingSeeds = (suite: Suite, count = suite.trainSeeds): readonly Seed[] =>
  Array.from({ length: Math.min(count, suite.trainSeeds) }, (_, index) => suite.seed('train', index));
