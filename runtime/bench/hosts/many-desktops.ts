// The benchmark of hosts with --desktops: very many slow desktops on several joined hosts, over a real broker. Measures how many of them
// play, and what the broker and the memory cost.

import { cpus } from 'node:os';
import { ofThisProcess } from '../../core/processor-time.ts';
import { sum } from '../../core/sum.ts';
import { systemClock } from '../../core/system-clock.ts';
import { findNatsServer } from '../../hosts/nats-server.ts';
import type { RunState } from '../../protocol/daemon/state.ts';
import { type MemorySample, THIS_PROCESS, withMemory } from '../memory.ts';
import { readProc } from '../process-tree.ts';
import { processorTime, secondsOf, totalTime } from '../processor-time.ts';
import type { Benchmark, Figures } from '../report.ts';
import { type BenchCluster, withCluster } from './cluster.ts';
import { withNetwork } from './network.ts';
import type { ServiceTime } from './slow-desktop.ts';

const MINUTES = 10;
const DESKTOPS = 1000;
const HOSTS = 10;
/**
 * Two cores serve about 60 calls of desktops per second, with decisions and training. With a call per 30 s, 1000 desktops need little more
 * than half of it: the figures are about the ring and its broker, and not about the speed of this machine.
 */
const SERVICE_MS: ServiceTime = { min: 20_000, max: 40_000 };
/** A run has a host on the machine of the daemon. */
const LOCAL_DESKTOPS = 1;
const PLAYING_SHARE = 0.95;
/** The first orders are taken by then. Occupancy counts from there on, also if it is low. */
const WARM_UP_TIMEOUT_MS = 120_000;
const SAMPLE_MS = 2000;
/** Reading the memory of 30 processes takes a tenth of a second. */
const MEMORY_INTERVAL_MS = 10_000;

export interface ManyDesktopsMeasured {
  readonly network: string;
  /** Shares of the joined desktops with a live episode, over time. */
  readonly occupancies: readonly number[];
  /** Processor time in cores. */
  readonly brokerCores: number;
  readonly daemonCores: number;
  readonly allCores: number;
  readonly memory: readonly MemorySample[];
  readonly stepsPerS: number;
}

export const manyDesktops: Benchmark = {
  name: 'hosts',
  variant: 'desktops',
  summary: 'very many desktops on several hosts: occupancy, broker and memory',
  run: async (report, { desktops = DESKTOPS, hosts = HOSTS, minutes = MINUTES }) => {
    if (desktops % hosts !== 0)
      throw new RangeError(
        `--desktops is ${desktops}, which ${hosts} hosts cannot share equally. Change one of them.`,
      );
    const { version } = await findNatsServer();
    const name = `${desktops} desktops on ${hosts} hosts, ${minutes} minutes`;
    const measured = await report.part(name, 1, () =>
      withNetwork(
        hosts,
        text => report.say(text),
        network => {
          const say = (text: string) => report.say(`    ${text}`);
          const each = { joined: desktops / hosts, local: LOCAL_DESKTOPS };
          const options = { joined: hosts, network, say, desktops: each, serviceMs: SERVICE_MS };
          return withCluster(options, async cluster => ({
            network: network.about,
            ...(await measure(cluster, minutes, say)),
          }));
        },
      ),
    );
    const [third, end] = [memoryAt(measured.memory, 1 / 3), memoryAt(measured.memory, 1)];
    return {
      figures: desktopFigures(measured),
      config: {
        ...{ network: measured.network, desktops, hosts, minutes, service_ms: SERVICE_MS },
        ...{ mb_at_third: third, mb_at_end: end },
      },
      versions: { 'nats-server': version },
    };
  },
};

async function measure(
  cluster: BenchCluster,
  minutes: number,
  say: (text: string) => void,
): Promise<Omit<ManyDesktopsMeasured, 'network'>> {
  const { run, broker } = cluster;
  const occupancy = (): number => {
    run.requireTraining();
    return occupancyOf(run.state().hosts);
  };
  const warm = performance.now() + WARM_UP_TIMEOUT_MS;
  while (occupancy() < PLAYING_SHARE && performance.now() < warm) await systemClock.sleep(SAMPLE_MS);
  say(`${(100 * occupancy()).toFixed(1)} % of the desktops play`);
  const pid = await broker.pid();
  const used = async () => ({
    ...{ at: performance.now() / 1000, steps: run.state().rollout.steps },
    ...{ all: totalTime(await processorTime(process.pid)) },
    ...{ broker: secondsOf(await readProc(pid, 'stat')), daemon: ofThisProcess() },
  });
  const before = await used();
  const occupancies: number[] = [];
  const { samples } = await withMemory(async () => {
    const end = performance.now() + 60_000 * minutes;
    for (; performance.now() < end; await systemClock.sleep(SAMPLE_MS)) occupancies.push(occupancy());
  }, MEMORY_INTERVAL_MS);
  const after = await used();
  const perSecond = (of: keyof typeof after): number => (after[of] - before[of]) / (after.at - before.at);
  return {
    occupancies,
    brokerCores: perSecond('broker'),
    daemonCores: perSecond('daemon'),
    allCores: perSecond('all'),
    memory: samples,
    stepsPerS: perSecond('steps'),
  };
}

/** Of the hosts that have joined. */
export function occupancyOf(hosts: RunState['hosts']): number {
  const joined = (hosts ?? []).filter(({ isLocal }) => !isLocal);
  const total = (of: 'playing' | 'desktops') => joined.reduce((sum, each) => sum + each[of], 0);
  return total('desktops') === 0 ? 0 : total('playing') / total('desktops');
}

/** A tenth of all samples, up to this share of the time. */
const WINDOW_SHARE = 0.1;

/** Mean megabytes of each kind of process around a moment. */
export function memoryAt(samples: readonly MemorySample[], share: number): Readonly<Record<string, number>> {
  const end = Math.max(1, Math.round(share * samples.length));
  const window = samples.slice(
    Math.max(0, end - Math.max(1, Math.round(WINDOW_SHARE * samples.length))),
    end,
  );
  const names = new Set(window.flatMap(({ megabytes }) => Object.keys(megabytes)));
  return Object.fromEntries(
    [...names].sort().map(name => {
      const all = window.reduce((sum, { megabytes }) => sum + (megabytes[name] ?? 0), 0);
      return [name === THIS_PROCESS ? 'daemon' : name, Math.round(all / window.length)];
    }),
  );
}

export function desktopFigures(measured: ManyDesktopsMeasured): Figures {
  const { occupancies, memory, brokerCores, daemonCores, allCores, stepsPerS } = measured;
  const [third, end] = [1 / 3, 1].map(share => sum(Object.values(memoryAt(memory, share))));
  return {
    occupancy: sum(occupancies) / occupancies.length,
    lowest_occupancy: Math.min(...occupancies),
    broker_share: brokerCores,
    daemon_share: daemonCores,
    busy_share: allCores / cpus().length,
    ...(third !== undefined &&
      end !== undefined &&
      third > 0 && { memory_growth: end / third - 1, memory_mb: end }),
    steps_per_s: stepsPerS,
  };
}
