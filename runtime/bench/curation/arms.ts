// What the ablation compares: one cloned policy, and the same training from it under every preset of curation. What is not curation is
// the same in all of them: demonstrations, exploring, hindsight, grounding, the recipe of the trainer, and the chance of each seed.

import { type Config, parseConfig } from '../../config/config.ts';
import { CURATIONS, type CurationPreset } from '../../config/sections/curation.ts';

export interface Setting {
  readonly suite: { readonly tiers: readonly number[] } | { readonly tasks: readonly string[] };
  /** Of an arm. */
  readonly minutes: number;
  readonly cloningMinutes: number;
  /** Of each task, the same in every measurement: what is hard about some of them would else seem to be progress. */
  readonly instances: number;
}

const DEMONSTRATIONS = 5;
/** Measurements on the way; each takes time from the training that it measures. */
const MEASURED = 10;
/**
 * In every arm. Beside groups it imitates what the method replays: demonstrations, grounding and hindsight. What else this project imitates, its
 * own successes and whatever there is while no batch is there, teaches so much in short arms that it hides what curation does.
 */
const REPLAYING = {
  // The cloned weights are the end of small steps: whoever goes on from them in large ones loses much of what they know.
  learningRate: 3e-4,
  shares: { beside: 0, successes: 0 },
  passes: { hindsight: 0, beside: 0, successes: 0, demonstrations: 0, grounding: 0 },
};

export const FULL: CurationPreset = 'dart';
export const PLAIN: CurationPreset = 'grpo';
export const ARMS: readonly CurationPreset[] = CURATIONS;

/** Such as 'without_success_pool'. */
export const figureOf = (arm: CurationPreset): string =>
  arm === FULL ? 'full' : arm.replace(/^no-/, 'without-').replaceAll('-', '_');

/**
 * Of each step that is shown, and no more afterwards: how well the cloned weights do is then up to this, and not to how quick the machine
 * is. They have to leave room for what is compared; some 20 % of tiers 2 and 3.
 */
const CLONING = {
  shares: { hindsight: 0, beside: 0 },
  passes: { hindsight: 0, beside: 0, successes: 0, demonstrations: 1.5, grounding: 0 },
  cooling: 1,
};

/** Imitates demonstrations, and plays nothing. */
export function cloningConfig({ suite, cloningMinutes, instances }: Setting): Config {
  const seconds = 60 * cloningMinutes;
  return parseConfig({
    ...{ suite, seed: 'ablation', minutes: cloningMinutes, demonstrations: DEMONSTRATIONS },
    // Until the very end it would explore; what it finds is not imitated.
    exploring: { firstSeconds: 0.999 * seconds },
    trainer: CLONING,
    evaluation: { everySeconds: 86_400, instances: 1, lastInstances: instances },
  });
}

export function armConfig(arm: CurationPreset, seed: number, setting: Setting): Config {
  const { suite, minutes, instances } = setting;
  return parseConfig({
    ...{ suite, seed: `ablation/${seed}`, minutes, demonstrations: DEMONSTRATIONS },
    curation: { preset: arm },
    trainer: REPLAYING,
    // The policy can do something already.
    exploring: { firstSeconds: 0 },
    evaluation: { everySeconds: Math.max(1, (60 * minutes) / MEASURED), instances, lastInstances: instances },
  });
}
