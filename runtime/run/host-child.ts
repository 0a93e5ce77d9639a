// The entry of the host's process, which starts the policy workers as its children.

import { constants, setPriority } from 'node:os';
import { systemClock } from '../core/system-clock.ts';
import { startWorker } from '../rollout/worker-process.ts';
import { Host, type HostStart } from './host.ts';
import { openKind } from './host-kinds.ts';
import { runModule } from './module-child.ts';
import { WorkerTimes } from './worker-times.ts';

// Workers inherit it. The trainer goes first: rollouts keep up with the processor time that it leaves, but not the other way round.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

runModule<HostStart & { readonly worker: string }>(async (start, fabric, signal) => {
  const kind = await openKind({
    ...{ run: start.run, config: start.config, clock: systemClock },
    health: (thing, healthy, message) =>
      fabric.events.publish({
        ...{ module: 'environments', at: systemClock.now(), kind: 'health' },
        ...{ thing, healthy, message },
      }),
  });
  const entry = new URL(start.worker);
  const workerTimes = new WorkerTimes();
  const host = new Host({
    ...start,
    kind,
    fabric,
    startWorker: async () => workerTimes.track(await startWorker({ entry, shape: start.shape })),
    workerTimes,
    clock: systemClock,
  });
  return () => host.run(signal);
});
