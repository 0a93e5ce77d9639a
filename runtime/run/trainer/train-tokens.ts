// The trainer of a model agent in its process: opens the learner of the agent, and the trainer that hands batches to it.

import { join } from 'node:path';
import { PROFILES } from '../../agents/model/profiles/index.ts';
import type { AgentSettings } from '../../config/sections/agents.ts';
import type { Clock } from '../../core/clock.ts';
import { textIn } from '../../core/existing-file.ts';
import type { RunId } from '../../core/ids.ts';
import type { DurableFolder } from '../../data/files/durable.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import { MeteredLearner } from '../../trainer/tokens/metered-learner.ts';
import { ModelTrainer, type ModelTrainerOptions } from '../../trainer/tokens/model-trainer.ts';
import { PROGRESS_FILE, readProgress } from '../../trainer/tokens/progress.ts';
import type { TokenRecipe } from '../../trainer/tokens/token-recipe.ts';
import { BatchImages } from './batch-images.ts';
import { openLearner } from './open-learner.ts';
import { storedExchanges } from './stored-exchanges.ts';

/** Plain data from the daemon. */
export interface TokenTraining {
  readonly kind: 'tokens';
  /** The name of the agent in dartboard.json. */
  readonly agent: string;
  readonly settings: AgentSettings;
  readonly recipe: TokenRecipe;
  /** The bundle of the engine's process. */
  readonly engine: string;
  /** The folder of the runs, which has the files of the trajectories. */
  readonly runs: string;
}

export interface TokenTrainerOptions {
  readonly run: RunId;
  readonly seed: string;
  readonly checkpoints: string;
  readonly files: DurableFolder;
  readonly fabric: Fabric;
  readonly keep: ModelTrainerOptions['keep'];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface OpenTokenTrainer {
  run(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Rejects when the learner cannot be opened, with the reason. */
export async function openTokenTrainer(
  { agent, settings, recipe, engine, runs }: TokenTraining,
  { run, seed, checkpoints, files, fabric, keep, clock, signal }: TokenTrainerOptions,
): Promise<OpenTokenTrainer> {
  const images = new BatchImages(runs, run);
  const progressFile = join(checkpoints, PROGRESS_FILE);
  const before = readProgress(await textIn(progressFile), progressFile);
  const { divergence } = recipe.objective;
  const learner = await openLearner(agent, settings, {
    ...{
      folder: checkpoints,
      images: images.source,
      exchangeOf: storedExchanges(runs, run),
      seed,
      clock,
      signal,
    },
    waiting: (reason, since) =>
      fabric.events.publish({ module: 'trainer', at: clock.now(), kind: 'waiting', reason, since }),
    needsReference: divergence > 0,
    engineEntry: new URL(engine),
    environment: process.env,
  });
  try {
    const { hasReference, place } = learner.capabilities;
    if (divergence > 0 && !hasReference)
      throw new Error(
        `The learner at '${place}' has no reference weights: it has room for one model, and computes no log-probabilities of prompts. But 'trainer.objective.divergence' is ${divergence}. Set it to 0, or make room for a second model.`,
      );
    const { imageTokens = [] } = PROFILES[settings.profile];
    const metered = new MeteredLearner(learner, clock, settings.prices?.training);
    const trainer = await ModelTrainer.open(
      {
        ...{ run, learner: metered, recipe, before, files, keep, clock },
        imageTokens: settings.imageToken === undefined ? imageTokens : [settings.imageToken],
        useImages: used => images.use(used),
        channels: {
          batches: fabric.batches.taker(),
          weights: fabric.weights,
          averaged: fabric.averaged,
          events: fabric.events,
          commands: fabric.commands,
        },
      },
      signal,
    );
    return {
      run: over => metered.reportDuring(signal => trainer.run(signal), fabric.events, over),
      close: () => learner.close(),
    };
  } catch (error) {
    await learner.close();
    throw error;
  }
}
