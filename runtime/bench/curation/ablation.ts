// The curation benchmark with --ablation: short trainings under every preset of curation, all of a seed from the same cloned weights.
// Everything else is equal in all arms: demonstrations, exploration, hindsight, grounding, the recipe of the trainer and the seeds.

import { type Config, parseConfig } from '../../config/config.ts';
import { CURATIONS, type CurationPreset } from '../../config/sections/curation.ts';
import { type ArmRuns, trainClonedArms } from '../arms.ts';
import { NEVER_SECONDS } from '../cloning-settings.ts';
import type { Benchmark, BenchResult, Report } from '../report.ts';
import { train, trainClone, withTrainingFolder } from '../training.ts';
import { type Arms, certaintyOf, compareSteps, curvesOf, pairsOf } from './comparison.ts';
import { certain, difference, type Mean, meanOf, successOf } from './statistics.ts';
import { type Course, courseOf, endOf, lead, leadAtEnd } from './steps-to-success.ts';

const SEEDS = 5;
const MINUTES = 10;
const DEMONSTRATIONS = 5;
export const EVALUATIONS = 10;

export interface AblationSetting {
  readonly suite: { readonly tiers: readonly number[] } | { readonly tasks: readonly string[] };
  readonly minutes: number;
  readonly cloningMinutes: number;
  /** Test instances per task, the same in every evaluation. */
  readonly instances: number;
}

export const settingFor = (minutes: number): AblationSetting => ({
  ...{ suite: { tiers: [2, 3] }, minutes, cloningMinutes: minutes / 10, instances: 6 },
});

/** Demonstrations are imitated for a fixed number of passes: the quality of the clone must not depend on the machine. */
const CLONING = {
  shares: { hindsight: 0, beside: 0 },
  passes: { hindsight: 0, beside: 0, successes: 0, demonstrations: 1.5, grounding: 0 },
  cooling: 1,
};

/** Imitates demonstrations and rolls out nothing; solves about 20 % of tiers 2 and 3. */
export function cloningConfig(
  name: string,
  seed: number,
  { suite, cloningMinutes, instances }: AblationSetting,
): Config {
  return parseConfig({
    ...{ suite, seed: `${name}/cloned/${seed}`, minutes: cloningMinutes, demonstrations: DEMONSTRATIONS },
    // It explores until the end, and what it finds is not imitated.
    exploring: { firstSeconds: 0.999 * 60 * cloningMinutes },
    trainer: CLONING,
    evaluation: { everySeconds: NEVER_SECONDS, instances: 1, lastInstances: instances },
  });
}

/** The start of all arms of a seed, and its success. */
export const cloneBy = (config: Config, report: Report) =>
  trainClone(config, report, async (_, state) => ({ course: courseOf(state.curve) }));

export const cloneSeed = (name: string, seed: number, setting: AblationSetting, report: Report) =>
  cloneBy(cloningConfig(name, seed, setting), report);

/**
 * Every arm imitates demonstrations, grounding and hindsight examples beside its groups. Imitation of own successes is off: in short
 * arms it teaches so much that it hides the effect of curation.
 */
const ARM_TRAINER = {
  // Larger steps would destroy what the cloned weights can do.
  learningRate: 3e-4,
  shares: { beside: 0, successes: 0 },
  passes: { hindsight: 0, beside: 0, successes: 0, demonstrations: 0, grounding: 0 },
};

export function armConfig(arm: CurationPreset, seed: number, setting: AblationSetting): Config {
  const { suite, minutes, instances } = setting;
  return parseConfig({
    ...{ suite, seed: `ablation/${seed}`, minutes, demonstrations: DEMONSTRATIONS },
    curation: { preset: arm },
    trainer: ARM_TRAINER,
    exploring: { firstSeconds: 0 },
    evaluation: {
      everySeconds: Math.max(1, (60 * minutes) / EVALUATIONS),
      ...{ instances, lastInstances: instances },
    },
  });
}

const FULL: CurationPreset = 'dart';
const PLAIN: CurationPreset = 'grpo';
const NO_ALIGNMENT: CurationPreset = 'no-alignment';

export interface AblationRun {
  readonly course: Course;
  /** Steps of the explorer beside the rollouts; they do not count as environment steps of the policy. */
  readonly explored: number;
}

export const ablation: Benchmark = {
  name: 'curation',
  variant: 'ablation',
  seeds: SEEDS,
  summary: `trainings with all of DART's curation, with none, and without each part (--minutes ${MINUTES} each)`,
  minutes: MINUTES,
  addsSeeds: true,
  arms: CURATIONS,
  run: async (report, { minutes = MINUTES, seeds, arms: chosen }) => {
    const setting = settingFor(minutes);
    const plan = { arms: CURATIONS, seeds, chosen };
    const { starts, runs, clonedAgain } = await trainClonedArms(report, plan, {
      clone: seed => cloneSeed('ablation', seed, setting, report),
      train: (arm, seed, from) => trainArm(armConfig(arm, seed, setting), from, report),
    });
    const cloned = starts.map(({ course }) => course);
    const { config, ...result } = ablationResult(runs, cloned);
    report.say(`  ${config['reaching']}`);
    return { ...result, config: { ...setting, arms: [...runs.keys()], clonedAgain, ...config } };
  },
};

/** From random weights without `from`. */
export const trainArm = (config: Config, from: string | undefined, report: Report): Promise<AblationRun> =>
  withTrainingFolder(report, async root => {
    const state = await train(root, config, report, from === undefined ? {} : { from });
    // Missing if the run explored nothing.
    const explored = state.trainer.metrics['env/explored_steps'] ?? 0;
    return { course: courseOf(state.curve), explored };
  });

/** `cloned`: the start of each seed. */
export function ablationResult(
  arms: ArmRuns<CurationPreset, AblationRun>,
  cloned: readonly Course[],
): BenchResult {
  const start = endOf(cloned).rate;
  const courses: Arms<CurationPreset> = new Map(
    [...arms].map(([arm, runs]) => [arm, runs.map(({ course }) => course)]),
  );
  const means: (readonly [string, Mean])[] = [...courses].map(([arm, each]) => [
    `success_${figureName(arm)}`,
    successOf(each.flatMap(course => course.at(-1) ?? [])),
  ]);
  const plainGains = (courses.get(PLAIN) ?? []).flatMap((course, seed) => {
    const begin = cloned[seed];
    return begin === undefined ? [] : [endOf([course]).rate - endOf([begin]).rate];
  });
  if (plainGains.length > 0) means.push([`${PLAIN}_gain`, difference(plainGains)]);
  for (const arm of arms.keys()) {
    if (arm === FULL || arm === PLAIN) continue;
    const pairs = pairsOf(courses, FULL, arm);
    if (pairs.length === 0) continue;
    means.push([`loss_${figureName(arm)}`, difference(pairs.map(lead))]);
    // A faster program takes more steps while the learning rate falls by the time: neither way to compare is fair alone.
    means.push([`loss_${figureName(arm)}_at_end`, difference(pairs.map(leadAtEnd))]);
  }
  const steps = compareSteps(courses, FULL, PLAIN, start);
  const noAlignment = compareSteps(courses, NO_ALIGNMENT, PLAIN, start);
  const [certainty, withoutAlignment] = [certaintyOf(steps), certaintyOf(noAlignment)];
  const perArm = (of: (runs: readonly AblationRun[]) => number) =>
    Object.fromEntries([...arms].map(([arm, runs]) => [arm, Math.round(of(runs))]));
  return {
    figures: {
      ...figureOf('dart_vs_grpo_steps', steps.ratio),
      ...figureOf('dart_vs_grpo_ci_low', steps.low),
      ...figureOf('dart_vs_grpo_ci_high', steps.high),
      ...figureOf('no_alignment_vs_grpo_steps', noAlignment.ratio),
      success_cloned: start,
      ...Object.fromEntries(means.map(([name, { mean }]) => [name, mean])),
    },
    certainty: {
      ...(certainty !== undefined && { dart_vs_grpo_steps: certainty }),
      ...(withoutAlignment !== undefined && { no_alignment_vs_grpo_steps: withoutAlignment }),
      ...Object.fromEntries(means.map(([name, mean]) => [name, certain(mean)])),
    },
    series: curvesOf(courses),
    config: {
      seedsOfArms: perArm(runs => runs.length),
      steps: perArm(runs => endOf(runs.map(({ course }) => course)).steps),
      explored: perArm(runs => meanOf(runs.map(({ explored }) => explored)).mean),
      reaching: steps.sentence,
    },
  };
}

/** Such as 'without_success_pool'. */
const figureName = (arm: CurationPreset): string =>
  arm === FULL ? 'full' : arm.replace(/^no-/, 'without-').replaceAll('-', '_');

const figureOf = (name: string, value: number | undefined) => value !== undefined && { [name]: value };
