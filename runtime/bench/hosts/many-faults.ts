// The benchmark of hosts with --faults: many faults of every kind, one after another, and their cost.

import { findNatsServer } from '../../hosts/nats-server.ts';
import type { Benchmark } from '../report.ts';
import { type BenchCluster, DESKTOPS, withCluster } from './cluster.ts';
import { faultFigures, runFaults } from './fault-run.ts';
import { FAULT_INTERVAL_MS, type FaultTimes, plannedFaults } from './faults.ts';
import { withNetwork } from './network.ts';
import { SERVICE_MS } from './slow-desktop.ts';

const FAULTS = 200;
const JOINED = 3;
/** A host is missing for longer than the ten seconds after which it counts as lost. */
const FAULT_MS: FaultTimes = {
  ...{ kill: 20_000, pause: 90_000, partition: 30_000, broker: 3_000, disk: 3_000, clock: 30_000 },
};

export const manyFaults: Benchmark = {
  name: 'hosts',
  variant: 'faults',
  summary: 'the cost of faults of every kind: of hosts, their clocks, the network, the broker and its disk',
  run: async (report, { faults = FAULTS }) => {
    const { version } = await findNatsServer();
    const measured = await report.part(`${faults} faults`, 1, () =>
      injectAll(faults, text => report.say(text)),
    );
    const { network, times, outcome } = measured;
    return {
      figures: faultFigures(outcome),
      config: {
        ...{ network, joined: JOINED, desktops: DESKTOPS, service_ms: SERVICE_MS },
        ...{ fault_ms: times, fault_interval_ms: FAULT_INTERVAL_MS },
      },
      versions: { 'nats-server': version },
    };
  },
};

const injectAll = (count: number, say: (text: string) => void) =>
  withNetwork(JOINED, say, network => {
    const indented = (text: string) => say(`    ${text}`);
    const options = { joined: JOINED, network, say: indented, hasNotes: true, hasDisk: true };
    return withCluster(options, async cluster => {
      const times = possibleFaults(cluster);
      const outcome = await runFaults(cluster, plannedFaults(count, JOINED, times), indented);
      return { network: network.about, times, outcome };
    });
  });

/** Only a user with the rights to make networks and to mount disks can break them. */
function possibleFaults({ network, disk }: BenchCluster): FaultTimes {
  const missing = [
    ...(network.link === undefined ? ['partition'] : []),
    ...(disk === undefined ? ['disk'] : []),
  ];
  return Object.fromEntries(Object.entries(FAULT_MS).filter(([kind]) => !missing.includes(kind)));
}
