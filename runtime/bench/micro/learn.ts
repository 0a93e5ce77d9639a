// The micro benchmark of reinforcement learning: from weights that were cloned for a few minutes, each arm trains for the same time, and is
// measured on test instances of the click tasks of tier 1.
//
// rl: DART on these tasks over both HTTP protocols. filtered: the same loop, but all successes have the advantage 1. imitation: cloning goes
// on with all of tier 1.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { CLICK_TASKS, EXAMPLES_BEFORE_TRAINING, PROTOCOL } from '../../cloning/tier-1.ts';
import { sum } from '../../core/sum.ts';
import { SUCCESS } from '../../core/verdict.ts';
import { trainClonedArms } from '../arms.ts';
import { certain, difference } from '../curation/statistics.ts';
import type { Benchmark, BenchResult, Report } from '../report.ts';
import { clonedModel, newWeightsFile } from './clone-arm.ts';
import type { PlayedInstance } from './play-agent.ts';
import { playFile } from './play-file.ts';
import { TRAINING, trainMicro } from './training-arm.ts';

const START = { examples: EXAMPLES_BEFORE_TRAINING };
const MINUTES = 40;
const INSTANCES = 20;
const ARMS = ['rl', 'imitation', 'filtered'] as const;
type Arm = (typeof ARMS)[number];

/** Success of each click task. */
interface Rate {
  readonly arm: Arm | 'cloned';
  readonly seed: number;
  readonly tasks: readonly number[];
}

export const microLearn: Benchmark = {
  name: 'micro',
  variant: 'learn',
  summary: 'success of the micro model after reinforcement learning over HTTP, against imitation',
  seeds: 3,
  minutes: MINUTES,
  addsSeeds: true,
  arms: ARMS,
  run: async (report, { minutes = MINUTES, seeds, arms: chosen }) => {
    const { starts, runs } = await trainClonedArms(
      report,
      { arms: ARMS, seeds, chosen },
      {
        clone: seed => cloneStart(seed, report),
        // The same seed and examples give the same weights again, up to rounding.
        train: (arm, seed, cloned) => playedArm(arm, { cloned, seed, minutes, report }),
      },
    );
    const arms = [...runs].flatMap(([arm, each]) => each.map((run, seed) => ({ arm, seed, ...run })));
    const rates: readonly Rate[] = [
      ...starts.map(({ tasks }, seed) => ({ arm: 'cloned' as const, seed, tasks })),
      ...arms.map(({ arm, seed, tasks }) => ({ arm, seed, tasks })),
    ];
    return summary(
      rates,
      arms.map(({ tasks: _, ...about }) => about),
      minutes,
    );
  },
};

/** The weights that all arms of a seed begin from; `file` is within the folder of outcomes. */
async function cloneStart(seed: number, report: Report) {
  const to = newWeightsFile(report, `${seed}-cloned`);
  const { file, ...about } = await clonedModel(seed, START, text => report.say(text));
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, file);
  return { ...about, tasks: await playClicks(to, report), file: relative(report.folder, to) };
}

interface ArmOptions {
  /** A file of weights. */
  readonly cloned: string;
  readonly seed: number;
  readonly minutes: number;
  readonly report: Report;
}

async function playedArm(arm: Arm, options: ArmOptions) {
  const { seed, report } = options;
  const to = newWeightsFile(report, `${seed}-${arm}`);
  const about = await trainArm(arm, to, options);
  return { ...about, tasks: await playClicks(to, report) };
}

async function trainArm(arm: Arm, to: string, { cloned, seed, minutes, report }: ArmOptions) {
  if (arm !== 'imitation') {
    const advantages = arm === 'rl' ? 'steps' : 'successes';
    return trainMicro({ weights: cloned, to, tasks: CLICK_TASKS, seed, minutes, advantages, report });
  }
  const { file, ...about } = await clonedModel(seed, { minutes }, text => report.say(text), cloned);
  await writeFile(to, file);
  return about;
}

/** The success rate of each click task. */
async function playClicks(file: string, report: Report): Promise<readonly number[]> {
  const played = await playFile(file, 'a11y_tree', CLICK_TASKS, INSTANCES, report);
  return CLICK_TASKS.map(task => {
    const ofTask = played.filter(({ instance }: PlayedInstance) => instance.task === task);
    return ofTask.filter(({ score }) => score >= SUCCESS).length / ofTask.length;
  });
}

export function summary(rates: readonly Rate[], arms: readonly object[], minutes: number): BenchResult {
  const mean = (values: readonly number[]) => sum(values) / values.length;
  /** By seed. A training is one value: the rates of its tasks are not independent. */
  const of = (arm: Arm | 'cloned') =>
    new Map(rates.flatMap(each => (each.arm === arm ? [[each.seed, mean(each.tasks)]] : [])));
  const [cloned, rl, filtered, imitation] = [of('cloned'), of('rl'), of('filtered'), of('imitation')];
  /** Paired by seed; of the seeds that have both. */
  const gain = (one: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>) =>
    difference(
      [...one].flatMap(([seed, rate]) => {
        const against = other.get(seed);
        return against === undefined ? [] : [rate - against];
      }),
    );
  const seedsOf = { rl: rl.size, filtered: filtered.size, imitation: imitation.size };
  const gains = {
    gain: gain(rl, cloned),
    rl_over_filtered: gain(rl, filtered),
    rl_over_imitation: gain(rl, imitation),
  };
  return {
    figures: {
      ...{ success_cloned_start: mean([...cloned.values()]), success_rl: mean([...rl.values()]) },
      success_filtered: mean([...filtered.values()]),
      success_imitation: mean([...imitation.values()]),
      ...Object.fromEntries(Object.entries(gains).map(([name, { mean: value }]) => [name, value])),
      // One seed has no interval.
      ...(Number.isFinite(gains.gain.low) && { gain_ci_low: gains.gain.low }),
    },
    certainty: Object.fromEntries(Object.entries(gains).map(([name, interval]) => [name, certain(interval)])),
    config: {
      ...{
        minutes,
        cloning_examples: START.examples,
        instances: INSTANCES,
        ...PROTOCOL,
        ...TRAINING,
      },
      ...{ click_tasks: CLICK_TASKS, seeds_of_arms: seedsOf, rates, arms },
    },
  };
}
