// The defaults of every setting: a preset is a recipe with a name, and says them all. Some depend on what was chosen besides.

import type { Config } from './config.ts';
import { type Recipe, SCRATCH, TAUGHT } from './recipe.ts';
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
  const { drawing, exploring, trainer, rollouts, stepsPerBatch, ...recipe } = RECIPES[preset];
  const { desktops = recipe.desktops } = chosen.environments ?? {};
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
      ...drawing,
      mostAttempts: 3,
    },
    // It takes no more than a quarter of a short run.
    exploring: { ...exploring, firstSeconds: Math.min(exploring.firstSeconds, seconds / 4) },
    data: {
      stalenessVersions: 4,
      trajectoriesPerVersion: 32,
      stepsPerBatch,
      batchesAhead: 2,
      ahead: desktops,
      rollouts,
      retention: { mostMegabytes: 2000, mostTrajectories: 1_000_000 },
    },
    // In pixels a name cannot be replaced by another.
    trainer: { ...trainer, renaming: mode === 'screenshot' ? 0 : trainer.renaming },
    evaluation: {
      everySeconds: Math.min(60, Math.max(3, seconds / 20)),
      instances: 4,
      lastInstances: 20,
      desktops,
    },
  };
}
