// Every hyper-parameter of the training of a language model. Plain data: it travels to the process of the trainer.

import type { AdamSettings } from '../../learner/learner.ts';
import type { TokenObjective } from '../../learner/token-objective.ts';
import type { Aggregation } from '../aggregation.ts';

export interface TokenRecipe extends Aggregation {
  readonly objective: TokenObjective;
  readonly optimiser: Omit<AdamSettings, 'learningRate'>;
  readonly learningRate: number;
  /** Optimiser steps of the warm-up. */
  readonly warmupUpdates: number;
  /** Only high-entropy steps train. */
  readonly highEntropy: boolean;
  /** The most steps in an update. A batch makes at least two updates: in the first ρ is 1 and the clip never acts. */
  readonly policyRows: number;
  /** Training stops above this divergence between the server's log-probabilities and the learner's. */
  readonly maxMismatch: number;
  /** Seconds between two saved states: the most that a learner without a state of its own loses. */
  readonly checkpointSeconds: number;
}
