// The miniwob benchmark with --controls: trainings on pages of middle difficulty from random weights, with all teachers and without each of
// them. docs/recipes.md has the protocol.

import { type Config, parseConfig } from '../../config/config.ts';
import type { DeepPartial } from '../../config/related-recipes.ts';
import { trainArms } from '../arms.ts';
import { trainArm } from '../curation/ablation.ts';
import { controlsResult } from '../curation/controls.ts';
import type { Benchmark } from '../report.ts';
import { evaluationOfPages, MIDDLE_PAGES } from './miniwob-curation.ts';
import { miniwobFolder } from './yard.ts';

const SEEDS = 3;
const MINUTES = 20;

/** `filtered` is `all` where each success has the advantage 1 and failures do not train. `relabelled` is `all` with failures that are relabelled by what the agent sees. */
export const MINIWOB_CONTROL_ARMS = ['all', 'filtered', 'rl', 'relabelled'] as const;
export type MiniwobControlArm = (typeof MINIWOB_CONTROL_ARMS)[number];

const CHANGED: Readonly<Record<MiniwobControlArm, DeepPartial<Pick<Config, 'trainer' | 'exploring'>>>> = {
  all: {},
  filtered: { trainer: { advantages: 'successes' } },
  rl: { trainer: { cloneWeight: 0 } },
  relabelled: { exploring: { hindsight: true } },
};

export const miniwobControlConfig = (
  arm: MiniwobControlArm,
  seed: number,
  miniwob: string,
  minutes: number,
): Config =>
  parseConfig({
    ...{ suite: { tasks: MIDDLE_PAGES.map(page => `miniwob-${page}`) }, minutes },
    ...{ seed: `miniwob-controls/${seed}`, environments: { kind: 'web', web: { miniwob } } },
    ...CHANGED[arm],
    evaluation: evaluationOfPages(minutes),
  });

export const miniwobControls: Benchmark = {
  name: 'miniwob',
  variant: 'controls',
  seeds: SEEDS,
  summary: `twelve pages from random weights: all teachers, and without each of them (--minutes ${MINUTES} each)`,
  minutes: MINUTES,
  addsSeeds: true,
  arms: MINIWOB_CONTROL_ARMS,
  run: async (report, { minutes = MINUTES, seeds, miniwob: folder, arms: chosen }) => {
    const pages = miniwobFolder(folder);
    const plan = { arms: MINIWOB_CONTROL_ARMS, seeds, chosen };
    const courses = await trainArms(report, plan, async (arm, seed) => {
      const { course } = await trainArm(miniwobControlConfig(arm, seed, pages, minutes), undefined, report);
      return course;
    });
    const runs = new Map([...courses].map(([arm, each]) => [arm, each.map(course => ({ course }))] as const));
    const { config, ...result } = controlsResult(runs, seeds, [
      ['all', 'filtered'],
      ['relabelled', 'all'],
    ]);
    return { ...result, config: { minutes, pages: MIDDLE_PAGES, arms: [...runs.keys()], ...config } };
  },
};
