// The defaults of every setting: a preset is a recipe with a name, and says them all. Some depend on what was chosen besides.

import { type Recipe, recipeFor, SCRATCH, TAUGHT } from '../learn/recipe.ts';
import type { Config } from './config.ts';
import type { Preset } from './shape.ts';

const RECIPES: Readonly<Record<Preset, Recipe>> = { scratch: SCRATCH, taught: TAUGHT };

/** Where `taught` is chosen and no number is said. */
const SHOWN: Readonly<Record<Preset, number>> = { scratch: 0, taught: 5 };

/** What other defaults depend on. */
export interface Chosen {
  readonly preset?: Preset;
  readonly demonstrations?: number;
  readonly minutes?: number;
  readonly mode?: Config['mode'];
  readonly environments?: { readonly desktops?: number };
}

export function defaults(chosen: Chosen): Config {
  const { preset = (chosen.demonstrations ?? 0) > 0 ? 'taught' : 'scratch', minutes = 5 } = chosen;
  const { mode = 'screenshot_a11y_tree', demonstrations = SHOWN[preset] } = chosen;
  const seconds = 60 * minutes;
  const recipe = recipeFor(RECIPES[preset], seconds);
  const { desktops = recipe.desktops } = chosen.environments ?? {};
  const { peak, warmup = 0 } = recipe.optimiser.learningRate;
  const { divergence: _, ...objective } = recipe.objective;
  return {
    suite: { tiers: [1] },
    mode,
    seed: 'dartboard',
    minutes,
    demonstrations,
    preset,
    environments: { kind: 'pocket', desktops, mostEpisodes: 1000, mostAgeMinutes: 60 },
    rollout: {
      workers: 1,
      batch: 32,
      patienceMs: 0,
      temperature: recipe.temperature,
      exploration: recipe.exploration,
      daring: recipe.daring,
      mostAttempts: 3,
    },
    exploring: {
      firstSeconds: recipe.explore,
      searching: recipe.searching,
      otherwise: recipe.exploring,
      hindsight: recipe.hindsight,
    },
    data: {
      stalenessVersions: 4,
      trajectoriesPerVersion: 32,
      stepsPerBatch: recipe.policyBatch,
      batchesAhead: 2,
      ahead: desktops,
      rollouts: recipe.rollouts,
      retention: { mostMegabytes: 2000, mostTrajectories: 1_000_000 },
    },
    trainer: {
      learningRate: peak,
      warmupUpdates: warmup,
      cooling: recipe.cooling,
      clipNorm: recipe.optimiser.clipNorm ?? NEVER_CLIPPED,
      batch: recipe.batch,
      replay: recipe.replay,
      policyRows: recipe.policyRows,
      policyWeight: recipe.policyWeight,
      cloneWeight: recipe.cloneWeight,
      highEntropy: recipe.highEntropy,
      // In pixels a name cannot be replaced by another.
      renaming: mode === 'screenshot' ? 0 : recipe.renaming,
      shares: recipe.shares,
      objective,
      publishSeconds: recipe.publishEvery,
      checkpointMinutes: 1,
    },
    evaluation: {
      everySeconds: Math.min(60, Math.max(3, seconds / 20)),
      instances: 4,
      lastInstances: 20,
      desktops,
    },
  };
}

const NEVER_CLIPPED = 1e6;
