// The part of a configuration that the trainer of a model agent needs.

import type { TokenRecipe } from '../trainer/tokens/token-recipe.ts';
import { learnerOf } from './agent-settings.ts';
import type { Config } from './config.ts';

/** The moments of Adam for fine-tuning, as trainers of language models use them. */
const ADAM = { beta1: 0.9, beta2: 0.95, epsilon: 1e-12, weightDecay: 0 } as const;

export function tokenRecipe(config: Config): TokenRecipe {
  const { curation, trainer } = config;
  const { clipLow, clipHigh, dualClip, truncation, importance, ratio } = trainer.objective;
  // A learner of files has no reference weights for the KL term.
  const divergence = learnerOf(config)?.kind === 'file' ? 0 : trainer.objective.divergence;
  return {
    objective: {
      ...{ clipLow, clipHigh, dualClip, divergence, importance, ratio },
      truncation: curation.alignment ? truncation : 0,
    },
    aggregation: trainer.aggregation,
    budget: trainer.budget,
    optimiser: { ...ADAM, clipNorm: trainer.clipNorm },
    learningRate: trainer.learningRate,
    warmupUpdates: trainer.warmupUpdates,
    highEntropy: curation.highEntropy,
    policyRows: trainer.policyRows,
    maxMismatch: trainer.maxMismatch,
    checkpointSeconds: 60 * trainer.checkpointMinutes,
  };
}
