// Members of one run over a real broker, for tests.

import { onTestFinished } from 'vitest';
import type { Blobs } from '../../../runtime/blobs/blobs.ts';
import { MemoryBlobs } from '../../../runtime/blobs/memory-blobs.ts';
import type { Clock } from '../../../runtime/core/clock.ts';
import { runId } from '../../../runtime/core/ids.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { BrokerAccess } from '../../../runtime/fabric/nats/connection.ts';
import type { HostGuard } from '../../../runtime/fabric/nats/host-guard.ts';
import { newEpoch } from '../../../runtime/fabric/nats/names.ts';
import { type NatsFabric, openNatsFabric } from '../../../runtime/fabric/nats/nats.ts';

/** Of `health`, in order: the thing, and whether it works. Beside them, messages that cannot be read. */
export type HealthReports = [thing: string, healthy: boolean][];

export interface TestRun {
  readonly epoch: string;
  readonly reports: HealthReports;
  daemon(): Promise<NatsFabric>;
  host(name?: string): Promise<NatsFabric>;
}

/** The values of a test are none of a run. */
export const ACCEPT_ALL: HostGuard = {
  accept: (_, value) => ({ value }),
  unreadable: () => undefined,
};

/** Its members close when the test ends. */
export function testRun(
  access: BrokerAccess,
  epoch = newEpoch(),
  blobs: Blobs = new MemoryBlobs(),
  clock: Clock = systemClock,
): TestRun {
  const reports: HealthReports = [];
  const guard: HostGuard = {
    ...ACCEPT_ALL,
    unreadable: (channel, host) => reports.push([`${channel} of ${host}`, false]),
  };
  const open = async (role: 'daemon' | 'host', member: string) => {
    const fabric = await openNatsFabric({
      ...{ access, epoch, member, blobs },
      ...(role === 'daemon' ? { role, guard } : { role }),
      run: runId('a.run_1'),
      clock,
      health: (thing, healthy) => reports.push([thing, healthy]),
    });
    onTestFinished(() => fabric.close());
    return fabric;
  };
  return {
    epoch,
    reports,
    daemon: () => open('daemon', 'daemon'),
    host: (name = 'tower.1') => open('host', name),
  };
}

/** A channel of a run, with values of a test. */
export const ofTest = <C>(channel: unknown): C => channel as C;
