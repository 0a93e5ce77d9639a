// The curation benchmark: groups with a gradient per 1,000 rollouts under DART's rules, against the uniform rule (every task in turn,
// 8 rollouts, no pool). Simulated on a table of rewards over several epochs, with each rule and without it.

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { seeded } from '../../core/rng.ts';
import type { Benchmark } from '../report.ts';
import type { BenchSeries } from '../results/outcome.ts';
import { type Epoch, per1000, ROLLOUTS, type Rule, simulate, total } from './simulation.ts';
import { certain, type Mean, meanOf } from './statistics.ts';
import { generatedTable, type RewardTable, readTable, tableStatistics } from './table.ts';

const EPOCHS = 8;
const SEEDS = 5;

const PARTS = { rolloutNumber: true, revisits: true } as const;
const UNIFORM: Rule = { parts: { rolloutNumber: false, revisits: false }, pool: 'off' };

/** `figure`: its gain over the uniform rule. `stream` names the random numbers; changing it would change the results. */
const compared = (name: string, figure: string, rule: Rule, stream = name) => ({
  ...{ name, figure, rule, stream },
});
const withPool = (pool: Rule['pool'], parts: Rule['parts'] = PARTS): Rule => ({ parts, pool });

/** The first is DART as it is. */
const RULES = [
  compared('all rules', 'groups_per_1000_gain', withPool('empty'), 'all of it'),
  compared('without success pool', 'gain_without_success_pool', withPool('off')),
  compared(
    'without rollout number',
    'gain_without_rollout_number',
    withPool('empty', { ...PARTS, rolloutNumber: false }),
  ),
  compared('without revisits', 'gain_without_revisits', withPool('empty', { ...PARTS, revisits: false })),
  compared('success pool alone', 'gain_of_success_pool_alone', withPool('empty', UNIFORM.parts)),
  compared('all rules, filled pool', 'gain_with_filled_pool', withPool('filled'), 'all of it, pool filled'),
];

const WITHOUT_REVISITS = RULES.findIndex(
  ({ rule }) => rule.pool !== 'off' && rule.parts.rolloutNumber && !rule.parts.revisits,
);

type Epochs = readonly Epoch[];

/** The epochs of one seed. */
interface SimulatedSeed {
  readonly uniform: Epochs;
  /** In the order of RULES. */
  readonly rules: readonly Epochs[];
}

export const curation: Benchmark = {
  name: 'curation',
  seeds: SEEDS,
  summary: 'groups with a gradient per 1,000 rollouts, on a table of recorded rewards (--table FILE)',
  run: async (report, { seeds, table: file }) => {
    const { table, source } = await openTable(file);
    const statistics = tableStatistics(table);
    const { tasks, mean, never, always } = statistics;
    report.say(
      `  ${source}: ${tasks} tasks, mean reward ${mean.toFixed(3)}, ${never} never and ${always} always solved`,
    );
    const found: SimulatedSeed[] = [];
    for (let seed = 0; seed < seeds; seed++)
      found.push(await report.part(`seed ${seed}`, seeds, async () => simulateSeed(table, seed)));
    const means: readonly (readonly [string, Mean])[] = [
      ...RULES.map((rule, index) => [rule.figure, gainOf(found, index)] as const),
      ['rollouts_per_1000_gain', gainOf(found, 0, EPOCHS, 'training')],
      ['rollouts_gain_without_revisits', gainOf(found, WITHOUT_REVISITS, EPOCHS, 'training')],
      ['groups_per_1000_uniform', meanOf(found.map(({ uniform }) => per1000(uniform)))],
      ['groups_per_1000_dart', meanOf(found.map(({ rules: [full = []] }) => per1000(full)))],
    ];
    return {
      figures: Object.fromEntries(means.map(([name, each]) => [name, each.mean])),
      certainty: Object.fromEntries(means.map(([name, each]) => [name, certain(each)])),
      series: seriesOf(found),
      config: { table: source, ...statistics, epochs: EPOCHS, rollouts: ROLLOUTS, assumed: ASSUMPTIONS },
    };
  },
};

const ASSUMPTIONS = [
  'the policy does not change: rewards are drawn from those of the task, with replacement',
  'each task has one instance; the pool starts empty and stores successes, except in gain_with_filled_pool',
  'an epoch has as many rollouts as the uniform rule needs for every task',
  'the table has no lengths, so the dynamic step limit is off',
] as const;

async function openTable(
  file: string | undefined,
): Promise<{ readonly table: RewardTable; readonly source: string }> {
  if (file === undefined)
    return {
      table: generatedTable(seeded('table')),
      source: 'a generated table with the statistics of the OSWorld one; --table FILE reads a recorded one',
    };
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new RangeError(`Cannot read the table '${file}': ${messageOf(error)}. Correct or omit --table.`);
  });
  return { table: readTable(text, file), source: `the table '${basename(file)}'` };
}

function simulateSeed(table: RewardTable, seed: number): SimulatedSeed {
  const epochs = (name: string, rule: Rule) => simulate(table, rule, EPOCHS, seeded(seed).fork(name));
  return {
    uniform: epochs('uniform', UNIFORM),
    rules: RULES.map(({ rule, stream }) => epochs(stream, rule)),
  };
}

/** The gain of a rule over the uniform one, over the first epochs. */
const gainOf = (
  found: readonly SimulatedSeed[],
  rule: number,
  epochs = EPOCHS,
  of: 'carrying' | 'training' = 'carrying',
): Mean =>
  meanOf(
    found.map(
      ({ uniform, rules }) =>
        per1000((rules[rule] ?? []).slice(0, epochs), of) / per1000(uniform.slice(0, epochs), of),
    ),
  );

function seriesOf(found: readonly SimulatedSeed[]): BenchSeries {
  const points = (of: (epoch: number) => Mean) =>
    Array.from({ length: EPOCHS }, (_, index) => {
      const { mean, ...interval } = of(index + 1);
      return { x: index + 1, y: mean, ...certain(interval) };
    });
  const byEpoch = (epochsOf: (seed: SimulatedSeed) => Epochs, measure: (epoch: Epochs) => number) =>
    points(epoch => meanOf(found.map(seed => measure(epochsOf(seed).slice(epoch - 1, epoch)))));
  const injected = (epochs: Epochs) => total(epochs, 'injected') / total(epochs, 'failed');
  const groupSize = (epochs: Epochs) => total(epochs, 'rollouts') / total(epochs, 'groups');
  const uniform = ({ uniform }: SimulatedSeed) => uniform;
  const curves = RULES.flatMap(({ name, rule }, index) => {
    const epochsOf = ({ rules }: SimulatedSeed) => rules[index] ?? [];
    return [
      [`groups per 1000 by epoch/${name}`, byEpoch(epochsOf, per1000)] as const,
      ...(index === 0 ? [[`mean rollouts/${name}`, byEpoch(epochsOf, groupSize)] as const] : []),
      ...(rule.pool === 'off' ? [] : [[`never solved/${name}`, byEpoch(epochsOf, injected)] as const]),
      [`gain by epochs/${name}`, points(epochs => gainOf(found, index, epochs))] as const,
    ];
  });
  return Object.fromEntries([
    ['groups per 1000 by epoch/uniform', byEpoch(uniform, per1000)],
    ['mean rollouts/uniform', byEpoch(uniform, groupSize)],
    ['never solved/uniform', byEpoch(uniform, injected)],
    ...curves,
  ]);
}
