// The scale benchmark: what the scheduler itself costs a step, with 100, 1,000 and 10,000 desktops: channels, cluster, runner, pool and
// curator. Everything else in the process is a model, and is measured apart with nothing between (alone.ts): encoding what is seen, the
// models' chance, the clock that jumps. The difference of the two is the scheduler's. Counted is processor time, which
// other programs on the machine do not lengthen; rounds of both take turns, and of the differences the median counts.

import { openChild } from '../../rpc/child.ts';
import type { Benchmark, Report } from '../report.ts';
import { median } from '../report.ts';
import { entry } from '../training.ts';
import { measuresOf, together } from './measures.ts';
import { DECOUPLED, type Round, type RoundOptions } from './round.ts';
import type { RoundCalls } from './round-child.ts';

const SIZES = [100, 1000, 10_000] as const;
const ROUNDS = 3;
const MINUTES = 5;

export const scale: Benchmark = {
  name: 'scale',
  summary:
    "the scheduler's own cost of a step, and how busy desktops are, with 100, 1,000 and 10,000 of them",
  run: async (report, { minutes = MINUTES, seeds }) => {
    const share = Math.min(1, minutes / MINUTES);
    const rounds = new Map<number, Round[]>(SIZES.map(size => [size, []]));
    for (let chance = 0; chance < seeds; chance++)
      for (let turn = 0; turn < ROUNDS; turn++)
        for (const size of SIZES) {
          const name = `${size} desktops, seed ${chance}, round ${turn + 1}`;
          const round = await report.part(name, SIZES.length * ROUNDS * seeds, () =>
            playedApart({ size, chance, share }),
          );
          rounds.get(size)?.push(round);
        }
    const found = SIZES.map(size => ({ size, ...summary(rounds.get(size) ?? []) }));
    tell(report, found);
    const [least, most] = [found[0], found.at(-1)];
    if (least === undefined || most === undefined) throw new RangeError('No fleet was measured.');
    const figures = {
      cost_growth_100_to_10000: rounded(most.own / least.own),
      occupancy_10000: rounded(most.occupancy),
      us_per_step: rounded(most.own),
    };
    for (const [name, value] of Object.entries(figures)) report.say(`  ${name.padEnd(26)} ${value}`);
    return {
      figures,
      config: { rounds: ROUNDS, configuration: DECOUPLED, fleets: found.map(rounds => ({ ...rounds })) },
      versions: { node: process.version },
      series: {
        'cost/the scheduler': found.map(({ size, own }) => ({ x: `${size} desktops`, y: rounded(own) })),
      },
    };
  },
};

/** In a process that is started as that of a training's desktops is. */
async function playedApart(options: RoundOptions): Promise<Round> {
  const { client } = await openChild<RoundCalls, undefined>({
    name: 'round',
    entry: entry('bench-scale'),
    waiting: options.size,
    heartbeatTimeoutMs: Infinity,
  });
  try {
    return await client.call('play', options);
  } finally {
    await client.close();
  }
}

const summary = (rounds: readonly Round[]) => {
  const { occupancy, stepping, deciding } = measuresOf(together(rounds.map(({ spent }) => spent)));
  return {
    own: median(rounds.map(({ whole, models }) => whole - models)),
    whole: median(rounds.map(({ whole }) => whole)),
    models: median(rounds.map(({ models }) => models)),
    ...{ occupancy, stepping, deciding },
  };
};

function tell(
  report: Report,
  found: readonly ({ readonly size: number } & ReturnType<typeof summary>)[],
): void {
  report.say(
    '  desktops  scheduler µs/step  with models  models alone  occupancy  stepping  workers deciding',
  );
  for (const { size, own, whole, models, occupancy, stepping, deciding } of found) {
    const cells = [
      String(size).padStart(10),
      own.toFixed(1).padStart(19),
      whole.toFixed(1).padStart(13),
      models.toFixed(1).padStart(14),
      ...[occupancy, stepping, deciding].map((value, index) =>
        percent(value).padStart([11, 10, 18][index] ?? 0),
      ),
    ];
    report.say(cells.join(''));
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const rounded = (value: number): number => Number(value.toPrecision(4));
