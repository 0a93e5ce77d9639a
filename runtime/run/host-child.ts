// The entry of the host's process. Policy workers are its child processes.

import { constants, setPriority } from 'node:os';
import { systemClock } from '../core/system-clock.ts';
import { startWorker } from '../rollout/worker-process.ts';
import { Host, type HostStart } from './host.ts';
import { openKind } from './host-kinds.ts';
import { runModule } from './module-child.ts';
import { WorkerTimes } from './worker-times.ts';

// Its workers have it from here. The trainer comes first: what it cannot use is enough to play on, and the other way round it is not.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

runModule<HostStart & { readonly worker: string }>(async (start, fabric, signal) => {
  const kind = await openKind({ ...start, fabric, clock: systemClock });
  const entry = new URL(start.worker);
  const workerTimes = new WorkerTimes();
  const host = new Host({
    ...start,
    kind,
    fabric,
    startWorker: async () => workerTimes.of(await startWorker({ entry, shape: start.shape })),
    workerTimes,
    clock: systemClock,
  });
  return () => host.run(signal);
});
