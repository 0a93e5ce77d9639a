// The part of a configuration that the trainer needs.

import type { TrainingRecipe } from '../trainer/recipe.ts';
import type { Config } from './config.ts';

export function trainingRecipe({ minutes, curation, trainer }: Config): TrainingRecipe {
  const { objective, learningRate, warmupUpdates, clipNorm, publishSeconds, checkpointMinutes, ...rest } =
    trainer;
  return {
    ...rest,
    highEntropy: curation.highEntropy,
    objective: {
      ...objective,
      ...(!curation.alignment && { truncation: 0 }),
    },
    optimiser: { learningRate: { peak: learningRate, fed: true }, clipNorm },
    warmup: warmupUpdates,
    seconds: 60 * minutes,
    publishEvery: publishSeconds,
    checkpointEvery: 60 * checkpointMinutes,
  };
}
