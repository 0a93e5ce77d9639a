// The default of every setting. A preset is a named recipe; some defaults depend on other settings.

import * as z from 'zod';
import { COMPACT_AGENT } from '../core/agent.ts';
import { imageDefaults } from '../environments/docker/image-defaults.ts';
import { agentMode } from './agent-settings.ts';
import { curationOf } from './curations.ts';
import { capacityFor, KIND_DEFAULTS } from './kinds.ts';
import { leavesOf, treeOf, valueAt } from './leaves.ts';
import { DART_7B, type Recipe, SCRATCH, TAUGHT } from './recipe.ts';
import { type RelatedSettings, relatedSettings } from './related-recipes.ts';
import { type Config, completeConfig, type Preset } from './shape.ts';

const RECIPES: Readonly<Record<Preset, Recipe>> = {
  scratch: SCRATCH,
  taught: TAUGHT,
  'dart-7b': DART_7B,
};

/** The default number of demonstrations. */
const DEMONSTRATIONS: Readonly<Record<Preset, number>> = { scratch: 0, taught: 5, 'dart-7b': 0 };

/** Updates of a pretrained model are large and rare: older rollouts are of little use. */
const MODEL_STALENESS_UPDATES = 8;

/** The default limit of trajectories that run or wait to be trained, in batches. */
const BATCHES_IN_FLIGHT = 5;

/** The settings that other defaults depend on. */
const { preset, recipe, demonstrations, minutes, mode, environments, curation, data } = completeConfig.shape;
export const defaultInputs = z.object({
  preset: preset.exactOptional(),
  recipe: recipe.exactOptional(),
  demonstrations: demonstrations.exactOptional(),
  minutes: minutes.exactOptional(),
  mode: mode.exactOptional(),
  environments: z
    .object({
      kind: environments.shape.kind.exactOptional(),
      desktops: environments.shape.desktops.exactOptional(),
      docker: z.object({ image: environments.shape.docker.shape.image.exactOptional() }).exactOptional(),
    })
    .exactOptional(),
  curation: z.object({ preset: curation.shape.preset.exactOptional() }).exactOptional(),
  data: z.object({ trajectoriesPerBatch: data.shape.trajectoriesPerBatch.exactOptional() }).exactOptional(),
  agent: completeConfig.shape.agent.exactOptional(),
  agents: completeConfig.shape.agents.exactOptional(),
});

export type DefaultInputs = Readonly<z.infer<typeof defaultInputs>>;

export function defaults(chosen: DefaultInputs): Config {
  const { kind = 'pocket' } = chosen.environments ?? {};
  const ofKind = KIND_DEFAULTS[kind];
  const { agent = COMPACT_AGENT, minutes = 5 } = chosen;
  const isModel = agent !== COMPACT_AGENT;
  const { preset = isModel ? 'dart-7b' : presetFor(chosen.demonstrations, ofKind.preset) } = chosen;
  const {
    mode = agentMode({ agent, agents: chosen.agents ?? {} }) ?? ofKind.mode,
    demonstrations = DEMONSTRATIONS[preset],
    recipe: name = 'dart',
  } = chosen;
  const related = relatedSettings(name, isModel, kind);
  const seconds = 60 * minutes;
  const recipe = isModel ? RECIPES[preset] : ofKind.recipe(RECIPES[preset]);
  const { drawing, exploring, trainer, rollouts, stepsPerBatch } = recipe;
  const mostDesktops = Math.min(recipe.desktops, ofKind.recipe(RECIPES[preset]).desktops);
  const { desktops = mostDesktops, docker } = chosen.environments ?? {};
  const { image = 'small' } = docker ?? {};
  const { memoryMb, screen } = imageDefaults(image);
  const { trajectoriesPerBatch = 32 } = chosen.data ?? {};
  return overlaid(related, {
    suite: { tiers: [...ofKind.tiers] },
    mode,
    seed: 'dartboard',
    minutes,
    demonstrations,
    preset,
    recipe: name,
    environments: {
      ...{ kind, desktops, mostEpisodes: 1000, mostAgeMinutes: 60 },
      docker: {
        hosts: [{ address: 'local', capacity: capacityFor(desktops) }],
        ...{ image, memoryMb, screen, spares: 2 },
      },
      web: { browser: 'auto', contextsPerBrowser: 24, size: { width: 480, height: 360 }, allow: [] },
      guest: {
        ...{ hosts: [], password: 'password', network: true, mostScreenshots: 5000 },
        // As OSWorld's runners.
        ...{ downloads: '.dartboard/downloads', judgeDelaySeconds: 20 },
      },
      offline: { patches: 2 },
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
      stalenessUpdates: isModel ? MODEL_STALENESS_UPDATES : ofKind.stalenessUpdates,
      trajectoriesPerBatch,
      trajectoriesAhead: BATCHES_IN_FLIGHT * trajectoriesPerBatch,
      stepsPerBatch,
      batchesAhead: 2,
      ahead: desktops,
      rollouts,
      retention: { mostMegabytes: 2000, mostTrajectories: 50_000 },
    },
    curation: curationOf(related.curation?.preset ?? chosen.curation?.preset ?? 'dart', ofKind.patience),
    // Names in pixels cannot be replaced.
    trainer: { ...trainer, renaming: mode === 'screenshot' ? 0 : trainer.renaming },
    evaluation: {
      everySeconds: ofKind.evaluationInterval(seconds),
      instances: ofKind.instances,
      lastInstances: ofKind.lastInstances,
      desktops: ofKind.evaluationDesktops(desktops),
    },
    fabric: { kind: 'embedded', servers: ['nats://127.0.0.1:4222'], listen: '127.0.0.1:0' },
    index: { kind: 'embedded' },
    agent: COMPACT_AGENT,
    agents: {},
  });
}

/** The defaults with the values of a recipe of a related system. */
const overlaid = (related: RelatedSettings, base: Config): Config =>
  Object.keys(related).length === 0
    ? base
    : completeConfig.parse(
        treeOf(leavesOf(base).map(({ path, value }) => ({ path, value: valueAt(related, path) ?? value }))),
      );

/** A number of demonstrations selects the preset that uses them. */
function presetFor(demonstrations: number | undefined, otherwise: Preset): Preset {
  if (demonstrations === undefined) return otherwise;
  return demonstrations > 0 ? 'taught' : 'scratch';
}
