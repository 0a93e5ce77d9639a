// The defaults that depend on the kind of desktops. Desktops in containers and browsers take memory and time, and cannot be explored.

import { TIERS, type Tier } from '../environments/suite.ts';
import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import { NO_EXPLORING, type Recipe } from './recipe.ts';
import type { Config, Preset } from './shape.ts';

export interface KindDefaults {
  /** When neither a preset nor demonstrations are given. */
  readonly preset: Preset;
  readonly tiers: readonly Tier[];
  /** Of the built-in policy. */
  readonly mode: Config['mode'];
  /** Adapts the recipe of a preset. */
  readonly recipe: (recipe: Recipe) => Recipe;
  /** Desktops of evaluations, by the number of those of training. */
  readonly evaluationDesktops: (desktops: number) => number;
  /** In optimiser steps. Longer episodes are older when they end. */
  readonly stalenessUpdates: number;
  /** Rollouts in which a task may fail before it is played less often. */
  readonly patience: number;
  readonly instances: number;
  readonly lastInstances: number;
  /** Seconds between two evaluations, by the seconds of training. */
  readonly evaluationInterval: (seconds: number) => number;
}

export const KIND_DEFAULTS: Readonly<Record<DesktopKind, KindDefaults>> = {
  pocket: {
    preset: 'scratch',
    tiers: [1],
    mode: 'screenshot_a11y_tree',
    recipe: recipe => recipe,
    evaluationDesktops: desktops => desktops,
    stalenessUpdates: 500,
    patience: 0,
    instances: 4,
    lastInstances: 20,
    evaluationInterval: seconds => Math.min(60, Math.max(3, seconds / 20)),
  },
  docker: {
    // Random actions never solve a task on a real desktop.
    preset: 'taught',
    tiers: [1],
    mode: 'screenshot_a11y_tree',
    recipe: ({ drawing, trainer, ...recipe }) => ({
      ...recipe,
      desktops: 8,
      // About two episodes finish per second: a batch must be full before its steps are stale.
      stepsPerBatch: 48,
      // A policy that imitates demonstrations fails mostly through random actions.
      drawing: { ...drawing, exploration: 0.01, daring: 0.1 },
      exploring: NO_EXPLORING,
      trainer: {
        ...trainer,
        // There are few groups, so larger steps lose more than a group teaches.
        learningRate: 3e-4,
        // The same few instances recur, so the policy would memorise their names.
        renaming: 0.8,
        publishSeconds: 20,
        // Imitation takes processor time from the desktops, and little of the data is new.
        passes: { hindsight: 0, beside: 0, successes: 4, demonstrations: 100, grounding: 100 },
      },
    }),
    evaluationDesktops: desktops => Math.ceil(desktops / 2),
    stalenessUpdates: 4000,
    patience: 0,
    instances: 1,
    lastInstances: 4,
    evaluationInterval: seconds => Math.min(600, Math.max(60, seconds / 10)),
  },
  web: {
    // Random clicks solve the shortest tasks, from which the policy learns the next ones.
    preset: 'scratch',
    tiers: [1],
    mode: 'screenshot_a11y_tree',
    recipe: ({ drawing, trainer, ...recipe }) => ({
      ...recipe,
      desktops: 8,
      // A page has a thousand instances. Nearly all were never solved, so nearly every group has extra exploration as well. It leads half of
      // the rollouts of a page that never succeeds.
      drawing: { ...drawing, exploration: 0.02, daring: 0.8, guided: true },
      exploring: NO_EXPLORING,
      trainer: {
        ...trainer,
        // Loading weights takes processor time from the browser.
        publishSeconds: 3,
        // With more passes the policy memorises the instances, and imitation takes processor time from the browser.
        passes: { ...trainer.passes, successes: 8, demonstrations: 20 },
      },
    }),
    evaluationDesktops: desktops => Math.ceil(desktops / 2),
    stalenessUpdates: 1000,
    // Guided decisions solve some pages in one of a hundred episodes.
    patience: 256,
    instances: 2,
    lastInstances: 10,
    evaluationInterval: seconds => Math.min(600, Math.max(15, seconds / 15)),
  },
  guest: {
    // OSWorld's tasks are for pretrained models, which an agent of `agents` is.
    preset: 'scratch',
    tiers: TIERS.filter(tier => tier > 2),
    mode: 'screenshot_a11y_tree',
    recipe: ({ trainer, ...recipe }) => ({
      ...recipe,
      desktops: 1,
      exploring: NO_EXPLORING,
      // An episode takes minutes.
      stepsPerBatch: 48,
      trainer: { ...trainer, publishSeconds: 20 },
    }),
    evaluationDesktops: () => 1,
    stalenessUpdates: 4000,
    patience: 0,
    instances: 1,
    lastInstances: 1,
    evaluationInterval: seconds => Math.min(3600, Math.max(600, seconds / 5)),
  },
  offline: {
    // Random actions match none of an expert.
    preset: 'taught',
    tiers: [3],
    // Stored screens have no elements.
    mode: 'screenshot',
    recipe: ({ drawing, ...recipe }) => ({
      ...recipe,
      desktops: 8,
      drawing: { ...drawing, exploration: 0.01 },
      exploring: NO_EXPLORING,
    }),
    evaluationDesktops: desktops => Math.ceil(desktops / 2),
    stalenessUpdates: 500,
    patience: 0,
    instances: 1,
    lastInstances: 1,
    evaluationInterval: seconds => Math.min(600, Math.max(15, seconds / 15)),
  },
};

/** The default capacity of an engine: enough for the desktops of training and evaluation, and for spares. */
export const capacityFor = (desktops: number): number => 2 * desktops + 8;
