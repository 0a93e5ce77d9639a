// The entry of a host's process in the benchmark of hosts: the product's host with slow desktops, and without discovery, which would use
// the processor time that the desktops leave.

import { seeded } from '../../core/rng.ts';
import { systemClock } from '../../core/system-clock.ts';
import { startWorker } from '../../rollout/worker-process.ts';
import { Host, type HostStart } from '../../run/host.ts';
import { openKind } from '../../run/host-kinds.ts';
import { compactPolicy } from '../../run/host-policy-compact.ts';
import { runModule } from '../../run/module-child.ts';
import { WorkerTimes } from '../../run/worker-times.ts';
import { slowDesktop } from './slow-desktop.ts';

runModule<HostStart & { readonly worker: string }>(async (start, fabric, signal) => {
  const { run, config, shape, worker } = start;
  const kind = await openKind({ run, config, clock: systemClock, health: () => undefined });
  const entry = new URL(worker);
  const workerTimes = new WorkerTimes();
  const host = new Host({
    ...start,
    kind: {
      ...kind,
      make: async (id, time) => slowDesktop(await kind.make(id, time), seeded(id), systemClock),
      teacher: context => {
        const { discovery: _, ...teacher } = kind.teacher(context);
        return teacher;
      },
    },
    fabric,
    policy: compactPolicy({
      rollout: config.rollout,
      startWorker: async () => workerTimes.track(await startWorker({ entry, shape })),
      workerTimes,
      clock: systemClock,
    }),
    clock: systemClock,
  });
  return () => host.run(signal);
});
