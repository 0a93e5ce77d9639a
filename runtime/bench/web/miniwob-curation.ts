// The miniwob benchmark with --ablation: trainings on pages of middle difficulty, all of a seed from the same cloned weights, under DART's
// curation and under GRPO, with and without importance weights. No arm has injected noise, and no arm imitates. docs/recipes.md has the
// protocol.

import { type Config, parseConfig } from '../../config/config.ts';
import type { CurationPreset } from '../../config/sections/curation.ts';
import { trainClonedArms } from '../arms.ts';
import { FEW_ROLLOUTS, NEVER_SECONDS } from '../cloning-settings.ts';
import { cloneBy, trainArm } from '../curation/ablation.ts';
import { type Arms, certaintyOf, compareSteps, pairsOf } from '../curation/comparison.ts';
import { certain, difference, successOf } from '../curation/statistics.ts';
import { type Course, endOf, leadAtEnd } from '../curation/steps-to-success.ts';
import type { Benchmark, BenchResult } from '../report.ts';
import { miniwobFolder } from './yard.ts';

const SEEDS = 5;
const MINUTES = 20;
const EVALUATIONS = 10;
/** Test instances per page. */
const INSTANCES = 10;
const CLONING_SHARE = 0.1;
/** Of each page that has a scripted solution: all but click-menu-2. */
const DEMONSTRATIONS = 3;
/** Fixed, so that the quality of the clone does not depend on the machine. */
const CLONING_PASSES = 12;

/**
 * Of the pages that the training of all pages learned (docs/results/miniwob.json, 29 November), the twelve whose success on test instances was
 * nearest to 70 %: between chance and done. Of equal ones the first by name.
 */
export const MIDDLE_PAGES = [
  'choose-date-medium',
  'choose-list',
  'click-checkboxes-large',
  'click-menu-2',
  'click-pie-nodelay',
  'click-widget',
  'count-shape',
  'email-inbox-forward',
  'find-greatest',
  'generate-number',
  'identify-shape',
  'unicode-test',
] as const;

export const ARMS = ['dart', 'grpo', 'grpo-importance'] as const;
export type Arm = (typeof ARMS)[number];

const CURATION: Readonly<Record<Arm, { readonly preset: CurationPreset; readonly alignment?: boolean }>> = {
  dart: { preset: 'dart' },
  grpo: { preset: 'grpo' },
  'grpo-importance': { preset: 'grpo', alignment: true },
};

/** The same test instances in every evaluation. */
export const evaluationOfPages = (minutes: number) => ({
  everySeconds: Math.max(1, (60 * minutes) / EVALUATIONS),
  ...{ instances: INSTANCES, lastInstances: INSTANCES },
});

const common = (miniwob: string) => ({
  suite: { tasks: MIDDLE_PAGES.map(page => `miniwob-${page}`) },
  environments: { kind: 'web', web: { miniwob } },
});

/** Imitates demonstrations only. Without it, no arm finds successes to learn from: random weights solve nothing, and nothing else is random. */
export const cloneConfig = (seed: number, miniwob: string, minutes: number): Config =>
  parseConfig({
    ...common(miniwob),
    ...{ seed: `miniwob/cloned/${seed}`, minutes: CLONING_SHARE * minutes, demonstrations: DEMONSTRATIONS },
    trainer: { policyWeight: 0, shares: { successes: 0 }, passes: { demonstrations: CLONING_PASSES } },
    data: FEW_ROLLOUTS,
    evaluation: { everySeconds: NEVER_SECONDS, instances: 1, lastInstances: INSTANCES },
  });

export const armConfig = (arm: Arm, seed: number, miniwob: string, minutes: number): Config =>
  parseConfig({
    ...common(miniwob),
    ...{ seed: `miniwob/${seed}`, minutes },
    curation: CURATION[arm],
    rollout: { exploration: 0, daring: 0 },
    // Larger steps would destroy what the cloned weights can do.
    trainer: { learningRate: 3e-4, shares: { successes: 0 }, passes: { successes: 0 } },
    evaluation: evaluationOfPages(minutes),
  });

export const miniwobCuration: Benchmark = {
  name: 'miniwob',
  variant: 'ablation',
  seeds: SEEDS,
  summary: `DART against GRPO on twelve pages, from the same cloned weights (--minutes ${MINUTES} each)`,
  minutes: MINUTES,
  addsSeeds: true,
  arms: ARMS,
  run: async (report, { minutes = MINUTES, seeds, miniwob: folder, arms: chosen }) => {
    const pages = miniwobFolder(folder);
    const plan = { arms: ARMS, seeds, chosen };
    const { starts, runs, clonedAgain } = await trainClonedArms(report, plan, {
      clone: seed => cloneBy(cloneConfig(seed, pages, minutes), report),
      train: async (arm, seed, from) => {
        const { course } = await trainArm(armConfig(arm, seed, pages, minutes), from, report);
        return course;
      },
    });
    const cloned = starts.map(({ course }) => course);
    const { config, ...result } = curationResult(runs, cloned);
    for (const sentence of Object.values(config)) report.say(`  ${sentence}`);
    const setting = { minutes, demonstrations: DEMONSTRATIONS, pages: MIDDLE_PAGES, instances: INSTANCES };
    return { ...result, config: { ...setting, clonedAgain, ...config } };
  },
};

/** A ratio that is unknown or infinite is no number; the sentence in `config` states it. `cloned`: the start of each seed. */
export function curationResult(arms: Arms<Arm>, cloned: readonly Course[]): BenchResult {
  const start = endOf(cloned).rate;
  const compared = [
    { name: 'dart_vs_clean_grpo', ...compareSteps(arms, 'dart', 'grpo', start) },
    { name: 'dart_vs_clean_grpo_importance', ...compareSteps(arms, 'dart', 'grpo-importance', start) },
  ];
  const leads = [
    { name: 'dart_minus_grpo', ...difference(pairsOf(arms, 'dart', 'grpo').map(leadAtEnd)) },
    {
      name: 'dart_minus_grpo_importance',
      ...difference(pairsOf(arms, 'dart', 'grpo-importance').map(leadAtEnd)),
    },
  ];
  const success = [...arms].map(([arm, courses]) => ({
    name: `success_${arm.replace('-', '_')}`,
    ...successOf(courses.flatMap(course => course.at(-1) ?? [])),
  }));
  const ratios = compared.flatMap(({ name, ratio = Number.NaN, low = Number.NaN, high = Number.NaN }) => [
    [`${name}_steps`, ratio],
    [`${name}_ci_low`, low],
    [`${name}_ci_high`, high],
  ]);
  return {
    figures: {
      success_cloned: start,
      ...Object.fromEntries([...success, ...leads].map(({ name, mean }) => [name, mean])),
      ...Object.fromEntries(ratios),
    },
    certainty: {
      ...Object.fromEntries([...success, ...leads].map(({ name, ...mean }) => [name, certain(mean)])),
      ...Object.fromEntries(compared.map(({ name, ...each }) => [`${name}_steps`, certaintyOf(each) ?? {}])),
    },
    series: Object.fromEntries(
      [...arms].flatMap(([arm, courses]) =>
        courses.map((course, seed) => [
          `success by environment steps/${arm} ${seed}`,
          course.map(({ steps, successes, trials }) => ({ x: steps, y: successes / trials })),
        ]),
      ),
    ),
    config: Object.fromEntries(compared.map(({ name, sentence }) => [name, sentence])),
  };
}
