// The hour benchmark: one training of all tiers, with demonstrations, as long as one likes. Whether memory stays flat, and what the cores do all the
// time. Its beginning is left out of both: what is shown and explored first is not what goes on later.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '../config/config.ts';
import type { Tier } from '../environments/suite.ts';
import type { RunState } from '../protocol/daemon/state.ts';
import { growthAnHour, type MemorySample, THIS_PROCESS, total, withMemory } from './memory.ts';
import type { Shares } from './processor.ts';
import type { Benchmark, Report } from './report.ts';
import type { Point, Series } from './results/outcome.ts';
import { CoresWatch, SETTLED, trainingIn } from './training.ts';

const MINUTES = 60;
const TIERS: readonly Tier[] = [1, 2, 3, 4];
const DEMONSTRATIONS = 5;
/** Milliseconds between looks at the memory, which take processor time from what is measured: a hundredth of both cores, if it were every two seconds. */
const LOOK_EVERY = 15_000;
/** Points of a curve, at most. */
const POINTS = 240;

export const hour: Benchmark = {
  name: 'hour',
  summary: 'an hour of training: whether memory stays flat, and how much of what the cores do is useful',
  run: async (report, { minutes = MINUTES }) => {
    const { shares, samples, until } = await report.part(`${minutes} minutes of all tiers`, 1, () =>
      trained(minutes, report),
    );
    const trainingOnly = samples.filter(({ seconds }) => seconds <= until);
    const half = trainingOnly.slice(Math.floor(trainingOnly.length / 2));
    const figures = Object.fromEntries(
      Object.entries({
        ...(samples.length > 0 && {
          peak_mb: Math.max(...samples.map(total)),
          growth_mb_last_half: growthAnHour(half),
        }),
        useful_share: shares.useful,
        useful_of_used: shares.useful / (1 - shares.idle),
        desktops_share: shares.desktops,
        deciding_share: shares.deciding,
        training_share: shares.training,
        host_rest_share: shares.hostRest,
        workers_rest_share: shares.workersRest,
        trainer_rest_share: shares.trainerRest,
        daemon_share: shares.daemon,
        idle_share: shares.idle,
      })
        .filter(([, value]) => Number.isFinite(value))
        .map(([name, value]) => [name, Number(value.toPrecision(4))]),
    );
    for (const [name, value] of Object.entries(figures)) report.say(`  ${name.padEnd(22)} ${value}`);
    return {
      figures,
      config: { minutes, tiers: TIERS, demonstrations: DEMONSTRATIONS, processor_from: SETTLED },
      versions: {},
      series: { ...memorySeries(trainingOnly), ...processorSeries(shares) },
    };
  },
};

interface Trained {
  readonly shares: Shares;
  readonly samples: readonly MemorySample[];
  /** Seconds after which it trained no more: what comes then, a last measurement and the end, is another thing. */
  readonly until: number;
}

async function trained(minutes: number, report: Report): Promise<Trained> {
  const config = parseConfig({
    ...{ suite: { tiers: TIERS }, seed: 'hour', minutes, demonstrations: DEMONSTRATIONS },
    evaluation: { everySeconds: Math.max(30, 6 * minutes) },
  });
  const root = await mkdtemp(join(tmpdir(), 'dartboard-hour-'));
  const cores = new CoresWatch(SETTLED * 60 * minutes);
  const from = performance.now();
  let until = 0;
  const look = (state: RunState) => {
    cores.look(state);
    if (state.status === 'running') until = (performance.now() - from) / 1000;
  };
  try {
    const { samples } = await withMemory(() => trainingIn(root, config, report, look), LOOK_EVERY);
    const { shares } = cores;
    if (shares === undefined)
      throw new Error(
        'The run was too short for its processes to tell what they did: give it more --minutes.',
      );
    return { shares, samples, until };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** By process, and all together first. */
function memorySeries(samples: readonly MemorySample[]): Series {
  const every = Math.ceil(samples.length / POINTS);
  const kept = samples.filter((_, index) => index % every === 0);
  const curve = (of: (sample: MemorySample) => number): readonly Point[] =>
    kept.map(sample => ({ x: Math.round(sample.seconds), y: Math.round(of(sample)) }));
  const names = [...new Set(kept.flatMap(({ megabytes }) => Object.keys(megabytes)))].sort();
  return {
    'memory/all together': curve(total),
    ...Object.fromEntries(
      names.map(name => [
        `memory/${name === THIS_PROCESS ? 'daemon' : name}`,
        curve(({ megabytes }) => megabytes[name] ?? 0),
      ]),
    ),
  };
}

function processorSeries(shares: Shares): Series {
  const rows: Readonly<Record<string, number>> = {
    'training (useful)': shares.training,
    'deciding (useful)': shares.deciding,
    'desktops (useful)': shares.desktops,
    'rest of the trainer': shares.trainerRest,
    'rest of policy workers': shares.workersRest,
    'rest of the host': shares.hostRest,
    'daemon and index': shares.daemon,
    'idle, or other programs': shares.idle,
  };
  return { 'processor/share': Object.entries(rows).map(([x, y]) => ({ x, y: Number(y.toPrecision(4)) })) };
}
