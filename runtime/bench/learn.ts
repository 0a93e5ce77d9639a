// The learn benchmark: what a run reaches within a given time, on instances that training never sees: from random weights with
// elements and pixels, from random weights with pixels only, and from a few demonstrations. Each part trains anew with every seed,
// through the same runs as the program's, in a folder that is gone afterwards.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPACT } from '../agent/network.ts';
import { withSavedPolicy } from '../cli/saved-policy.ts';
import { parseConfig } from '../config/config.ts';
import type { Mode } from '../core/policy.ts';
import { clustered, type Interval } from '../data/interval.ts';
import { POCKET } from '../environments/pocket/tasks/suite.ts';
import type { TaskSplit, Tier } from '../environments/suite.ts';
import { overall } from '../inference/scores.ts';
import type { EvaluationPoint, RunState } from '../protocol/daemon/state.ts';
import { type Lately, LatelyWatch, latelySeries } from './lately.ts';
import { withMemory } from './memory.ts';
import type { Benchmark, Figures, Report } from './report.ts';
import type { Certainty, Series } from './results/outcome.ts';
import { CoresWatch, entry, percent, SETTLED, trainingIn } from './training.ts';

/** Instances of each task in the last evaluation. */
const INSTANCES = 20;
const DEMONSTRATIONS = 5;
/** Of a curve of what rollouts are like. */
const POINTS = 40;

const tier = (number: Tier): readonly string[] => POCKET.tasks('train', number);
/** Tasks of tier 1 whose scripted solutions only click. */
const CLICKS = ['night-light', 'mute', 'bluetooth', 'notifications', 'theme'].map(name => `settings-${name}`);

interface Part {
  readonly figure: string;
  /** What its line in a picture is called. */
  readonly curve: string;
  readonly minutes: number;
  readonly suite: { readonly tiers: readonly Tier[] } | { readonly tasks: readonly string[] };
  readonly mode: Mode;
  readonly demonstrations: number;
  /** What else is asked of the policy in the end. */
  readonly beside: Readonly<Record<string, { readonly split: TaskSplit; readonly tasks: readonly string[] }>>;
}

/** What most is asked of comes first: who has no time for all of it has that. */
const PARTS: readonly Part[] = [
  {
    figure: 'all_tiers_demos',
    curve: 'all tiers, shown first',
    minutes: 40,
    suite: { tiers: [1, 2, 3, 4] },
    mode: 'screenshot_a11y_tree',
    demonstrations: DEMONSTRATIONS,
    beside: {
      tiers12_demos: { split: 'test', tasks: [...tier(1), ...tier(2)] },
      tier3_demos: { split: 'test', tasks: tier(3) },
      tier4_demos: { split: 'test', tasks: tier(4) },
      unseen: { split: 'unseen', tasks: POCKET.tasks('unseen') },
    },
  },
  {
    figure: 'tier1_elements_5min',
    curve: 'tier 1, from nothing',
    minutes: 5,
    suite: { tiers: [1] },
    mode: 'screenshot_a11y_tree',
    demonstrations: 0,
    beside: {},
  },
  {
    figure: 'tier1_pixels_10min',
    curve: 'clicks, pixels only',
    minutes: 10,
    suite: { tasks: [...CLICKS, 'mail-star'] },
    mode: 'screenshot',
    demonstrations: 0,
    beside: {},
  },
  {
    figure: 'tiers12_demos_15min',
    curve: 'tiers 1 and 2, shown first',
    minutes: 15,
    suite: { tiers: [1, 2] },
    mode: 'screenshot_a11y_tree',
    demonstrations: DEMONSTRATIONS,
    beside: {},
  },
];

/** What one training came to: success on each set of tasks, and what it took. */
interface Outcome {
  readonly scores: Readonly<Record<string, Interval>>;
  /** Of all its processes at most; undefined where nobody tells it. */
  readonly megabytes: number | undefined;
  readonly curve: readonly EvaluationPoint[];
  readonly lately: readonly Lately[];
  /** Of all cores' time; undefined where it was too short to tell. */
  readonly useful: number | undefined;
  readonly minutes: number;
}

export const learn: Benchmark = {
  name: 'learn',
  summary: 'success on unseen instances after minutes of training, from nothing and from demonstrations',
  run: async (report, { minutes, seeds }) => {
    const whole = PARTS.reduce((sum, part) => sum + part.minutes, 0);
    const scale = minutes === undefined ? 1 : minutes / whole;
    const outcomes: Outcome[] = [];
    for (const part of PARTS) {
      for (let seed = 0; seed < seeds; seed++) {
        const name = `${part.figure}, seed ${seed}, ${(part.minutes * scale).toPrecision(3)} minutes`;
        outcomes.push(
          await report.part(name, PARTS.length * seeds, () => trained(part, seed, scale, report)),
        );
      }
    }
    const names = [...new Set(outcomes.flatMap(({ scores }) => Object.keys(scores)))];
    const figures: Record<string, number> = {};
    const certainty: Record<string, Certainty> = {};
    for (const name of names) {
      const { rate, low, high, successes, trials } = together(
        outcomes.flatMap(({ scores }) => scores[name] ?? []),
      );
      figures[name] = rate;
      certainty[name] = { successes, trials, low, high };
      report.say(
        `  ${name.padEnd(22)} ${percent(rate)}  ${successes}/${trials}  (95 %: ${percent(low)} to ${percent(high)})`,
      );
    }
    const peaks = outcomes.flatMap(({ megabytes }) => megabytes ?? []);
    if (peaks.length > 0) figures['peak_rss_mb'] = Math.max(...peaks);
    const useful = usefulOf(outcomes);
    if (useful !== undefined) figures['useful_share'] = useful;
    return {
      figures: rounded(figures),
      certainty,
      config: {
        minutes: PARTS.map(part => part.minutes * scale),
        ...{ demonstrations: DEMONSTRATIONS, instances: INSTANCES, shape: COMPACT },
      },
      series: seriesOf(outcomes),
      versions: { node: process.version },
    };
  },
};

async function trained(part: Part, seed: number, scale: number, report: Report): Promise<Outcome> {
  const { figure, suite, mode, demonstrations, beside } = part;
  const minutes = part.minutes * scale;
  const config = parseConfig({
    ...{ suite, mode, seed: `${figure}/${seed}`, minutes, demonstrations },
    // Few on the way: they take time from the training that they measure.
    evaluation: { everySeconds: Math.max(30, 6 * minutes), lastInstances: INSTANCES },
  });
  const root = await mkdtemp(join(tmpdir(), 'dartboard-learn-'));
  try {
    const cores = new CoresWatch(SETTLED * 60 * minutes);
    const rollouts = new LatelyWatch((60 * minutes) / POINTS);
    const look = (state: RunState) => {
      cores.look(state);
      rollouts.look(state);
    };
    const { result: state, megabytes } = await withMemory(() => trainingIn(root, config, report, look));
    const last = state.curve.findLast(({ split }) => split === 'test');
    if (last === undefined) throw new Error(`The run of ${figure} ended without a measurement.`);
    const others = await examined(join(root, state.run), beside);
    const curve = state.curve.filter(({ split }) => split === 'test');
    return {
      ...{ scores: { [figure]: last, ...others }, curve, lately: rollouts.kept },
      ...{ megabytes, useful: cores.shares?.useful, minutes },
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** What the weights that a run kept do elsewhere. */
async function examined(folder: string, beside: Part['beside']): Promise<Outcome['scores']> {
  const scores: Record<string, Interval> = {};
  if (Object.keys(beside).length === 0) return scores;
  await withSavedPolicy(entry('performer'), folder, async ({ performer }) => {
    for (const [name, asked] of Object.entries(beside))
      scores[name] = overall(await performer.call('evaluate', { ...asked, instances: INSTANCES }));
  });
  return scores;
}

/** Of all trainings, by how long they took. */
function usefulOf(outcomes: readonly Outcome[]): number | undefined {
  const known = outcomes.flatMap(({ useful, minutes }) =>
    useful === undefined ? [] : [{ useful, minutes }],
  );
  const all = known.reduce((sum, { minutes }) => sum + minutes, 0);
  return known.length === 0
    ? undefined
    : known.reduce((sum, { useful, minutes }) => sum + (useful * minutes) / all, 0);
}

/** Of every training; with its seed where there are several. */
function seriesOf(outcomes: readonly Outcome[]): Series {
  const seeds = outcomes.length / PARTS.length;
  const series = outcomes.map(({ curve, lately }, index): Series => {
    const part = PARTS[Math.floor(index / seeds)]?.curve ?? '';
    const name = seeds > 1 ? `${part}, ${index % seeds}` : part;
    const success = curve.map(({ seconds, rate, low, high }) => ({
      ...{ x: Math.round(seconds), y: rate, low, high },
    }));
    return { [`success/${name}`]: success, ...latelySeries(name, lately) };
  });
  return Object.assign({}, ...series);
}

/** Of one training clustered by task, as it was measured; of several by training. */
const together = ([first, ...others]: readonly Interval[]): Interval =>
  first !== undefined && others.length === 0
    ? first
    : clustered(first === undefined ? [] : [first, ...others]);

const rounded = (figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(4))]));
