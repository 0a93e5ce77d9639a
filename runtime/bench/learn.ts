// The learn benchmark: success on test instances after a given time of training, from random weights and from demonstrations. Each
// part is a run of the product in a temporary folder.

import { join } from 'node:path';
import { COMPACT } from '../agents/compact/network.ts';
import { withSavedPolicy } from '../cli/saved-policy.ts';
import { CLICK_TASKS } from '../cloning/tier-1.ts';
import { parseConfig } from '../config/config.ts';
import { at } from '../core/at.ts';
import type { Mode } from '../core/policy.ts';
import { clustered, type Interval } from '../data/interval.ts';
import { POCKET } from '../environments/pocket/tasks/suite.ts';
import type { TaskSplit, Tier } from '../environments/suite.ts';
import type { RunState } from '../protocol/daemon/state.ts';
import { type MemorySample, memoryTotal, THIS_PROCESS, withMemory } from './memory.ts';
import type { Benchmark, Report } from './report.ts';
import type { BenchSeries } from './results/outcome.ts';
import {
  entry,
  rolloutSeries,
  successSeries,
  train,
  watchCores,
  watchRollouts,
  withTrainingFolder,
} from './training.ts';

/** Instances per task in the last evaluation. */
export const INSTANCES = 20;
const DEMONSTRATIONS = 5;
const CURVE_POINTS = 40;

const tier = (number: Tier): readonly string[] => POCKET.tasks('train', number);

interface LearnPart {
  readonly figure: string;
  readonly curve: string;
  readonly minutes: number;
  readonly suite: { readonly tiers: readonly Tier[] } | { readonly tasks: readonly string[] };
  readonly mode?: Mode;
  readonly demonstrations?: number;
  /** Figures of the trained policy, by name. */
  readonly evaluations?: Readonly<
    Record<string, { readonly split: TaskSplit; readonly tasks: readonly string[] }>
  >;
}

/** The most important first. */
const PARTS: readonly LearnPart[] = [
  {
    figure: 'all_tiers_demos',
    curve: 'all tiers, demonstrations',
    minutes: 40,
    suite: { tiers: [1, 2, 3, 4] },
    demonstrations: DEMONSTRATIONS,
    evaluations: {
      tiers12_demos: { split: 'test', tasks: [...tier(1), ...tier(2)] },
      tier3_demos: { split: 'test', tasks: tier(3) },
      tier4_demos: { split: 'test', tasks: tier(4) },
      unseen: { split: 'unseen', tasks: POCKET.tasks('unseen') },
    },
  },
  {
    figure: 'tier1_elements_5min',
    curve: 'tier 1, random weights',
    minutes: 5,
    suite: { tiers: [1] },
    evaluations: { tier1_elements_5min: { split: 'test', tasks: tier(1) } },
  },
  {
    figure: 'tier1_pixels_10min',
    curve: 'clicks, pixels only',
    minutes: 10,
    suite: { tasks: CLICK_TASKS },
    mode: 'screenshot',
  },
  {
    figure: 'tiers12_demos_15min',
    curve: 'tiers 1 and 2, demonstrations',
    minutes: 15,
    suite: { tiers: [1, 2] },
    demonstrations: DEMONSTRATIONS,
  },
];

type LearnResult = Awaited<ReturnType<typeof trainPart>>;

export const learn: Benchmark = {
  name: 'learn',
  summary: 'success on test instances after minutes of training, from random weights and demonstrations',
  run: async (report, { minutes, seeds }) => {
    const scale = minutes === undefined ? 1 : minutes / PARTS.reduce((sum, part) => sum + part.minutes, 0);
    const results: LearnResult[] = [];
    const series: BenchSeries[] = [];
    for (const part of PARTS)
      for (let seed = 0; seed < seeds; seed++) {
        const name = `${part.figure}, seed ${seed}, ${(part.minutes * scale).toPrecision(3)} minutes`;
        const result = await report.part(name, PARTS.length * seeds, () =>
          trainPart(part, seed, scale, report),
        );
        results.push(result);
        series.push(seriesOf(seeds > 1 ? `${part.curve}, ${seed}` : part.curve, result));
      }
    const names = [...new Set(results.flatMap(({ scores }) => Object.keys(scores)))];
    const intervals = names.map(
      name => [name, acrossSeeds(results.flatMap(({ scores }) => scores[name] ?? []))] as const,
    );
    const unsolved = results.flatMap(({ tasksAt0 }) => tasksAt0['tier1_elements_5min'] ?? []);
    const peak = highest(results.flatMap(({ samples }) => samples));
    const useful = usefulShare(results);
    return {
      figures: {
        ...Object.fromEntries(intervals.map(([name, { rate }]) => [name, rate])),
        tier1_tasks_at_0: Math.max(...unsolved),
        ...(peak !== undefined && { peak_rss_mb: memoryTotal(peak) }),
        ...(useful !== undefined && { useful_share: useful }),
      },
      certainty: Object.fromEntries(intervals.map(([name, { rate: _, ...interval }]) => [name, interval])),
      config: {
        minutes: PARTS.map(part => part.minutes * scale),
        ...{ demonstrations: DEMONSTRATIONS, instances: INSTANCES, shape: COMPACT },
        ...(peak !== undefined && { mb_at_peak: byProcess(peak) }),
      },
      series: Object.assign({}, ...series),
    };
  },
};

/** `useful` is a share of the cores. It is undefined, and `samples` of the memory are empty, where they could not be measured. */
const trainPart = (part: LearnPart, seed: number, scale: number, report: Report) =>
  withTrainingFolder(report, async root => {
    const { figure, suite, mode = 'screenshot_a11y_tree', demonstrations = 0, evaluations = {} } = part;
    const minutes = part.minutes * scale;
    const config = parseConfig({
      ...{ suite, mode, seed: `${figure}/${seed}`, minutes, demonstrations },
      evaluation: evaluationOf(minutes),
    });
    const cores = watchCores(minutes);
    const rollouts = watchRollouts((60 * minutes) / CURVE_POINTS);
    const { result: state, samples } = await withMemory(() =>
      train(root, config, report, {
        watch: each => {
          cores.look(each);
          rollouts.look(each);
        },
      }),
    );
    const { curve, last } = testCurve(state, figure);
    const scores: Record<string, Interval> = { [figure]: last };
    const tasksAt0: Record<string, number> = {};
    if (Object.keys(evaluations).length > 0)
      await withSavedPolicy(entry('inference'), join(root, state.run), async ({ inference }) => {
        for (const [name, evaluation] of Object.entries(evaluations)) {
          const tasks = await inference.call('evaluate', { ...evaluation, instances: INSTANCES });
          scores[name] = clustered(tasks);
          tasksAt0[name] = tasks.filter(({ successes }) => successes === 0).length;
        }
      });
    return {
      scores,
      tasksAt0,
      curve,
      rollouts: rollouts.samples,
      samples,
      useful: cores.shares()?.useful,
      minutes,
    };
  });

/** Each evaluation takes time from the training. */
export const evaluationOf = (minutes: number) => ({
  everySeconds: Math.max(30, 6 * minutes),
  lastInstances: INSTANCES,
});

/** The evaluations on test instances, and the last one. */
export function testCurve({ curve: all }: Pick<RunState, 'curve'>, name: string) {
  const curve = all.filter(({ split }) => split === 'test');
  const last = curve.at(-1);
  if (last === undefined)
    throw new Error(`The run of ${name} ended before an evaluation. Increase --minutes.`);
  return { curve, last };
}

const highest = (samples: readonly MemorySample[]): MemorySample | undefined =>
  samples.toSorted((one, other) => memoryTotal(other) - memoryTotal(one))[0];

const byProcess = ({ megabytes }: MemorySample): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(megabytes).map(([name, each]) => [
      name === THIS_PROCESS ? 'daemon' : name,
      Math.round(each),
    ]),
  );

/** The mean of all trainings, weighted by their duration. */
function usefulShare(results: readonly LearnResult[]): number | undefined {
  const measured = results.flatMap(({ useful, minutes }) =>
    useful === undefined ? [] : [{ minutes, usefulMinutes: useful * minutes }],
  );
  const sum = (of: 'minutes' | 'usefulMinutes') => measured.reduce((all, each) => all + each[of], 0);
  return measured.length === 0 ? undefined : sum('usefulMinutes') / sum('minutes');
}

const seriesOf = (name: string, { curve, rollouts }: LearnResult): BenchSeries => ({
  ...successSeries(name, curve),
  ...rolloutSeries(name, rollouts),
});

/** One training is clustered by task, as it was measured; several are clustered by training. */
export const acrossSeeds = (seeds: readonly Interval[]): Interval => {
  const { successes, trials, rate, low, high } = seeds.length === 1 ? at(seeds, 0) : clustered(seeds);
  return { successes, trials, rate, low, high };
};
