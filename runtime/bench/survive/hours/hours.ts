// The benchmark of survival with --hours: runs that play as many actions as desktops at the pace of OSWorld do in hours, and the growth of all
// that they hold.

import { type Config, parseConfig } from '../../../config/config.ts';
import { systemClock } from '../../../core/system-clock.ts';
import type { RunState } from '../../../protocol/daemon/state.ts';
import type { Benchmark, Figures, Report } from '../../report.ts';
import type { BenchSeries } from '../../results/outcome.ts';
import { train, withTrainingFolder } from '../../training.ts';
import { type FaultyWorld, missingFor, openWorld } from '../kills/worlds.ts';
import { growthOf, type Resources, resourcesBelow } from './resources.ts';

/** A model run has the same parts and a server of its own, and plays too slowly for it. */
const KINDS = ['pocket', 'web', 'docker'] as const;
type Kind = (typeof KINDS)[number];
/** At most, and at least: the buffers of a short run are still filling. */
const MINUTES = 60;
const SHORTEST_SECONDS = 600;
/** Of one action on a desktop. OSWorld waits for so long after each. */
const PACE_SECONDS = 2;
const SAMPLE_MS = 5000;

interface LongSample extends Resources {
  readonly seconds: number;
  readonly containers: number;
}

/** Of each kind of run. */
interface Span {
  readonly hours: number;
  readonly minutes: number;
}

export interface LongRun {
  readonly kind: Kind;
  readonly desktops: number;
  readonly steps: number;
  readonly samples: readonly LongSample[];
}

const HELD = ['megabytes', 'descriptors', 'threads', 'processes', 'containers'] as const;

export const manyHours: Benchmark = {
  name: 'survive',
  variant: 'hours',
  summary: `the growth of pocket, web and Docker runs over hours of their desktops (at most --minutes ${MINUTES} each)`,
  run: async (report, { hours = 0, minutes = MINUTES }) => {
    if (process.platform !== 'linux')
      throw new Error(
        `The processes of a run cannot be found on '${process.platform}'. Run this benchmark on Linux, for example in a container.`,
      );
    const runs: LongRun[] = [];
    for (const kind of KINDS) {
      const why = await missingFor(kind);
      if (why === undefined)
        runs.push(
          await report.part(`${kind} run`, KINDS.length, () => longRun(kind, { hours, minutes }, report)),
        );
      else report.say(`  no ${kind} run: ${why}`);
    }
    for (const run of runs)
      if (hoursOf(run) < hours)
        report.say(`  ${run.kind}: only ${hoursOf(run).toFixed(1)} of ${hours} hours. Increase --minutes.`);
    return {
      figures: figuresOf(runs),
      config: {
        ...{ minutes, pace_seconds: PACE_SECONDS, runs: runs.map(({ kind }) => kind) },
        growth_of_processes: Object.fromEntries(runs.map(run => [run.kind, growthByProcess(run)])),
      },
      series: seriesOf(runs),
    };
  },
};

const longRun = (kind: Kind, span: Span, report: Report): Promise<LongRun> =>
  withTrainingFolder(report, async root => {
    const say = (text: string) => report.say(`    ${text}`);
    const unused = () => Promise.reject(new Error('This run has no model.'));
    const world = await openWorld[kind]({ folder: root, say, weights: unused });
    try {
      return await observed(world, { kind, span, root, report });
    } finally {
      await world.close();
    }
  });

interface Observation {
  readonly kind: Kind;
  readonly span: Span;
  readonly root: string;
  readonly report: Report;
}

async function observed(world: FaultyWorld, { kind, span, root, report }: Observation): Promise<LongRun> {
  const config: Config = parseConfig({ ...(world.config as object), minutes: span.minutes });
  const { desktops } = config.environments;
  const samples: LongSample[] = [];
  const over = new AbortController();
  let state: RunState | undefined;
  const from = performance.now();
  const sample = async () => {
    while (!over.signal.aborted) {
      // A busy engine may fail. The evaluation at the end is not a part of it.
      const containers = await containersOf(world, state?.run).catch(() => undefined);
      const held = await resourcesBelow(process.pid);
      if (containers !== undefined && state?.status === 'running')
        samples.push({ seconds: (performance.now() - from) / 1000, ...held, containers });
      await systemClock.sleep(SAMPLE_MS, over.signal).catch(() => undefined);
    }
  };
  const sampling = sample();
  try {
    const last = await train(root, config, report, {
      watch: next => {
        state = next;
      },
      isEnough: ({ seconds, rollout: { steps } }) =>
        seconds >= SHORTEST_SECONDS && hoursOf({ steps, desktops }) >= span.hours,
    });
    return { kind, desktops, steps: last.rollout.steps, samples };
  } finally {
    over.abort();
    await sampling;
  }
}

async function containersOf({ engine }: FaultyWorld, run = ''): Promise<number> {
  const found = await engine?.list({ 'dartboard.owner': run });
  return found?.length ?? 0;
}

/** Of each desktop. */
export const hoursOf = ({ steps, desktops }: Pick<LongRun, 'steps' | 'desktops'>): number =>
  (steps * PACE_SECONDS) / desktops / 3600;

export function figuresOf(runs: readonly LongRun[]): Figures {
  const entries = runs.flatMap(run => [
    [`hours_${run.kind}`, hoursOf(run)],
    ...HELD.filter(held => run.samples.some(sample => sample[held] > 0)).map(held => [
      `${held}_growth_${run.kind}`,
      growthOf(run.samples.map(sample => sample[held])),
    ]),
  ]);
  return Object.fromEntries(entries);
}

/** In megabytes. */
function growthByProcess({ samples }: LongRun): Readonly<Record<string, number>> {
  const names = new Set(samples.flatMap(({ memory }) => Object.keys(memory)));
  return Object.fromEntries(
    [...names].map(name => [name, Math.round(growthOf(samples.map(({ memory }) => memory[name] ?? 0)))]),
  );
}

const seriesOf = (runs: readonly LongRun[]): BenchSeries =>
  Object.fromEntries(
    runs.map(({ kind, samples }) => [
      `megabytes over time/${kind}`,
      samples.map(({ seconds, megabytes }) => ({ x: Math.round(seconds), y: Math.round(megabytes) })),
    ]),
  );
