// What is compared on real desktops: weights that know nothing, weights that imitated demonstrations, and those after they went on by
// their own rollouts. What an arm is not about is the same in all. Pure.

import { type Config, parseConfig } from '../../config/config.ts';
import { DOCKER } from '../../environments/docker/tasks/suite.ts';

export interface Setting {
  readonly image: string;
  readonly cloningMinutes: number;
  readonly learningMinutes: number;
  /** Of each task, when an arm is examined. */
  readonly instances: number;
}

export const TASKS = DOCKER.tasks('train');
export const DESKTOPS = 8;
const DEMONSTRATIONS = 5;
/** Measurements on the way; each takes time from the training that it measures. */
const MEASURED = 5;
const NEVER = 86_400;

/** Of all minutes; what is left is for examining. Of forty, the first two: then all demonstrations were shown and a run begins to play. */
const CLONING = 0.05;
const LEARNING = 0.8;
const MINUTES_AN_INSTANCE = 5;
/** The weights have imitated demonstrations already. */
const ONCE_MORE = 4;
/** Who only imitates may take larger steps than who goes on from what was learned. */
const IMITATING = 1e-3;

export const settingFor = (minutes: number, image: string): Setting => ({
  image,
  cloningMinutes: CLONING * minutes,
  learningMinutes: LEARNING * minutes,
  instances: Math.max(1, Math.round(minutes / MINUTES_AN_INSTANCE)),
});

const common = ({ image }: Setting) => ({
  suite: { tasks: [...TASKS] },
  environments: { kind: 'docker', desktops: DESKTOPS, docker: { image } },
  demonstrations: DEMONSTRATIONS,
});

/** At the end an arm is examined beside its run. */
const SELDOM = { everySeconds: NEVER, instances: 1, lastInstances: 1 };

export const arms = {
  /** Every decision at random. */
  chance: (setting: Setting): Config =>
    parseConfig({
      ...common(setting),
      seed: 'docker/chance',
      rollout: { exploration: 1 },
      evaluation: SELDOM,
    }),

  /** Nothing but imitating demonstrations: what is played meanwhile teaches nothing, and is as little as can be. */
  cloning: (setting: Setting): Config =>
    parseConfig({
      ...common(setting),
      ...{ seed: 'docker/cloning', minutes: setting.cloningMinutes },
      trainer: { policyWeight: 0, learningRate: IMITATING, shares: { successes: 0 } },
      data: { stalenessVersions: 0, trajectoriesPerVersion: 2, rollouts: 2, batchesAhead: 1, ahead: 1 },
      evaluation: SELDOM,
    }),

  learning: (setting: Setting, seed: number): Config =>
    parseConfig({
      ...common(setting),
      ...{ seed: `docker/${seed}`, minutes: setting.learningMinutes },
      trainer: { passes: { demonstrations: ONCE_MORE, grounding: ONCE_MORE } },
      evaluation: { ...SELDOM, everySeconds: Math.max(1, (60 * setting.learningMinutes) / MEASURED) },
    }),
} as const;
