// The curation benchmark with --ablation: short trainings from the same cloned weights, with all of DART's curation, without any, and
// without each part; several seeds of each. Every training that ended is kept: a benchmark that was interrupted goes on with the next.

import { copyFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { CurationPreset } from '../../config/sections/curation.ts';
import type { RunId } from '../../core/ids.ts';
import { CHECKPOINTS } from '../../run/run-folders.ts';
import { CheckpointFolder } from '../../trainer/checkpoint-folder.ts';
import type { Benchmark, Report } from '../report.ts';
import { trainingIn } from '../training.ts';
import { outcomeOf } from './ablation-outcome.ts';
import { ARMS, armConfig, cloningConfig, FULL, PLAIN, type Setting } from './arms.ts';
import { type Course, courseOf } from './course.ts';

const SEEDS = 5;
const MINUTES = 10;

/** Of one arm and seed. */
interface Trained {
  readonly course: Course;
  /** Steps that the explorer took beside the rollouts: they are of no policy and do not count. */
  readonly explored: number;
}

interface Cloned {
  /** Of its checkpoint, within the folder of outcomes. */
  readonly file: string;
  readonly course: Course;
}

const usualSetting = (minutes = MINUTES): Setting => ({
  ...{ suite: { tiers: [2, 3] }, minutes, cloningMinutes: minutes / 10, instances: 6 },
});

export const ablation: Benchmark = {
  name: 'curation',
  variant: 'ablation',
  seeds: SEEDS,
  // Compared is what comes of as many environment steps.
  isAlikeAnywhere: true,
  summary: `trainings of --minutes each (${MINUTES}) with all of DART's curation, none, and all but one part`,
  run: async (report, { minutes, seeds }) => {
    const setting = usualSetting(minutes);
    const of = 1 + ARMS.length * seeds;
    const cloned = await report.part('cloning', of, () => cloning(setting, report));
    const from = join(report.folder, cloned.file);
    if (!(await stat(from).catch(() => undefined))?.isFile())
      throw new RangeError(
        `The cloned weights '${from}' are gone, and without them no arm begins like those that are done: begin anew with --fresh.`,
      );
    const arms = new Map<CurationPreset, Trained[]>(ARMS.map(arm => [arm, []]));
    for (const { arm, seed } of inTurn(seeds)) {
      const config = armConfig(arm, seed, setting);
      const trained = await report.part(`${arm}, seed ${seed}`, of, () => training(config, from, report));
      arms.get(arm)?.push(trained);
    }
    const { lines, ...outcome } = outcomeOf(arms, cloned.course);
    for (const line of lines) report.say(`  ${line}`);
    return { ...outcome, config: { ...setting, arms: ARMS, ...outcome.config }, versions: {} };
  },
};

/** First all that the main figure takes; and seed by seed, so that what is there at any moment can be compared. */
const inTurn = (seeds: number): readonly { readonly arm: CurationPreset; readonly seed: number }[] =>
  [ARMS.filter(isCompared), ARMS.filter(arm => !isCompared(arm))].flatMap(arms =>
    Array.from({ length: seeds }, (_, seed) => arms.map(arm => ({ arm, seed }))).flat(),
  );

const isCompared = (arm: CurationPreset): boolean => arm === FULL || arm === PLAIN;

/** What a run left is kept by name of the run, so that those of another benchmark are never taken for it. */
async function cloning(setting: Setting, report: Report): Promise<Cloned> {
  return inFolder(async root => {
    const state = await trainingIn(root, cloningConfig(setting), report);
    const found = await new CheckpointFolder(join(root, state.run as RunId, CHECKPOINTS)).newest();
    if (found === undefined) throw new Error('The cloning left no weights: give it more --minutes.');
    const file = join('curation-ablation', `cloned-${state.run}.safetensors`);
    await mkdir(join(report.folder, 'curation-ablation'), { recursive: true });
    await copyFile(found.file, join(report.folder, file));
    return { file, course: courseOf(state.curve) };
  });
}

const training = (config: Config, from: string, report: Report): Promise<Trained> =>
  inFolder(async root => {
    const state = await trainingIn(root, config, report, undefined, { from });
    const explored = state.trainer.metrics['env/explored_steps'] ?? 0;
    return { course: courseOf(state.curve), explored };
  });

async function inFolder<T>(work: (root: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'dartboard-ablation-'));
  try {
    return await work(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
