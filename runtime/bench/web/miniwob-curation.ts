// The miniwob benchmark with --ablation: trainings on pages of middle difficulty from the same random weights, under DART's curation and
// under GRPO, with and without importance weights. No arm has injected noise, and no arm imitates its successes.

import { type Config, parseConfig } from '../../config/config.ts';
import type { CurationPreset } from '../../config/sections/curation.ts';
import { trainArms } from '../arms.ts';
import { trainArm } from '../curation/ablation.ts';
import { type Arms, certaintyOf, compareSteps } from '../curation/comparison.ts';
import { certain, successOf } from '../curation/statistics.ts';
import { endOf } from '../curation/steps-to-success.ts';
import type { Benchmark, BenchResult } from '../report.ts';
import { miniwobFolder } from './yard.ts';

const SEEDS = 5;
const MINUTES = 20;
const EVALUATIONS = 10;
/** Test instances per page. */
const INSTANCES = 10;

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

export const armConfig = (arm: Arm, seed: number, miniwob: string, minutes: number): Config =>
  parseConfig({
    ...{ suite: { tasks: MIDDLE_PAGES.map(page => `miniwob-${page}`) }, seed: `miniwob/${seed}`, minutes },
    environments: { kind: 'web', web: { miniwob } },
    curation: CURATION[arm],
    rollout: { exploration: 0, daring: 0 },
    trainer: { shares: { successes: 0 }, passes: { successes: 0 } },
    evaluation: evaluationOfPages(minutes),
  });

export const miniwobCuration: Benchmark = {
  name: 'miniwob',
  variant: 'ablation',
  seeds: SEEDS,
  summary: `DART against GRPO on twelve pages, from random weights (--minutes ${MINUTES} each)`,
  minutes: MINUTES,
  addsSeeds: true,
  arms: ARMS,
  run: async (report, { minutes = MINUTES, seeds, miniwob: folder, arms: chosen }) => {
    const pages = miniwobFolder(folder);
    const arms = await trainArms(report, { arms: ARMS, seeds, chosen }, async (arm, seed) => {
      const { course } = await trainArm(armConfig(arm, seed, pages, minutes), undefined, report);
      return course;
    });
    const { config, ...result } = curationResult(arms);
    for (const sentence of Object.values(config)) report.say(`  ${sentence}`);
    return { ...result, config: { minutes, pages: MIDDLE_PAGES, instances: INSTANCES, ...config } };
  },
};

/** A ratio that is unknown or infinite is no number; the sentence in `config` states it. */
export function curationResult(arms: Arms<Arm>): BenchResult {
  const start = endOf([...arms.values()].flat().map(course => course.slice(0, 1))).rate;
  const compared = [
    { name: 'dart_vs_clean_grpo', ...compareSteps(arms, 'dart', 'grpo', start) },
    { name: 'dart_vs_clean_grpo_importance', ...compareSteps(arms, 'dart', 'grpo-importance', start) },
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
      success_start: start,
      ...Object.fromEntries(success.map(({ name, mean }) => [name, mean])),
      ...Object.fromEntries(ratios),
    },
    certainty: {
      ...Object.fromEntries(success.map(({ name, ...mean }) => [name, certain(mean)])),
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
