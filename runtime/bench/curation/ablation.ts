// The curation benchmark with --ablation: short trainings from the same cloned weights under every preset of curation. Everything
// else is equal in all arms: demonstrations, exploration, hindsight, grounding, the recipe of the trainer and the seeds.

import { type Config, parseConfig } from '../../config/config.ts';
import { CURATIONS, type CurationPreset } from '../../config/sections/curation.ts';
import { seeded } from '../../core/rng.ts';
import type { Benchmark, BenchResult, Report } from '../report.ts';
import { clonePath, train, trainClone, withTrainingFolder } from '../training.ts';
import { certain, difference, type Mean, meanOf, successOf } from './statistics.ts';
import {
  type Course,
  courseOf,
  endOf,
  lead,
  type Pair,
  ratioInterval,
  stepsRatio,
} from './steps-to-success.ts';

const SEEDS = 5;
const MINUTES = 10;
const DEMONSTRATIONS = 5;
const EVALUATIONS = 10;
const NEVER_SECONDS = 86_400;

export interface AblationSetting {
  readonly suite: { readonly tiers: readonly number[] } | { readonly tasks: readonly string[] };
  readonly minutes: number;
  readonly cloningMinutes: number;
  /** Test instances per task, the same in every evaluation. */
  readonly instances: number;
}

const settingFor = (minutes: number): AblationSetting => ({
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
  isSpeedIndependent: true,
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

const trainArm = (config: Config, from: string, report: Report): Promise<AblationRun> =>
  withTrainingFolder(report, async root => {
    const state = await train(root, config, report, { from });
    // Missing if the run explored nothing.
    const explored = state.trainer.metrics['env/explored_steps'] ?? 0;
    return { course: courseOf(state.curve), explored };
  });

export function ablationResult(arms: AblationArms, cloned: Course): BenchResult {
  const start = endOf([cloned]).rate;
  const means: (readonly [string, Mean])[] = [...arms.keys()].map(arm => [
    `success_${figureName(arm)}`,
    successOf(coursesOf(arms, arm).flatMap(course => course.at(-1) ?? [])),
  ]);
  const plainGains = coursesOf(arms, PLAIN).map(course => endOf([course]).rate - start);
  means.push([`${PLAIN}_gain`, difference(plainGains)]);
  for (const arm of arms.keys())
    if (arm !== FULL && arm !== PLAIN)
      means.push([`loss_${figureName(arm)}`, difference(pairsOf(arms, FULL, arm).map(lead))]);
  const { sentence, figures, interval } = stepsFigures(arms, start);
  const perArm = (of: (runs: readonly AblationRun[]) => number) =>
    Object.fromEntries([...arms].map(([arm, runs]) => [arm, Math.round(of(runs))]));
  return {
    figures: {
      ...figures,
      success_cloned: start,
      ...Object.fromEntries(means.map(([name, { mean }]) => [name, mean])),
    },
    certainty: {
      ...(interval !== undefined && { dart_vs_grpo_steps: interval }),
      ...Object.fromEntries(means.map(([name, mean]) => [name, certain(mean)])),
    },
    series: Object.fromEntries(
      [...arms.keys()].map(arm => [`success by environment steps/${arm}`, meanCurve(coursesOf(arms, arm))]),
    ),
    config: {
      steps: perArm(runs => endOf(runs.map(({ course }) => course)).steps),
      explored: perArm(runs => meanOf(runs.map(({ explored }) => explored)).mean),
      reaching: sentence,
    },
  };
}

/** Such as 'without_success_pool'. */
const figureName = (arm: CurationPreset): string =>
  arm === FULL ? 'full' : arm.replace(/^no-/, 'without-').replaceAll('-', '_');

const coursesOf = (arms: AblationArms, arm: CurationPreset): readonly Course[] =>
  (arms.get(arm) ?? []).map(({ course }) => course);

/** The seeds that both arms have. */
const pairsOf = (arms: AblationArms, one: CurationPreset, other: CurationPreset): readonly Pair[] =>
  coursesOf(arms, one).flatMap((course, seed) => {
    const counterpart = coursesOf(arms, other)[seed];
    return counterpart === undefined ? [] : [{ one: course, other: counterpart }];
  });

/** An infinite ratio or end of an interval has no figure; the sentence states it. */
function stepsFigures(arms: AblationArms, start: number) {
  const end = endOf(coursesOf(arms, PLAIN)).rate;
  if (end <= start)
    return {
      sentence: `${PLAIN} ends at ${percent(end)} and began at ${percent(start)}: it gained nothing that ${FULL} could reach sooner`,
      figures: {},
    };
  const pairs = pairsOf(arms, FULL, PLAIN);
  const ratio = stepsRatio(pairs);
  const interval = ratioInterval(pairs, seeded('reaching'));
  const { low = Number.NaN, high = Number.NaN } = interval ?? {};
  const figures = {
    dart_vs_grpo_steps: ratio,
    dart_vs_grpo_ci_low: low,
    dart_vs_grpo_ci_high: high,
    no_alignment_vs_grpo_steps: stepsRatio(pairsOf(arms, NO_ALIGNMENT, PLAIN)),
  };
  const bounds =
    interval === undefined
      ? 'no interval from one seed'
      : `95 %: ${low.toFixed(2)} to ${Number.isFinite(high) ? high.toFixed(2) : 'infinity'}; never in ${percent(interval.never)} of the resamples`;
  const goal = `the final success of ${PLAIN} (${percent(end)})`;
  return {
    sentence: Number.isFinite(ratio)
      ? `${FULL} reaches ${goal} in ${ratio.toFixed(2)} of its environment steps (${bounds})`
      : `${FULL} does not reach ${goal} (${bounds})`,
    figures: Object.fromEntries(Object.entries(figures).filter(([, value]) => Number.isFinite(value))),
    ...(Number.isFinite(ratio) && { interval: certain({ low, high }) }),
  };
}

/** The mean of all seeds at each evaluation; the last evaluations of all seeds are one point. */
function meanCurve(courses: readonly Course[]) {
  const shortest = Math.min(...courses.map(({ length }) => length));
  const places = [...Array.from({ length: Math.max(0, shortest - 1) }, (_, place) => place), -1];
  return places.map(place => {
    const all = courses.flatMap(course => course.at(place) ?? []);
    const { mean, ...interval } = successOf(all);
    return { x: Math.round(meanOf(all.map(({ steps }) => steps)).mean), y: mean, ...certain(interval) };
  });
}

const percent = (rate: number): string => `${(100 * rate).toFixed(1)} %`;
