// The defaults of every setting: a preset is a recipe with a name, and says them all. Some depend on what was chosen besides.

import type { Config } from './config.ts';
import { curationOf } from './curations.ts';
import { capacityFor, type DesktopKind, KIND_DEFAULTS } from './kinds.ts';
import { type Recipe, SCRATCH, TAUGHT } from './recipe.ts';
import type { CurationPreset } from './sections/curation.ts';
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
  readonly environments?: { readonly kind?: DesktopKind; readonly desktops?: number };
  readonly curation?: { readonly preset?: CurationPreset };
}

export function defaults(chosen: Chosen): Config {
  const { kind = 'pocket' } = chosen.environments ?? {};
  const ofKind = KIND_DEFAULTS[kind];
  const { preset = presetFor(chosen.demonstrations, ofKind.preset), minutes = 5 } = chosen;
  const { mode = 'screenshot_a11y_tree', demonstrations = SHOWN[preset] } = chosen;
  const seconds = 60 * minutes;
  const recipe = ofKind.recipe(RECIPES[preset]);
  const { drawing, exploring, trainer, rollouts, stepsPerBatch } = recipe;
  const { desktops = recipe.desktops } = chosen.environments ?? {};
  return {
    suite: { tiers: [1] },
    mode,
    seed: 'dartboard',
    minutes,
    demonstrations,
    preset,
    environments: {
      ...{ kind, desktops, mostEpisodes: 1000, mostAgeMinutes: 60 },
      docker: {
        hosts: [{ address: 'local', capacity: capacityFor(desktops) }],
        ...{ image: 'small', memoryMb: 512, spares: 2 },
      },
    },
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
      retention: { mostMegabytes: 2000, mostTrajectories: 50_000 },
    },
    curation: curationOf(chosen.curation?.preset ?? 'dart'),
    // In pixels a name cannot be replaced by another.
    trainer: { ...trainer, renaming: mode === 'screenshot' ? 0 : trainer.renaming },
    evaluation: {
      everySeconds: ofKind.measuredEvery(seconds),
      instances: ofKind.instances,
      lastInstances: ofKind.lastInstances,
      desktops: ofKind.evaluating(desktops),
    },
  };
}

/** Demonstrations that somebody asks for choose the preset that uses them. */
function presetFor(demonstrations: number | undefined, otherwise: Preset): Preset {
  if (demonstrations === undefined) return otherwise;
  return demonstrations > 0 ? 'taught' : 'scratch';
}
