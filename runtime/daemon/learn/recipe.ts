// How a training goes: every number that shapes it, each with what it is for. A preset is a recipe with a name.

import type { AdamOptions } from '../../graph/adam.ts';
import { OBJECTIVE, type ObjectiveOptions } from '../../policy/objective.ts';
import type { ShelfName } from './lesson.ts';

export interface Recipe {
  readonly objective: ObjectiveOptions;
  readonly optimiser: AdamOptions;
  /** What is left of the learning rate at the end. */
  readonly cooling: number;
  /** Desktops that the actor plays on at once. */
  readonly desktops: number;
  /** Rollouts of a group, at most. */
  readonly rollouts: number;
  /** 1 draws from the policy as it is. */
  readonly temperature: number;
  /** The share of the player's decisions that are made at random. */
  readonly exploration: number;
  /** The same in every other rollout of an instance that was never solved. */
  readonly daring: number;
  /**
   * Seconds at the start in which it only explores and imitates, and the share of its time that it explores after that: while
   * there are tasks of which nobody found out how to do what they ask for, and when there are none.
   */
  readonly explore: number;
  readonly searching: number;
  readonly exploring: number;
  /** Failed rollouts that did something nameable are kept under the instruction that names it. */
  readonly hindsight: boolean;
  /** Only uncertain steps train. */
  readonly highEntropy: boolean;
  /** Rows of a batch without groups; rows that are imitated beside those of groups. */
  readonly batch: number;
  readonly replay: number;
  /** Steps of groups that are assessed at once, and how many of them each update takes. */
  readonly policyBatch: number;
  readonly policyRows: number;
  readonly policyWeight: number;
  readonly cloneWeight: number;
  /** Of what is imitated, how much of each. */
  readonly shares: Readonly<Record<ShelfName, number>>;
  /** The share of imitated rows in which names are replaced by others. */
  readonly renaming: number;
  /** Seconds between two versions of the weights. */
  readonly publishEvery: number;
}

export const SCRATCH: Recipe = {
  objective: { ...OBJECTIVE, entropyWeight: 0.02, entropyFloor: 0.05 },
  optimiser: {
    learningRate: { peak: 1e-3, warmup: 50, fed: true },
    clipNorm: 1,
  },
  cooling: 0.1,
  desktops: 32,
  rollouts: 8,
  temperature: 1,
  exploration: 0.05,
  daring: 0.3,
  explore: 35,
  searching: 0.5,
  exploring: 0.2,
  hindsight: true,
  highEntropy: true,
  batch: 32,
  replay: 16,
  policyBatch: 96,
  policyRows: 24,
  policyWeight: 1,
  cloneWeight: 1,
  shares: { hindsight: 2, beside: 0.5, successes: 1, demonstrations: 1, grounding: 1 },
  renaming: 0.5,
  publishEvery: 1,
};

/** With demonstrations: they take the place of the first minutes of exploring, and are replayed in every batch. */
export const TAUGHT: Recipe = {
  ...SCRATCH,
  explore: 20,
  searching: 0.2,
  exploring: 0.15,
  shares: { hindsight: 1.5, beside: 0.3, successes: 2, demonstrations: 2, grounding: 0.5 },
};

/** The same recipe for the time there is: exploring takes no more than a quarter of it. */
export const recipeFor = (recipe: Recipe, seconds: number): Recipe => ({
  ...recipe,
  explore: Math.min(recipe.explore, seconds / 4),
});
