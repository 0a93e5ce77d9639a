// Simulated disks without faults but the loss of power, for tests of single files.

import type { Disk } from '../../runtime/core/disk.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { SimulatedDisk } from './disk.ts';
import { Life } from './life.ts';

const DISKS = 16;
const never = () => false;

/** Chance decides on each what a power failure leaves of changes that are not synced. */
export const someDisks = (): readonly { readonly disk: Disk; readonly machine: SimulatedDisk }[] =>
  Array.from({ length: DISKS }, (_, seed) => {
    const machine = new SimulatedDisk(seeded(seed), {
      ...{ called: () => undefined, isFull: never, failsWrite: never, failsSync: never },
      ...{ syncs: true, latency: () => 0 },
    });
    return { disk: machine.on(new Life('a process', new VirtualClock())), machine };
  });
