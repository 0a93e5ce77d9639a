// How the trainer learns: every number that shapes it, each with what it is for. Plain data, so that it can be sent to the
// process in which the trainer runs.

import type { ObjectiveOptions } from '../agent/objective.ts';
import type { LessonSort } from '../core/lesson.ts';
import type { AdamOptions } from '../graph/adam.ts';

export interface TrainingRecipe {
  readonly objective: ObjectiveOptions;
  readonly optimiser: AdamOptions;
  /** Updates in which the learning rate rises to its full size. They are counted anew where a training begins with others' weights. */
  readonly warmup: number;
  /** Seconds that the whole training is to take. It says how far the learning rate has cooled; it ends nothing. */
  readonly seconds: number;
  /** What is left of the learning rate at the end. */
  readonly cooling: number;
  /** Only uncertain steps train. */
  readonly highEntropy: boolean;
  /** Rows of an update without groups. */
  readonly batch: number;
  /** Rows that are imitated beside those of groups. */
  readonly replay: number;
  /** Steps of groups that an update takes, at most. A batch is learned from in two updates at least, or nothing is ever clipped. */
  readonly policyRows: number;
  /** What the steps of groups weigh in an update, all together. */
  readonly policyWeight: number;
  /** What those that are imitated weigh, all together. */
  readonly cloneWeight: number;
  /** Of what is imitated, how much of each sort. */
  readonly shares: Readonly<Record<LessonSort, number>>;
  /** How often a step of each sort is imitated in updates without groups, all in all: what was learned by heart teaches nothing more. */
  readonly passes: Readonly<Record<LessonSort, number>>;
  /** The share of imitated rows in which names are replaced by others. */
  readonly renaming: number;
  /** Seconds between two versions of the weights. */
  readonly publishEvery: number;
  /** Seconds between two checkpoints: as much is lost when the trainer breaks. */
  readonly checkpointEvery: number;
}
