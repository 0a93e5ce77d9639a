// The benchmark of the base weights: their success on the pocket desktop, and trainings on web desktops that start from them, beside trainings
// from random weights. With --record, it trains them anew.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withSavedPolicy } from '../cli/saved-policy.ts';
import { parseConfig } from '../config/config.ts';
import { CONFIG_FILE } from '../config/config-file.ts';
import { BASE } from '../core/agent.ts';
import { clustered, type Interval } from '../data/interval.ts';
import { POCKET } from '../environments/pocket/tasks/suite.ts';
import { TIERS } from '../environments/suite.ts';
import { decodePolicy, encodePolicy } from '../run/folders/policy-file.ts';
import { findWeights } from '../run/folders/run-folder.ts';
import { hourConfig } from './hour.ts';
import { acrossSeeds, evaluationOf, INSTANCES, testCurve } from './learn.ts';
import type { Benchmark, Report } from './report.ts';
import type { BenchSeries } from './results/outcome.ts';
import { entry, successSeries, train, withTemporaryFolder, withTrainingFolder } from './training.ts';

const MINUTES = 5;
const SEEDS = 3;
const RECORD_MINUTES = 95;
/** In the project, where benchmarks run. */
const RECORDED = 'media/base.safetensors';

/** The weights at the start of a web training. */
const STARTS = ['base', 'random'] as const;
type Start = (typeof STARTS)[number];

interface WebTraining {
  readonly start: Start;
  /** Before the training. */
  readonly first: Interval;
  readonly last: Interval;
  readonly series: BenchSeries;
}

export const base: Benchmark = {
  name: 'base',
  seeds: SEEDS,
  summary: `success of the base weights, and web trainings from them and from random weights (--minutes ${MINUTES} each)`,
  run: async (report, { minutes = MINUTES, seeds }) => {
    const parts = 1 + STARTS.length * seeds;
    const pocket = await report.part('pocket desktop', parts, pocketSuccess);
    const trainings: WebTraining[] = [];
    for (let seed = 0; seed < seeds; seed++)
      for (const start of STARTS)
        trainings.push(
          await report.part(
            `web desktops from ${start} weights, seed ${seed}, ${minutes} minutes`,
            parts,
            () => trainOnWeb(start, seed, minutes, report),
          ),
        );
    const of = (start: Start) => trainings.filter(each => each.start === start);
    const intervals: Readonly<Record<string, Interval>> = {
      ...pocket,
      // The same weights play the same instances in each seed.
      web_untrained: acrossSeeds(
        of('base')
          .map(({ first }) => first)
          .slice(0, 1),
      ),
      web_from_base: acrossSeeds(of('base').map(({ last }) => last)),
      web_from_random: acrossSeeds(of('random').map(({ last }) => last)),
    };
    const named = Object.entries(intervals);
    return {
      figures: Object.fromEntries(named.map(([name, { rate }]) => [name, rate])),
      certainty: Object.fromEntries(named.map(([name, { rate: _, ...interval }]) => [name, interval])),
      config: { minutes, instances: INSTANCES },
      series: Object.assign({}, ...trainings.map(({ series }) => series)),
    };
  },
};

interface TestedTasks {
  readonly split: 'test' | 'unseen';
  readonly tasks: readonly string[];
}

const TIERS_12: TestedTasks = {
  split: 'test',
  tasks: [...POCKET.tasks('train', 1), ...POCKET.tasks('train', 2)],
};
const TESTED: Readonly<Record<string, TestedTasks>> = {
  tiers12: TIERS_12,
  tier3: { split: 'test', tasks: POCKET.tasks('train', 3) },
  tier4: { split: 'test', tasks: POCKET.tasks('train', 4) },
  unseen: { split: 'unseen', tasks: POCKET.tasks('unseen') },
};

/** On test instances, by figure. */
async function pocketSuccess(): Promise<Readonly<Record<string, Interval>>> {
  const known = await successOn(TESTED, {});
  const { tiers12 } = await successOn({ tiers12: TIERS_12 }, { suite: { phrasings: 'varied' } });
  return { ...known, ...(tiers12 !== undefined && { tiers12_other_words: tiers12 }) };
}

/** `settings` are those of the workspace. */
const successOn = (tested: typeof TESTED, settings: object): Promise<Readonly<Record<string, Interval>>> =>
  withTemporaryFolder(async workspace => {
    await writeFile(join(workspace, CONFIG_FILE), JSON.stringify(settings));
    return withSavedPolicy(
      entry('inference'),
      BASE,
      async ({ inference }) => {
        const results: Record<string, Interval> = {};
        for (const [name, tasks] of Object.entries(tested))
          results[name] = clustered(await inference.call('evaluate', { ...tasks, instances: INSTANCES }));
        return results;
      },
      workspace,
    );
  });

const trainOnWeb = (start: Start, seed: number, minutes: number, report: Report): Promise<WebTraining> =>
  withTrainingFolder(report, async root => {
    const config = parseConfig({
      ...{ environments: { kind: 'web' }, suite: { tiers: TIERS }, seed: `base/${seed}`, minutes },
      evaluation: evaluationOf(minutes),
    });
    const state = await train(root, config, report, start === 'base' ? { from: BASE } : {});
    const { curve, last } = testCurve(state, `web desktops from ${start} weights`);
    const series = successSeries(`web desktops, ${start} weights, ${seed}`, curve);
    return { start, first: curve[0] ?? last, last, series };
  });

export const baseRecord: Benchmark = {
  name: 'base',
  variant: 'record',
  summary: `trains the base weights on all tasks of the pocket desktop, in many phrasings (--minutes ${RECORD_MINUTES})`,
  run: async (report, { minutes = RECORD_MINUTES }) => {
    const version = await report.part(`${minutes} minutes of all tiers`, 1, () => record(minutes, report));
    return { figures: { version }, config: { minutes } };
  },
};

/** They name no tasks, since they may act on all, and no run, since users do not have it. */
const record = (minutes: number, report: Report): Promise<number> =>
  withTrainingFolder(report, async root => {
    const { run } = await train(root, hourConfig(minutes, 'varied'), report);
    const file = await findWeights(join(root, run));
    const { by, ...policy } = decodePolicy(await readFile(file), file);
    const version = by?.version ?? 0;
    await writeFile(RECORDED, encodePolicy({ ...policy, tasks: [], by: { run: BASE, version } }));
    return version;
  });
