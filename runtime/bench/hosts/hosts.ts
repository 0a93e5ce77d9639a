// The benchmark of runs over several hosts: speed and cost with one, two and four of them, and faults. Every process is real, and so is the
// broker; only the time that a desktop takes is simulated.

import { systemClock } from '../../core/system-clock.ts';
import { findNatsServer } from '../../hosts/nats-server.ts';
import { processorTime, totalTime } from '../processor-time.ts';
import type { Benchmark, Figures } from '../report.ts';
import { DESKTOPS, withCluster, withSingle } from './cluster.ts';
import { faultFigures, runFaults } from './fault-run.ts';
import { FAULT_INTERVAL_MS, type FaultTimes, plannedFaults } from './faults.ts';
import { withNetwork } from './network.ts';
import type { ObservedRun } from './observed-run.ts';
import { OSWORLD_SERVICE_MS, SERVICE_MS } from './slow-desktop.ts';
import { type MeasuredSpeed, type SpeedSample, speedBetween, speedSample } from './throughput.ts';

/** This machine counts as a host. */
const HOSTS = [1, 2, 4] as const;
const PARTS = HOSTS.length + 2;
const MAX_JOINED = Math.max(...HOSTS) - 1;
const DEFAULT_MINUTES = 12;
/** Per minute of the benchmark. Calls are counted by episode, so a short window has a random share of episodes at its ends. */
const WINDOW_MS = 8000;
const FAULTS = 20 / DEFAULT_MINUTES;
const FAULT_MS: FaultTimes = { kill: 5_000, pause: 45_000, partition: 15_000, broker: 3_000 };
/** Hosts report their metrics once a second. */
const MIN_WINDOW_MS = 10_000;
const WARM_UP_MS = 10_000;
const POLL_MS = 100;

export const hosts: Benchmark = {
  name: 'hosts',
  summary: 'several hosts over NATS: speed, cost of a step, and faults',
  run: async (report, { minutes = DEFAULT_MINUTES }) => {
    // Rejects at once, with advice, where none is installed.
    const { version } = await findNatsServer();
    const windowMs = Math.max(MIN_WINDOW_MS, WINDOW_MS * minutes);
    const say = (text: string) => report.say(`    ${text}`);
    const result = await withNetwork(
      MAX_JOINED,
      text => report.say(text),
      async network => {
        const single = await report.part('1 host, without a broker', PARTS, () =>
          withSingle({ say, serviceMs: OSWORLD_SERVICE_MS }, run => measured(run, windowMs)),
        );
        const speeds: MeasuredSpeed[] = [];
        for (const count of HOSTS)
          speeds.push(
            await report.part(`${count} ${count === 1 ? 'host' : 'hosts'}`, PARTS, () =>
              withCluster({ joined: count - 1, network, say, serviceMs: OSWORLD_SERVICE_MS }, ({ run }) =>
                measured(run, windowMs),
              ),
            ),
          );
        const { partition: _, ...everywhere } = FAULT_MS;
        const times: FaultTimes = network.link === undefined ? everywhere : FAULT_MS;
        const count = Math.max(Object.keys(times).length, Math.round(FAULTS * minutes));
        const plan = plannedFaults(count, MAX_JOINED, times);
        const faults = await report.part(`${count} faults`, PARTS, () =>
          withCluster({ joined: MAX_JOINED, network, say, hasNotes: true }, cluster =>
            runFaults(cluster, plan, say),
          ),
        );
        return { network: network.about, single, speeds, faults, times };
      },
    );
    const { network, single, speeds, faults, times } = result;
    return {
      figures: { ...speedFigures(single, speeds), ...faultFigures(faults) },
      config: {
        ...{ network, desktops: DESKTOPS, service_ms: OSWORLD_SERVICE_MS },
        ...{
          window_s: windowMs / 1000,
          fault_service_ms: SERVICE_MS,
          fault_ms: times,
          fault_interval_ms: FAULT_INTERVAL_MS,
        },
      },
      versions: { 'nats-server': version },
      series: {
        'calls per second/hosts': speeds.map(({ callsPerS: y }, index) => ({ x: HOSTS[index] ?? 0, y })),
      },
    };
  },
};

/** All joined hosts play already. */
async function measured(run: ObservedRun, windowMs: number): Promise<MeasuredSpeed> {
  for (; run.state().rollout.steps === 0; await systemClock.sleep(POLL_MS)) run.requireTraining();
  await systemClock.sleep(WARM_UP_MS);
  const before = await sampled(run);
  await systemClock.sleep(windowMs);
  return speedBetween(before, await sampled(run));
}

async function sampled(run: ObservedRun): Promise<SpeedSample> {
  run.requireTraining();
  const all = totalTime(await processorTime(process.pid));
  return speedSample(run.state(), { at: performance.now() / 1000, calls: run.calls, all });
}

export function speedFigures(single: MeasuredSpeed, [one, two, four]: readonly MeasuredSpeed[]): Figures {
  if (one === undefined || two === undefined || four === undefined) return {};
  const growth = (of: 'ringMsPerStep' | 'allMsPerStep', measured = four) => measured[of] / single[of] - 1;
  return {
    scaling_2_hosts: two.callsPerS / one.callsPerS,
    scaling_4_hosts: four.callsPerS / one.callsPerS,
    overhead_share: growth('ringMsPerStep'),
    overhead_share_1_host: growth('ringMsPerStep', one),
    overhead_share_of_all: growth('allMsPerStep'),
    ...{ steps_per_s_1_host: one.stepsPerS, steps_per_s_4_hosts: four.stepsPerS },
    ...{ ring_ms_per_step: single.ringMsPerStep, ring_ms_per_step_4_hosts: four.ringMsPerStep },
  };
}
