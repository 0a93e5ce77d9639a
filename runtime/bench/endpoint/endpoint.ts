// The endpoint benchmark: the cost and the memory of our side of a step, steps under faults, wrong reports of servers, and the compact
// policy through its own endpoint.

import { loadavg } from 'node:os';
import { seeded } from '../../core/rng.ts';
import { sum } from '../../core/sum.ts';
import type { Benchmark } from '../report.ts';
import { type ChatProcess, startChat } from './chat-process.ts';
import { compareCompact, successOf } from './compact.ts';
import { measureMemory } from './memory.ts';
import { askMisreporting, isNamed } from './misreports.ts';
import { MEASURED, measureOverhead, summaryOf } from './overhead.ts';
import {
  FULL_LOAD,
  type MeasuredRolling,
  measureRolling,
  PARTIAL_LOAD,
  ROLLING_WAYS,
  type RollingLoad,
} from './rolling-load.ts';
import { EPISODES, FAULT_SHARES, playStorm } from './storm.ts';

/** Of the training whose policy plays through the endpoint. */
const MINUTES = 1;
const IMMEDIATE = {
  port: 0,
  generation: 'g',
  version: 'v1',
  latencyMs: 0,
  faults: {},
  seed: 'none',
} as const;
const PARTS = 2 * MEASURED.length + 4 + 2 * ROLLING_WAYS.length;

export const endpoint: Benchmark = {
  name: 'endpoint',
  summary:
    'cost, memory and losses of episodes against a server; rolling updates; the compact policy through its endpoint',
  run: async (report, { minutes = MINUTES }) => {
    const random = seeded('endpoint');
    // Memory first: other parts leave garbage behind.
    const memory = await byProfile(profile =>
      report.part(`memory, ${profile}`, PARTS, () =>
        withServer(server => measureMemory(profile, server, random.fork(`memory ${profile}`))),
      ),
    );
    const overhead = await byProfile(profile =>
      report.part(`overhead, ${profile}`, PARTS, () =>
        withServer(async server =>
          summaryOf(await measureOverhead(profile, server, random.fork(`overhead ${profile}`))),
        ),
      ),
    );
    const calm = await report.part('64 episodes', PARTS, () => playStorm(undefined, random.fork('calm')));
    const storm = await report.part('64 episodes with faults', PARTS, () =>
      playStorm(FAULT_SHARES, random.fork('storm')),
    );
    const roll = async (load: RollingLoad): Promise<readonly MeasuredRolling[]> => {
      const all: MeasuredRolling[] = [];
      for (const way of ROLLING_WAYS)
        all.push(
          await report.part(`rolling update by ${way}, ${load.episodes} episodes`, PARTS, () =>
            measureRolling(way, load),
          ),
        );
      return all;
    };
    const rolling = await roll(PARTIAL_LOAD);
    const saturated = await roll(FULL_LOAD);
    const named = await report.part('wrong reports', PARTS, () => withServer(askMisreporting));
    const compared = await report.part(`compact policy, ${minutes} min of training`, PARTS, () =>
      compareCompact(minutes, random.fork('compact'), report),
    );
    const evaluated = compared.filter(({ temperature }) => temperature === 0);
    const [direct, endpoint] = [successOf(evaluated, 'direct'), successOf(evaluated, 'endpoint')];
    const different = compared.filter(({ difference }) => difference !== undefined);
    const wrong = named.filter(({ expected }) => expected.length > 0);
    const { problems } = storm.account;
    const [memories, overheads] = [Object.values(memory), Object.values(overhead)];
    return {
      figures: {
        overhead_ms_p50: worstOf(overheads.map(({ all }) => all.wall)),
        overhead_processor_ms_p50: worstOf(overheads.map(({ all }) => all.processor)),
        overhead_every_pixel_ms_p50: worstOf(overheads.map(({ everyPixel }) => everyPixel.wall)),
        overhead_growth: worstOf(overheads.map(({ growth }) => growth)),
        episode_mb: worstOf(memories.map(({ live }) => live)),
        episode_rss_mb: worstOf(memories.map(({ resident }) => resident)),
        requests_per_s: calm.account.attempts / calm.seconds,
        steps_lost: storm.expected - storm.account.steps + problems.lost,
        steps_resampled: problems.resampled,
        causes_wrong: problems['wrong-cause'] + storm.account.strangers,
        versions_wrong: problems['wrong-version'],
        defects_wrong: problems['wrong-defects'],
        ...rollingFigures(rolling, saturated),
        misreports: wrong.length,
        misreports_detected: wrong.filter(isNamed).length,
        honest_accused:
          named.length - wrong.length - named.filter(each => !wrong.includes(each) && isNamed(each)).length,
        compact_direct: direct.rate,
        compact_endpoint: endpoint.rate,
        actions_compared: compared.reduce((sum, { actions }) => sum + actions, 0),
        actions_differ: different.length,
      },
      certainty: { compact_direct: certaintyOf(direct), compact_endpoint: certaintyOf(endpoint) },
      config: {
        screen: '1920x1080',
        // Above the number of cores, other programs took part of the time.
        load_average: loadavg()[0],
        profiles: MEASURED,
        overhead,
        memory,
        episodes: EPISODES,
        faults: FAULT_SHARES,
        calm,
        storm,
        rolling,
        saturated,
        named,
        minutes,
        differences: different,
      },
    };
  },
};

/** At the partial load, `servedShare` is that of the worse way. */
export function rollingFigures(
  partial: readonly MeasuredRolling[],
  full: readonly MeasuredRolling[],
): Readonly<Record<string, number>> {
  const all = [...partial, ...full];
  const shareOf = (way: MeasuredRolling['way']): number =>
    full.find(each => each.way === way)?.servedShare ?? Number.NaN;
  return {
    rolling_update_lost: sum(all.map(({ lost }) => lost)),
    version_errors: sum(all.map(({ wrongVersions, behind }) => wrongVersions + behind)),
    rolling_update_served_share: Math.min(...partial.map(({ servedShare }) => servedShare)),
    rolling_update_served_share_adapter_full: shareOf('adapter'),
    rolling_update_served_share_pause_full: shareOf('pause'),
    rolling_update_requests: sum(all.map(({ requests }) => requests)),
  };
}

const worstOf = (numbers: readonly number[]): number => Math.max(...numbers);

async function byProfile<T>(
  measure: (profile: (typeof MEASURED)[number]) => Promise<T>,
): Promise<Readonly<Record<string, T>>> {
  const found: Record<string, T> = {};
  for (const profile of MEASURED) found[profile] = await measure(profile);
  return found;
}

/** A server that answers at once, in a process of its own. */
async function withServer<T>(use: (server: ChatProcess) => Promise<T>): Promise<T> {
  const server = await startChat(IMMEDIATE);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

const certaintyOf = ({ rate: _, ...interval }: ReturnType<typeof successOf>) => interval;
