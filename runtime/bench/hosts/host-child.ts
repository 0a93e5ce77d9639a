// The entry of a host's process in the benchmark of hosts: the product's host with slow desktops, and without discovery, which would use
// the processor time that the desktops leave.

import type { Desktop } from '../../core/desktop.ts';
import { seeded } from '../../core/rng.ts';
import { systemClock } from '../../core/system-clock.ts';
import { startWorker } from '../../rollout/worker-process.ts';
import { Host, type HostStart } from '../../run/host/host.ts';
import { openKind } from '../../run/host/host-kinds.ts';
import { compactPolicy } from '../../run/host/host-policy-compact.ts';
import { WorkerTimes } from '../../run/host/worker-times.ts';
import { runModule } from '../../run/module-child.ts';
import { followMovedClock } from '../machine/moved-clock.ts';
import { notedWorker } from './attribution.ts';
import { hostNotes, notedDesktop } from './host-notes.ts';
import { settingsHere } from './host-settings.ts';
import { slowDesktop } from './slow-desktop.ts';

const { serviceMs, notes, clock: movedClock } = settingsHere(process.env);
if (movedClock !== undefined) followMovedClock(movedClock);
const add = notes === undefined ? undefined : hostNotes(notes);
const noted = (desktop: Desktop) => (add === undefined ? desktop : notedDesktop(desktop, add));

runModule<HostStart & { readonly worker: string }>(async (start, fabric, signal) => {
  const { run, config, shape, worker } = start;
  const kind = await openKind({ run, config, clock: systemClock, health: () => undefined });
  const entry = new URL(worker);
  const workerTimes = new WorkerTimes();
  const host = new Host({
    ...start,
    kind: {
      ...kind,
      make: async (id, time) =>
        slowDesktop(noted(await kind.make(id, time)), seeded(id), systemClock, serviceMs),
      teacher: context => {
        const { discovery: _, ...teacher } = kind.teacher(context);
        return teacher;
      },
    },
    fabric,
    policy: compactPolicy({
      rollout: config.rollout,
      startWorker: async () => {
        const started = workerTimes.track(await startWorker({ entry, shape }));
        return add === undefined ? started : notedWorker(started, add);
      },
      workerTimes,
      clock: systemClock,
    }),
    clock: systemClock,
  });
  return () => host.run(signal);
});
