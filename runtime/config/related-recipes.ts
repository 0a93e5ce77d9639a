// The recipes of related systems, as values of settings over those of DART. docs/recipes.md compares them, docs/method.md has their formulas.
// A value is published unless its comment calls it ours.

import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import type { Config, RecipeName } from './shape.ts';

export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [Name in keyof T]?: DeepPartial<T[Name]> }
    : T;

export type RelatedSettings = DeepPartial<
  Pick<Config, 'trainer' | 'curation' | 'exploring' | 'environments'>
>;

interface RelatedRecipe {
  readonly both: RelatedSettings;
  /** Values for the built-in policy, whose updates are smaller. */
  readonly ofPolicy: RelatedSettings;
  /** Values for agents that reply in tokens. */
  readonly ofModel: RelatedSettings;
  /** Values for stored trajectories, over the others. */
  readonly offline?: RelatedSettings;
}

/** All differences of an episode: no trajectory has more steps. */
const MOST_PATCHES = 1000;

/** Shao et al. 2024. The clip is that of PPO; there is neither a dual clip nor an importance weight. */
const GRPO: RelatedRecipe = {
  both: {
    curation: { preset: 'grpo' },
    trainer: {
      advantages: 'rollouts',
      objective: { clipLow: 0.2, clipHigh: 0.2, dualClip: 0 },
    },
  },
  ofPolicy: {},
  // From random weights β is 0: a term that keeps the policy near them has no use.
  ofModel: { trainer: { objective: { divergence: 0.04 } } },
};

/** Each step of a stored trajectory is a prompt of its own, so every action is followed by the expert's next screen. */
const singleActions = (advantages: 'actions' | 'parts'): RelatedSettings => ({
  trainer: { advantages, shaping: { format: 0 } },
  environments: { offline: { patches: MOST_PATCHES } },
});

const RELATED_RECIPES: Readonly<Record<Exclude<RecipeName, 'dart'>, RelatedRecipe>> = {
  grpo: GRPO,
  dapo: {
    both: {
      curation: { preset: 'grpo' },
      trainer: {
        advantages: 'rollouts',
        aggregation: 'tokens',
        shaping: { overlong: 0.2 },
        objective: { clipLow: 0.2, clipHigh: 0.28, dualClip: 0, divergence: 0 },
      },
    },
    ofPolicy: {},
    ofModel: {},
  },
  gspo: {
    both: {
      curation: { preset: 'grpo' },
      trainer: {
        advantages: 'rollouts',
        // A ratio per reply varies little, so its clip is narrow.
        objective: { ratio: 'sequence', clipLow: 3e-4, clipHigh: 4e-4, dualClip: 0, divergence: 0 },
      },
    },
    ofPolicy: {},
    ofModel: {},
  },
  c3po: {
    both: {
      curation: { preset: 'grpo' },
      trainer: { advantages: 'rollouts', objective: { clipLow: 0.2, clipHigh: 0.2, dualClip: 0 } },
    },
    // The budgets are ours: those of a batch of Ring-lite (409,600 tokens) do not fit the batches here.
    ofPolicy: { trainer: { budget: 48 } },
    ofModel: { trainer: { budget: 8192, objective: { divergence: 1e-3 } } },
  },
  'computer-rl': {
    both: {
      curation: { preset: 'grpo' },
      trainer: {
        advantages: 'contributions',
        objective: { clipLow: 0.2, clipHigh: 0.2, dualClip: 0 },
        // Nothing is imitated beside an update, only in phases. Their lengths are ours.
        replay: 0,
        shares: { hindsight: 0, beside: 0, successes: 1, grounding: 0 },
        pulse: { imitation: 200, policy: 600 },
      },
    },
    // Its phases imitate own successes and demonstrations, and nothing that exploration finds.
    ofPolicy: { exploring: { firstSeconds: 0, searching: 0, otherwise: 0, hindsight: false } },
    ofModel: {},
  },
  'mobile-rl': {
    both: {
      curation: { preset: 'grpo', coolDown: true },
      trainer: {
        advantages: 'rollouts',
        objective: { clipLow: 0.2, clipHigh: 0.2, dualClip: 0 },
        // α, γ and κ are ours: they are not published.
        shaping: { shortestPath: 0.5 },
        positives: { share: 0.2, perBatch: 4 },
      },
    },
    ofPolicy: {},
    ofModel: {},
  },
  'mobile-r1': {
    ...GRPO,
    // Both weights are ours: they are not published.
    ofModel: { trainer: { shaping: { format: 1 }, objective: { divergence: 0.04 } } },
    offline: singleActions('actions'),
  },
  'craft-gui': {
    both: {
      // The number of stages is ours: it is not published.
      curation: { preset: 'grpo', stages: 3 },
      trainer: { advantages: 'rollouts', objective: { clipLow: 0.2, clipHigh: 0.2, dualClip: 0 } },
    },
    ofPolicy: {},
    ofModel: {},
    offline: singleActions('parts'),
  },
  'ui-s1': {
    both: {
      curation: { preset: 'grpo' },
      trainer: { advantages: 'matches', objective: { clipLow: 0.2, clipHigh: 0.2, dualClip: 0 } },
    },
    ofPolicy: {},
    ofModel: { trainer: { objective: { divergence: 1e-4 } } },
  },
  'digi-rl': {
    both: {
      curation: { preset: 'grpo' },
      // Steps of advantage 1 are imitated: no clip limits them.
      trainer: { advantages: 'filtered', objective: { clipHigh: 10, dualClip: 0, divergence: 0 } },
    },
    // Other successes are not imitated.
    ofPolicy: { trainer: { shares: { successes: 0 } } },
    ofModel: {},
  },
  'ui-tars-2': {
    both: {
      curation: { preset: 'grpo' },
      trainer: {
        advantages: 'values',
        objective: { clipLow: 0.2, clipHigh: 0.28, dualClip: 0, divergence: 0 },
      },
    },
    ofPolicy: {},
    ofModel: {},
  },
};

/** The values of a recipe for one kind of agent and of desktops; none for DART. */
export function relatedSettings(name: RecipeName, isModel: boolean, kind: DesktopKind): RelatedSettings {
  if (name === 'dart') return {};
  const { both, ofPolicy, ofModel, offline = {} } = RELATED_RECIPES[name];
  const layers = [both, isModel ? ofModel : ofPolicy, ...(kind === 'offline' ? [offline] : [])];
  return layers.reduce((below, above) => ({
    exploring: { ...below.exploring, ...above.exploring },
    curation: { ...below.curation, ...above.curation },
    trainer: {
      ...{ ...below.trainer, ...above.trainer },
      objective: { ...below.trainer?.objective, ...above.trainer?.objective },
    },
    environments: { ...below.environments, ...above.environments },
  }));
}
