// A task in the format of OSWorld, so that its files load unchanged, with unknown keys. Dartboard's own fields are under the key
// `dartboard`. Types only: runtime/tasks reads and validates the files.

import type { Seed, TaskId } from './ids.ts';

type Json = Readonly<Record<string, unknown>>;

/** One preparation of the desktop, before the agent starts or before the evaluation. */
export interface SetupStep extends Json {
  readonly type: string;
  readonly parameters?: Json;
}

/** The source of a value that an evaluator compares: a file, a URL, or a rule in the task. */
export interface Getter extends Json {
  readonly type: string;
}

/**
 * One metric or a list of metrics. With a list, `result`, `expected` and `options` are lists of the same length, with null for absent
 * values, and `conj` combines the scores ('and' by default).
 */
export interface Evaluator extends Json {
  readonly func: string | readonly string[];
  readonly result?: Getter | readonly (Getter | null)[];
  readonly expected?: Getter | readonly (Getter | null)[];
  readonly options?: Json | readonly (Json | null)[];
  readonly conj?: 'and' | 'or';
  readonly postconfig?: readonly SetupStep[];
}

/** Dartboard's own fields of a task. */
export interface TaskNotes {
  /** Difficulty from 1, a single step on a named target. */
  readonly tier?: number;
  /** Test and unseen tasks are only evaluated. The kind of an unseen task does not occur in training. */
  readonly split?: 'train' | 'test' | 'unseen';
  /** The generator of the instances. Tasks of one template have different instructions. */
  readonly template?: string;
  /** The seeds of the training instances. */
  readonly seeds?: readonly Seed[];
  /** The step limit of an episode. */
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

/** Equal instances have equal initial states, on the pocket desktop bit for bit. All rollouts of a group have the same instance. */
export interface Instance {
  readonly task: TaskId;
  readonly seed: Seed;
}

/** Unique per instance. */
export const instanceKey = ({ task, seed }: Instance): string => `${seed} ${task}`;

/** Whether the correct answer of the agent is that the task is impossible. */
export const isInfeasible = (task: Pick<Task, 'evaluator'>): boolean => task.evaluator.func === 'infeasible';

/** The step limit of tasks without their own limit. */
const DEFAULT_MAX_STEPS = 30;

export const stepLimit = ({ dartboard }: Task): number => dartboard?.max_steps ?? DEFAULT_MAX_STEPS;
