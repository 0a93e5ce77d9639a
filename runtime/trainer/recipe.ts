// Every hyper-parameter of the trainer. Plain data: it travels to the process of the trainer.

import type { ObjectiveOptions } from '../agents/compact/objective.ts';
import type { LessonSort } from '../core/lesson.ts';
import type { AdamOptions } from '../graph/adam.ts';
import type { Aggregation } from './aggregation.ts';
import type { PulseOptions } from './pulse.ts';

export interface TrainingRecipe extends Aggregation {
  readonly objective: ObjectiveOptions;
  readonly optimiser: AdamOptions;
  /** Optimiser steps of the warm-up. A training that begins with the weights of another warms up again. */
  readonly warmupUpdates: number;
  /** The planned training time in seconds, for the decay of the learning rate. It does not end the training. */
  readonly seconds: number;
  /** The factor of the learning rate at the end. */
  readonly cooling: number;
  /** Only high-entropy steps train. */
  readonly highEntropy: boolean;
  /** Steps with advantage 0 do not train, as in DigiRL: they are those that its filter rejects. */
  readonly filtersSteps: boolean;
  /** Rows of an update on lessons alone. */
  readonly batch: number;
  /** Rows of lessons beside the rows of groups. */
  readonly replay: number;
  /** The most rows of groups in an update. A batch makes at least two updates: in the first ρ is 1 and the clip never acts. */
  readonly policyRows: number;
  /** Phases of imitation between those of reinforcement learning. */
  readonly pulse: PulseOptions;
  /** The weight of the policy gradient in the loss. */
  readonly policyWeight: number;
  /** The weight of the imitation loss. */
  readonly cloneWeight: number;
  /** The share of each sort among rows of lessons. */
  readonly shares: Readonly<Record<LessonSort, number>>;
  /** How often a step of each sort trains without groups, in all: a lesson known by heart teaches nothing more. */
  readonly passes: Readonly<Record<LessonSort, number>>;
  /** The share of rows of lessons in which names are replaced. */
  readonly renaming: number;
  /** Seconds between two versions of the weights. */
  readonly publishSeconds: number;
  /** Seconds between two checkpoints: about the most that a crash loses. */
  readonly checkpointSeconds: number;
}
