// The curation benchmark: how many groups carry a gradient per 1,000 rollouts when DART decides what is rolled out, against the uniform
// rule (every task in turn, 8 rollouts, no pool), on a table of rewards and over several epochs. Each part is left out alone as well.

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { seeded } from '../../core/rng.ts';
import type { Benchmark, Report } from '../report.ts';
import type { Series } from '../results/outcome.ts';
import { type Epoch, per1000, ROLLOUTS, type Rule, simulate, total } from './simulation.ts';
import { certain, type Mean, meanOf, rounded } from './statistics.ts';
import { generatedTable, readTable, shapeOf, type Table } from './table.ts';

const EPOCHS = 8;
const SEEDS = 5;

const PARTS = { rolloutNumber: true, revisits: true } as const;
const UNIFORM: Rule = { parts: { rolloutNumber: false, revisits: false }, pool: 'off' };

interface Compared {
  readonly rule: Rule;
  /** Of its gain over the uniform rule. */
  readonly figure: string;
}

/** The first is the one that counts. */
const RULES: Readonly<Record<string, Compared>> = {
  'all of it': { rule: { parts: PARTS, pool: 'empty' }, figure: 'groups_per_1000_gain' },
  'without success pool': { rule: { parts: PARTS, pool: 'off' }, figure: 'gain_without_success_pool' },
  'without rollout number': {
    rule: { parts: { ...PARTS, rolloutNumber: false }, pool: 'empty' },
    figure: 'gain_without_rollout_number',
  },
  'without revisits': {
    rule: { parts: { ...PARTS, revisits: false }, pool: 'empty' },
    figure: 'gain_without_revisits',
  },
  'success pool alone': { rule: { ...UNIFORM, pool: 'empty' }, figure: 'gain_of_success_pool_alone' },
  'all of it, pool filled': { rule: { parts: PARTS, pool: 'filled' }, figure: 'gain_with_filled_pool' },
};
const [ALL = ''] = Object.keys(RULES);

const usesPool = (name: string): boolean => RULES[name]?.rule.pool !== 'off';

type Epochs = readonly Epoch[];

/** With one seed, epoch by epoch. */
interface Played {
  readonly uniform: Epochs;
  readonly rules: Readonly<Record<string, Epochs>>;
}

export const curation: Benchmark = {
  name: 'curation',
  seeds: SEEDS,
  summary:
    'groups that carry a gradient, of the same number of rollouts, on a table of rewards (--table FILE)',
  run: async (report, { seeds, table: file }) => {
    const { table, source } = await tableFrom(file);
    const shape = shapeOf(table);
    report.say(`  ${source}: ${inWords(shape)}`);
    const found: Played[] = [];
    for (let chance = 0; chance < seeds; chance++)
      found.push(await report.part(`seed ${chance}`, seeds, async () => played(table, chance)));
    tell(report, found);
    const gains = Object.entries(RULES).map(([name, { figure }]) => [figure, gainOf(found, name)] as const);
    const uniform = meanOf(found.map(each => per1000(each.uniform)));
    const all = meanOf(found.map(({ rules }) => per1000(rules[ALL] ?? [])));
    const figures = [
      ...gains,
      ['groups_per_1000_uniform', uniform] as const,
      ['groups_per_1000_dart', all] as const,
    ];
    return {
      figures: Object.fromEntries(figures.map(([name, { mean }]) => [name, rounded(mean)])),
      certainty: Object.fromEntries(figures.map(([name, mean]) => [name, certain(mean)])),
      series: seriesOf(found),
      config: { table: source, ...shape, epochs: EPOCHS, rollouts: ROLLOUTS, assumed: ASSUMED },
      versions: {},
    };
  },
};

const ASSUMED = [
  'the policy does not change: rewards are drawn from those of the task, with replacement',
  'an instance is its task; the pool begins empty and holds what succeeded on the way, but in gain_with_filled_pool',
  'an epoch is as many rollouts as the uniform rule takes to come to every task',
  'lengths are not in the table: the length cap is off in all rules',
] as const;

async function tableFrom(
  file: string | undefined,
): Promise<{ readonly table: Table; readonly source: string }> {
  if (file === undefined)
    return {
      table: generatedTable(seeded('table')),
      source: 'a generated table of the shape of the real one; name a real one with --table FILE',
    };
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new RangeError(
      `The table '${file}' cannot be read (${why}): name a file that can, or leave out --table.`,
    );
  });
  return { table: readTable(text, file), source: `the table '${basename(file)}'` };
}

function played(table: Table, chance: number): Played {
  const epochs = (name: string, rule: Rule) => simulate(table, rule, EPOCHS, seeded(chance).fork(name));
  const rules = Object.entries(RULES).map(([name, { rule }]) => [name, epochs(name, rule)] as const);
  return { uniform: epochs('uniform', UNIFORM), rules: Object.fromEntries(rules) };
}

/** Over the first `epochs`. */
const gainOf = (found: readonly Played[], name: string, epochs = EPOCHS): Mean =>
  meanOf(
    found.map(
      ({ uniform, rules }) =>
        per1000((rules[name] ?? []).slice(0, epochs)) / per1000(uniform.slice(0, epochs)),
    ),
  );

/** Epoch by epoch: groups with a gradient and rollouts of a group; and the gain over the first so many of them. */
function seriesOf(found: readonly Played[]): Series {
  const points = (of: (epoch: number) => Mean) =>
    Array.from({ length: EPOCHS }, (_, index) => {
      const { mean, ...interval } = of(index + 1);
      return { x: index + 1, y: rounded(mean), ...certain(interval) };
    });
  const single = (epochs: (each: Played) => Epochs, measure: (epoch: Epochs) => number) =>
    points(epoch => meanOf(found.map(each => measure(epochs(each).slice(epoch - 1, epoch)))));
  const helped = (epochs: Epochs) => total(epochs, 'injected') / total(epochs, 'failed');
  const size = (epochs: Epochs) => total(epochs, 'rollouts') / total(epochs, 'groups');
  const names = Object.keys(RULES);
  const of = (name: string) => (each: Played) => each.rules[name] ?? [];
  const curves = [
    ['groups per 1000 by epoch/uniform', single(({ uniform }) => uniform, per1000)],
    ...names.map(name => [`groups per 1000 by epoch/${name}`, single(of(name), per1000)]),
    ...['uniform', ALL].map(name => [
      `mean rollouts/${name}`,
      single(name === ALL ? of(ALL) : ({ uniform }) => uniform, size),
    ]),
    ['never solved/uniform', single(({ uniform }) => uniform, helped)],
    ...names.filter(usesPool).map(name => [`never solved/${name}`, single(of(name), helped)]),
    ...names.map(name => [`gain by epochs/${name}`, points(epochs => gainOf(found, name, epochs))]),
  ];
  return Object.fromEntries(curves);
}

const inWords = ({ tasks, mean, never, always }: ReturnType<typeof shapeOf>): string =>
  `${tasks} tasks, mean reward ${mean.toFixed(3)}, ${never} never earned anything, ${always} always all`;

function tell(report: Report, found: readonly Played[]): void {
  report.say(`  ${EPOCHS} epochs; per 1,000 rollouts:`);
  const line = (name: string, epochs: Epochs, gain: string) => {
    const carrying = per1000(epochs).toFixed(1).padStart(6);
    const injected = ((1000 * total(epochs, 'injected')) / total(epochs, 'rollouts')).toFixed(1).padStart(5);
    const size = (total(epochs, 'rollouts') / total(epochs, 'groups')).toFixed(2);
    report.say(
      `  ${name.padEnd(24)}${carrying} groups with a gradient, ${injected} by the pool; ${size} rollouts a group${gain}`,
    );
  };
  line(
    'uniform',
    found.flatMap(({ uniform }) => uniform),
    '',
  );
  for (const name of Object.keys(RULES)) {
    const { mean, low, high } = gainOf(found, name);
    const interval = Number.isNaN(low) ? '' : ` (95 % over seeds: ${low.toFixed(2)} to ${high.toFixed(2)})`;
    line(
      name,
      found.flatMap(({ rules }) => rules[name] ?? []),
      `; ${mean.toFixed(2)}×${interval}`,
    );
  }
  const after = Array.from({ length: EPOCHS }, (_, index) => gainOf(found, ALL, index + 1).mean.toFixed(2));
  report.say(`  the gain of all of it after 1 to ${EPOCHS} epochs: ${after.join(' ')}`);
}
