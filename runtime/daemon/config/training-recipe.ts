// A configuration as the trainer wants it.

import type { TrainingRecipe } from '../../trainer/recipe.ts';
import type { Config } from './config.ts';

export function trainingRecipe({ minutes, trainer }: Config): TrainingRecipe {
  const { objective, learningRate, warmupUpdates, clipNorm, publishSeconds, checkpointMinutes, ...rest } =
    trainer;
  return {
    ...rest,
    // The trainer keeps no reference weights to hold the policy near to.
    objective: { ...objective, divergence: 0 },
    optimiser: { learningRate: { peak: learningRate, warmup: warmupUpdates, fed: true }, clipNorm },
    seconds: 60 * minutes,
    publishEvery: publishSeconds,
    checkpointEvery: 60 * checkpointMinutes,
  };
}
