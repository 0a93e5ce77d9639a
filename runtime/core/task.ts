// A task as OSWorld writes it, so that its files load unchanged: their keys, their spelling, and whatever else they hold
// passes through untouched. What is ours lies under `dartboard` alone. Types only: `tasks` reads and checks the files.

import type { Seed, TaskId } from './ids.ts';

type Json = Readonly<Record<string, unknown>>;

/** One thing done to a desktop before the agent starts, or before the evaluator looks. */
export interface SetupStep extends Json {
  readonly type: string;
  readonly parameters?: Json;
}

/** How an evaluator obtains what it compares: a file, a URL, a rule written in the task. */
export interface Getter extends Json {
  readonly type: string;
}

/**
 * One metric, or several in a list; then `result`, `expected` and `options` are lists of the same length, with null where
 * a metric takes none, and `conj` says how the scores are joined ('and' when absent).
 */
export interface Evaluator extends Json {
  readonly func: string | readonly string[];
  readonly result?: Getter | readonly (Getter | null)[];
  readonly expected?: Getter | readonly (Getter | null)[];
  readonly options?: Json | readonly (Json | null)[];
  readonly conj?: 'and' | 'or';
  readonly postconfig?: readonly SetupStep[];
}

/** What Dartboard adds to a task. */
export interface TaskNotes {
  /** How hard: 1 is a single step on what is named, higher needs more. */
  readonly tier?: number;
  /** Test and unseen tasks are evaluated and never trained on; of unseen ones not even the kind occurs in training. */
  readonly split?: 'train' | 'test' | 'unseen';
  /** The generator that makes this task's instances from seeds; tasks of one template differ in what they ask. */
  readonly template?: string;
  /** The instances that recur in training. */
  readonly seeds?: readonly Seed[];
  /** The most steps an episode of this task may take, whatever its recent successes needed. */
  readonly max_steps?: number;
}

export interface Task extends Json {
  readonly id: TaskId;
  readonly instruction: string;
  readonly snapshot?: string;
  readonly config?: readonly SetupStep[];
  readonly evaluator: Evaluator;
  readonly related_apps?: readonly string[];
  readonly dartboard?: TaskNotes;
}

/** The same instance starts the same: bit for bit on the pocket desktop. A group's rollouts share one instance. */
export interface Instance {
  readonly task: TaskId;
  readonly seed: Seed;
}

/** The same for the same instance, and for no other. */
export const instanceKey = ({ task, seed }: Instance): string => `${seed} ${task}`;

export const sameInstance = (a: Instance, b: Instance): boolean => a.task === b.task && a.seed === b.seed;

/** True of a task that is solved by saying that it cannot be done. */
export const isInfeasible = (task: Task): boolean => task.evaluator.func === 'infeasible';

/** The most steps of an episode whose task does not say. */
const MANY_STEPS = 30;

export const stepLimit = ({ dartboard }: Task): number => dartboard?.max_steps ?? MANY_STEPS;
