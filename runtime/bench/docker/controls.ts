// The Docker benchmark with --controls: from the same cloned weights, all of a training, and the same minutes without RL or without imitation.

import { join } from 'node:path';
import { type Config, parseConfig } from '../../config/config.ts';
import { clustered } from '../../data/interval.ts';
import type { ImageKind } from '../../environments/docker/images.ts';
import { type ArmRuns, trainClonedArms } from '../arms.ts';
import { FEW_ROLLOUTS } from '../cloning-settings.ts';
import { NO_PASSES } from '../curation/controls.ts';
import { certain } from '../curation/statistics.ts';
import type { Benchmark, BenchResult, Report } from '../report.ts';
import { train, trainClone, withTrainingFolder } from '../training.ts';
import {
  cloningConfig,
  type DockerLearnSetting,
  evaluate,
  gainOfSeeds,
  LEARNING_MINUTES,
  learningSettings,
  mergeSeeds,
  settingFor,
  type TaskResults,
  tasksOf,
} from './learn.ts';
import { openEngine } from './stations.ts';

/** `filtered` is `all` where each success has the advantage 1 and failures do not train; `imitation` has the demonstrations alone. */
export const DOCKER_ARMS = ['all', 'imitation', 'filtered', 'rl'] as const;
export type DockerArm = (typeof DOCKER_ARMS)[number];

/** More than the minutes suffice for: it imitates until the end. */
const UNLIMITED = 1000;

const LARGE_MINUTES = 20;
/** Cloning takes this share of an arm's minutes: the script of a large application takes seconds. */
const LARGE_CLONING_SHARE = 0.4;

export function dockerControlConfig(arm: DockerArm, seed: number, setting: DockerLearnSetting): Config {
  const { trainer, ...settings } = learningSettings(setting, seed);
  switch (arm) {
    case 'all':
      return parseConfig({ ...settings, trainer });
    case 'filtered':
      return parseConfig({ ...settings, trainer: { ...trainer, advantages: 'successes' } });
    case 'imitation':
      return parseConfig({
        ...{ ...settings, data: FEW_ROLLOUTS },
        trainer: {
          ...{ policyWeight: 0, shares: { successes: 0 } },
          passes: { demonstrations: UNLIMITED, grounding: UNLIMITED },
        },
      });
    case 'rl':
      // A demonstration could also replace a failure of a group.
      return parseConfig({ ...settings, demonstrations: 0, trainer: { replay: 0, passes: NO_PASSES } });
  }
}

interface Options {
  readonly variant: string;
  readonly image: ImageKind;
  readonly minutes: number;
  readonly settingFor: (minutes: number, image: string) => DockerLearnSetting;
}

const controlsOf = ({ variant, image: kind, minutes: usual, settingFor }: Options): Benchmark => ({
  name: 'docker',
  variant,
  summary: `success on Docker desktops, ${kind} image, with RL and imitation, and with one of them (--minutes ${usual})`,
  minutes: usual,
  addsSeeds: true,
  arms: DOCKER_ARMS,
  run: async (report, { minutes = usual, seeds, arms: chosen }) => {
    const { host, image } = await openEngine(line => report.say(`  ${line}`), kind);
    const { version: engine } = await host.facts();
    host.close();
    const setting = settingFor(minutes, image);
    const plan = { arms: DOCKER_ARMS, seeds, chosen };
    const { starts, runs, clonedAgain } = await trainClonedArms(report, plan, {
      clone: seed =>
        trainClone(cloningConfig(setting, seed), report, async (root, state) => ({
          tasks: await evaluate(join(root, state.run), setting),
        })),
      train: (arm, seed, from) => trainedFrom(from, dockerControlConfig(arm, seed, setting), setting, report),
    });
    const cloned = starts.map(({ tasks }) => tasks);
    return {
      ...dockerControlsResult(cloned, runs, seeds),
      config: { ...setting, tasks: tasksOf(setting).length, arms: [...runs.keys()], clonedAgain },
      versions: { engine },
    };
  },
});

export const dockerControls = controlsOf({
  ...{ variant: 'controls', image: 'small', minutes: LEARNING_MINUTES, settingFor },
});

/** Steps take longer than on the small image, so there are fewer demonstrations and test instances. */
export const dockerLarge = controlsOf({
  ...{ variant: 'large', image: 'large', minutes: LARGE_MINUTES },
  settingFor: (minutes, image) => ({
    ...{ image, demonstrations: 3, instances: 3 },
    ...{ cloningMinutes: LARGE_CLONING_SHARE * minutes, learningMinutes: minutes },
  }),
});

const trainedFrom = (
  from: string,
  config: Config,
  setting: DockerLearnSetting,
  report: Report,
): Promise<TaskResults> =>
  withTrainingFolder(report, async root => {
    const state = await train(root, config, report, { from });
    return evaluate(join(root, state.run), setting);
  });

/** `rl_over_imitation`: all minus imitation. */
export function dockerControlsResult(
  cloned: readonly TaskResults[],
  arms: ArmRuns<DockerArm, TaskResults>,
  seeds: number,
): Omit<BenchResult, 'config'> {
  const merged = new Map([...arms].map(([arm, each]) => [arm, mergeSeeds(each)]));
  const scored = [['cloned', mergeSeeds(cloned)] as const, ...merged].map(([name, tasks]) => ({
    ...{ name: `success_${name}`, score: clustered(tasks) },
  }));
  const { mean, low, high } = gainOfSeeds(arms.get('imitation') ?? [], arms.get('all') ?? []);
  return {
    figures: {
      ...{ arms: arms.size, seeds, rl_over_imitation: mean },
      // One training has no interval.
      ...(Number.isFinite(low) && { rl_over_imitation_ci_low: low }),
      ...Object.fromEntries(scored.map(({ name, score }) => [name, score.rate])),
    },
    certainty: {
      rl_over_imitation: certain({ low, high }),
      ...Object.fromEntries(scored.map(({ name, score: { rate: _, ...interval } }) => [name, interval])),
    },
    series: Object.fromEntries(
      [...merged].map(([arm, tasks]) => [
        `by task/${arm}`,
        tasks
          .filter(({ trials }) => trials > 0)
          .map(({ task, successes, trials }) => ({ x: task, y: successes / trials })),
      ]),
    ),
  };
}
