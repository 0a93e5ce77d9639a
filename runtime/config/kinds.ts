// The defaults that depend on the kind of desktops, beside those of a preset: real desktops take memory and time, and nothing can be
// found out on them but by playing.

import type { Config } from './config.ts';
import type { Recipe } from './recipe.ts';
import type { Preset } from './shape.ts';

export type DesktopKind = Config['environments']['kind'];

export interface KindDefaults {
  /** Where nobody says whether there are demonstrations. */
  readonly preset: Preset;
  /** What of a preset's recipe is else on such desktops. */
  readonly recipe: (recipe: Recipe) => Recipe;
  /** Beside so many desktops that train. */
  readonly evaluating: (desktops: number) => number;
  readonly instances: number;
  readonly lastInstances: number;
  /** Of so many seconds of training. */
  readonly measuredEvery: (seconds: number) => number;
}

export const KIND_DEFAULTS: Readonly<Record<DesktopKind, KindDefaults>> = {
  pocket: {
    preset: 'scratch',
    recipe: recipe => recipe,
    evaluating: desktops => desktops,
    instances: 4,
    lastInstances: 20,
    measuredEvery: seconds => Math.min(60, Math.max(3, seconds / 20)),
  },
  docker: {
    // Nobody would ever find out by chance.
    preset: 'taught',
    recipe: ({ drawing, trainer, ...recipe }) => ({
      ...recipe,
      desktops: 8,
      // Episodes take seconds, and there are two a second: a version has to last, and a batch must be full before its steps are too old.
      stepsPerBatch: 48,
      // Whoever is shown how tasks are done fails by chance alone where every step is a little at random.
      drawing: { ...drawing, exploration: 0.01, daring: 0.1 },
      exploring: { firstSeconds: 0, searching: 0, otherwise: 0, hindsight: false, analogy: false },
      trainer: {
        ...trainer,
        // There are few groups, and larger steps lose more than each of them teaches.
        learningRate: 3e-4,
        // The same few instances recur, and their names are soon known by heart.
        renaming: 0.8,
        publishSeconds: 20,
        // Little is new, and whoever imitates takes the processors from the desktops.
        passes: { hindsight: 0, beside: 0, successes: 4, demonstrations: 100, grounding: 100 },
      },
    }),
    evaluating: desktops => Math.ceil(desktops / 2),
    instances: 1,
    lastInstances: 4,
    measuredEvery: seconds => Math.min(600, Math.max(60, seconds / 10)),
  },
};

/** Containers that an engine may hold where nobody says: enough for so many desktops, those that measure, and spares. */
export const capacityFor = (desktops: number): number => 2 * desktops + 8;
