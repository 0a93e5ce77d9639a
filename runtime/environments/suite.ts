// What tasks there are of one kind of desktops: which instances of them are for training and which for tests, and each as a task in
// OSWorld's shape. How tasks are written down, and how they are solved, is the affair of each kind.

import { type Seed, seed, type TaskId, taskId } from '../core/ids.ts';
import type { Task } from '../core/task.ts';

/** Of unseen tasks not even the kind occurs in training. */
export const SPLITS = ['test', 'train', 'unseen'] as const;
export type TaskSplit = (typeof SPLITS)[number];

/** 1: one or two steps. 2: three to five in one application. 3: five to eight, with dialogs, scrolling or search. 4: eight to fifteen across applications. */
export const TIERS = [1, 2, 3, 4] as const;
export type Tier = (typeof TIERS)[number];

/** What is the same for all instances of a task. */
export interface TaskKind {
  /** Stable: it is the task's id. */
  readonly id: string;
  readonly tier: Tier;
  readonly apps: readonly string[];
  /** Its kind never occurs in training. */
  readonly unseen?: true;
  /** Where it was read from; none for those that the program brings along. */
  readonly file?: string;
}

/** What is asked about an id that it does not have is a RangeError. */
export interface Suite {
  readonly templates: readonly TaskKind[];
  template(id: string): TaskKind;
  tasks(split: TaskSplit, tier?: Tier): readonly TaskId[];
  /** How many instances of a task recur in training. */
  readonly trainSeeds: number;
  /** The n-th instance of a split: training has a fixed number of them, tests as many as one likes. */
  seed(split: TaskSplit, index: number): Seed;
  /** One instance, as a task file would say it. */
  task(id: string, number: Seed): Task;
}

/** Seeds below this recur in training; all others are for tests. */
export const TRAIN_SEEDS = 32;
/** Test instances are drawn from here on, far from the training seeds. */
const FIRST_TEST_SEED = 1000;

/** What a suite is made of; whatever else a kind of desktops knows of an instance is its own. */
export interface SuiteOf<T extends TaskKind> extends Suite {
  readonly templates: readonly T[];
  template(id: string): T;
}

/** A suite of these, called so in errors; `taskFrom` makes one instance of one of them. */
export function suiteFrom<T extends TaskKind>(
  name: string,
  templates: readonly T[],
  taskFrom: (template: T, number: Seed) => Task,
): SuiteOf<T> {
  const byId = new Map<string, T>();
  for (const template of templates) {
    const other = byId.get(template.id);
    if (other !== undefined) {
      const [one, another] = [other, template].map(({ file = name }) => file);
      const sources = `one from ${one}, one from ${another}`;
      throw new RangeError(`Two tasks have the id '${template.id}', ${sources}: give one another id.`);
    }
    byId.set(template.id, template);
  }
  const templateOf = (id: string): T => {
    const found = byId.get(id);
    if (found === undefined) throw new RangeError(`The suite has no task '${id}'.`);
    return found;
  };
  return {
    templates,
    template: templateOf,
    tasks: (split, tier) =>
      templates
        .filter(template => (split === 'unseen') === (template.unseen === true))
        .filter(template => tier === undefined || template.tier === tier)
        .map(template => taskId(template.id)),
    trainSeeds: TRAIN_SEEDS,
    seed: (split, index) => seed(split === 'train' ? index % TRAIN_SEEDS : FIRST_TEST_SEED + index),
    task: lately((id, number) => taskFrom(templateOf(id), number)),
  };
}

/** Rollouts of one group ask for the same instance within seconds, and to make one up takes as long as to play a step. */
const KEPT_TASKS = 64;

/** What is asked for again is the same object: tasks are read, and never written. */
function lately(made: Suite['task']): Suite['task'] {
  const known = new Map<string, Task>();
  return (id, number) => {
    const key = `${id} ${number}`;
    const task = known.get(key) ?? made(id, number);
    known.set(key, task);
    const [oldest] = known.size > KEPT_TASKS ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    return task;
  };
}

/** What each kind of desktops says of an instance by itself. */
interface Said extends Pick<Task, 'instruction' | 'snapshot' | 'config' | 'evaluator'> {
  readonly maxSteps: number;
}

/** One instance, as a task file would say it. */
export function instanceOf(kind: TaskKind, number: Seed, { maxSteps, ...said }: Said): Task {
  const split: TaskSplit = kind.unseen ? 'unseen' : number < TRAIN_SEEDS ? 'train' : 'test';
  return {
    ...{ id: taskId(kind.id), ...said, related_apps: kind.apps },
    dartboard: { tier: kind.tier, split, template: kind.id, max_steps: maxSteps },
  };
}

/** The instances that recur in training, the same of each task. */
export const trainingSeeds = (suite: Suite): readonly Seed[] => firstSeeds(suite, suite.trainSeeds);

/** Those of a task that are shown to a run which has so many demonstrations. */
export const shownSeeds = (suite: Suite, demonstrations: number): readonly Seed[] =>
  firstSeeds(suite, demonstrations);

const firstSeeds = (suite: Suite, count: number): readonly Seed[] =>
  Array.from({ length: count }, (_, index) => suite.seed('train', index));
