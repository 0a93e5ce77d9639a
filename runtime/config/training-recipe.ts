// The part of a configuration that the trainer needs.

import type { TrainingRecipe } from '../trainer/recipe.ts';
import type { Config } from './config.ts';

export function trainingRecipe({ minutes, curation, trainer }: Config): TrainingRecipe {
  const { objective, learningRate, clipNorm, checkpointMinutes, ...rest } = trainer;
  return {
    ...rest,
    highEntropy: curation.highEntropy,
    filtersSteps: trainer.advantages === 'filtered',
    objective: {
      ...objective,
      ...(!curation.alignment && { truncation: 0 }),
    },
    optimiser: { learningRate: { peak: learningRate, fed: true }, clipNorm },
    seconds: 60 * minutes,
    checkpointSeconds: 60 * checkpointMinutes,
  };
}
