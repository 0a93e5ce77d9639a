// The default of every setting. A preset is a named recipe; some defaults depend on other settings.

import * as z from 'zod';
import { COMPACT_AGENT } from '../core/agent.ts';
import { curationOf } from './curations.ts';
import { capacityFor, KIND_DEFAULTS } from './kinds.ts';
import { type Recipe, SCRATCH, TAUGHT } from './recipe.ts';
import { type Config, completeConfig, type Preset } from './shape.ts';

const RECIPES: Readonly<Record<Preset, Recipe>> = { scratch: SCRATCH, taught: TAUGHT };

/** The default number of demonstrations. */
const DEMONSTRATIONS: Readonly<Record<Preset, number>> = { scratch: 0, taught: 5 };

/** The default limit of trajectories that run or wait to be trained, in batches. */
const BATCHES_IN_FLIGHT = 5;

/** The settings that other defaults depend on. */
const { preset, demonstrations, minutes, mode, environments, curation, data } = completeConfig.shape;
export const defaultInputs = z.object({
  preset: preset.exactOptional(),
  demonstrations: demonstrations.exactOptional(),
  minutes: minutes.exactOptional(),
  mode: mode.exactOptional(),
  environments: z
    .object({
      kind: environments.shape.kind.exactOptional(),
      desktops: environments.shape.desktops.exactOptional(),
    })
    .exactOptional(),
  curation: z.object({ preset: curation.shape.preset.exactOptional() }).exactOptional(),
  data: z.object({ trajectoriesPerBatch: data.shape.trajectoriesPerBatch.exactOptional() }).exactOptional(),
});

export type DefaultInputs = Readonly<z.infer<typeof defaultInputs>>;

export function defaults(chosen: DefaultInputs): Config {
  const { kind = 'pocket' } = chosen.environments ?? {};
  const ofKind = KIND_DEFAULTS[kind];
  const { preset = presetFor(chosen.demonstrations, ofKind.preset), minutes = 5 } = chosen;
  const { mode = 'screenshot_a11y_tree', demonstrations = DEMONSTRATIONS[preset] } = chosen;
  const seconds = 60 * minutes;
  const recipe = ofKind.recipe(RECIPES[preset]);
  const { drawing, exploring, trainer, rollouts, stepsPerBatch } = recipe;
  const { desktops = recipe.desktops } = chosen.environments ?? {};
  const { trajectoriesPerBatch = 32 } = chosen.data ?? {};
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
    // At most a quarter of a short run.
    exploring: { ...exploring, firstSeconds: Math.min(exploring.firstSeconds, seconds / 4) },
    data: {
      stalenessUpdates: ofKind.stalenessUpdates,
      trajectoriesPerBatch,
      trajectoriesAhead: BATCHES_IN_FLIGHT * trajectoriesPerBatch,
      stepsPerBatch,
      batchesAhead: 2,
      ahead: desktops,
      rollouts,
      retention: { mostMegabytes: 2000, mostTrajectories: 50_000 },
    },
    curation: curationOf(chosen.curation?.preset ?? 'dart'),
    // Names in pixels cannot be replaced.
    trainer: { ...trainer, renaming: mode === 'screenshot' ? 0 : trainer.renaming },
    evaluation: {
      everySeconds: ofKind.evaluationInterval(seconds),
      instances: ofKind.instances,
      lastInstances: ofKind.lastInstances,
      desktops: ofKind.evaluationDesktops(desktops),
    },
    agent: COMPACT_AGENT,
    agents: {},
  };
}

/** A number of demonstrations selects the preset that uses them. */
function presetFor(demonstrations: number | undefined, otherwise: Preset): Preset {
  if (demonstrations === undefined) return otherwise;
  return demonstrations > 0 ? 'taught' : 'scratch';
}
