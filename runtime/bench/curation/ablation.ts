// The curation benchmark with --ablation: short trainings from the same cloned weights under every preset of curation. Everything
// else is equal in all arms: demonstrations, exploration, hindsight, grounding, the recipe of the trainer and the seeds.

import { type Config, parseConfig } from '../../config/config.ts';
import { CURATIONS, type CurationPreset } from '../../config/sections/curation.ts';
import type { Benchmark, BenchResult, Report } from '../report.ts';
import { clonePath, train, trainClone, withTrainingFolder } from '../training.ts';
import { type Arms, certaintyOf, compareSteps, curvesOf, pairsOf } from './comparison.ts';
import { certain, difference, type Mean, meanOf, successOf } from './statistics.ts';
import { type Course, courseOf, endOf, lead, leadAtEnd } from './steps-to-success.ts';

const SEEDS = 5;
const MINUTES = 10;
const DEMONSTRATIONS = 5;
export const EVALUATIONS = 10;
const NEVER_SECONDS = 86_400;

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
export function cloningConfig({ suite, cloningMinutes, instances }: AblationSetting): Config {
  return parseConfig({
    ...{ suite, seed: 'ablation', minutes: cloningMinutes, demonstrations: DEMONSTRATIONS },
    // It explores until the end, and what it finds is not imitated.
    exploring: { firstSeconds: 0.999 * 60 * cloningMinutes },
    trainer: CLONING,
    evaluation: { everySeconds: NEVER_SECONDS, instances: 1, lastInstances: instances },
  });
}

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

/** The seeds of each arm, in the same order. */
export type AblationArms = ReadonlyMap<CurationPreset, readonly AblationRun[]>;

export const ablation: Benchmark = {
  name: 'curation',
  variant: 'ablation',
  seeds: SEEDS,
  summary: `trainings with all of DART's curation, with none, and without each part (--minutes ${MINUTES} each)`,
  run: async (report, { minutes = MINUTES, seeds }) => {
    const setting = settingFor(minutes);
    const count = 1 + CURATIONS.length * seeds;
    const cloned = await report.part('cloning', count, () =>
      trainClone(cloningConfig(setting), report, 'curation-ablation', async (_, state) => ({
        course: courseOf(state.curve),
      })),
    );
    const from = await clonePath(report, cloned.file);
    const arms = new Map<CurationPreset, readonly AblationRun[]>(CURATIONS.map(arm => [arm, []]));
    // The arms of the main figure come first, seed by seed, so that an unfinished run can be compared.
    const isMain = (arm: CurationPreset) => arm === FULL || arm === PLAIN;
    for (const group of [CURATIONS.filter(isMain), CURATIONS.filter(arm => !isMain(arm))])
      for (let seed = 0; seed < seeds; seed++)
        for (const arm of group) {
          const config = armConfig(arm, seed, setting);
          const run = await report.part(`${arm}, seed ${seed}`, count, () => trainArm(config, from, report));
          arms.set(arm, [...(arms.get(arm) ?? []), run]);
        }
    const { config, ...result } = ablationResult(arms, cloned.course);
    report.say(`  ${config['reaching']}`);
    return { ...result, config: { ...setting, arms: CURATIONS, ...config } };
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

export function ablationResult(arms: AblationArms, cloned: Course): BenchResult {
  const start = endOf([cloned]).rate;
  const courses: Arms<CurationPreset> = new Map(
    [...arms].map(([arm, runs]) => [arm, runs.map(({ course }) => course)]),
  );
  const means: (readonly [string, Mean])[] = [...courses].map(([arm, each]) => [
    `success_${figureName(arm)}`,
    successOf(each.flatMap(course => course.at(-1) ?? [])),
  ]);
  const plainGains = (courses.get(PLAIN) ?? []).map(course => endOf([course]).rate - start);
  means.push([`${PLAIN}_gain`, difference(plainGains)]);
  for (const arm of arms.keys()) {
    if (arm === FULL || arm === PLAIN) continue;
    const pairs = pairsOf(courses, FULL, arm);
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
