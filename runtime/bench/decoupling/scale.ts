// The scale benchmark: processor time of the scheduler (channels, desktop pool, runner, policy pool, curator) per environment step, with
// 100, 1,000 and 10,000 simulated desktops. The same models without a scheduler (baseline.ts) are measured too; the difference is the
// cost of the scheduler. Other programs do not lengthen processor time. Rounds of both take turns, and their median counts.

import { at } from '../../core/at.ts';
import { openChild } from '../../rpc/child.ts';
import { type Benchmark, median } from '../report.ts';
import { entry } from '../training.ts';
import { measuresOf, sumOf } from './measures.ts';
import type { RoundCalls, RoundOptions, ScaleRound } from './round-child.ts';
import { DECOUPLED } from './trial.ts';

const SIZES = [100, 1000, 10_000] as const;
const ROUNDS = 3;
const MINUTES = 5;

export const scale: Benchmark = {
  name: 'scale',
  summary: 'cost of the scheduler per step, and occupancy, with 100, 1,000 and 10,000 simulated desktops',
  run: async (report, { minutes = MINUTES, seeds }) => {
    const share = Math.min(1, minutes / MINUTES);
    const parts = SIZES.length * ROUNDS * seeds;
    const rounds: (ScaleRound & { readonly size: number })[] = [];
    for (let seed = 0; seed < seeds; seed++)
      for (let turn = 0; turn < ROUNDS; turn++)
        for (const size of SIZES) {
          const name = `${size} desktops, seed ${seed}, round ${turn + 1}`;
          const round = await report.part(name, parts, () => playInChild({ size, seed, share }));
          rounds.push({ size, ...round });
        }
    const fleets = SIZES.map(size => summary(size, rounds));
    const [small, large] = [at(fleets, 0), at(fleets, 2)];
    return {
      figures: {
        cost_growth_100_to_10000: large.own / small.own,
        occupancy_10000: large.occupancy,
        us_per_step: large.own,
      },
      config: { rounds: ROUNDS, configuration: DECOUPLED, fleets },
      series: { 'cost/the scheduler': fleets.map(({ size, own }) => ({ x: `${size} desktops`, y: own })) },
    };
  },
};

/** In a process with the heap settings of a host with that many desktops. */
async function playInChild(options: RoundOptions): Promise<ScaleRound> {
  const { client } = await openChild<RoundCalls, undefined>({
    ...{ name: 'round', entry: entry('bench-scale'), waiting: options.size },
    // A round blocks its process for minutes.
    heartbeatTimeoutMs: Number.POSITIVE_INFINITY,
  });
  try {
    return await client.call('play', options);
  } finally {
    await client.close();
  }
}

/** Microseconds per step: of the scheduler, of everything, and of the models alone. */
function summary(size: number, all: readonly (ScaleRound & { readonly size: number })[]) {
  const rounds = all.filter(round => round.size === size);
  const { occupancy, stepping, deciding } = measuresOf(sumOf(rounds.map(({ spent }) => spent)));
  return {
    size,
    own: median(rounds.map(({ whole, models }) => whole - models)),
    whole: median(rounds.map(({ whole }) => whole)),
    models: median(rounds.map(({ models }) => models)),
    ...{ occupancy, stepping, deciding },
  };
}
