// The entry of the host's process. The workers that decide are processes of its own.

import { constants, setPriority } from 'node:os';
import { startWorker } from '../../rollout/worker-process.ts';
import { systemClock } from '../clock.ts';
import { openSuite } from '../suite.ts';
import { Host, type HostStart } from './host.ts';
import { runModule } from './module-child.ts';

// Its workers have it from here. The trainer comes first: what it cannot use is enough to play on, and the other way round it is not.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

runModule<HostStart & { readonly worker: string }>(async (start, fabric, signal) => {
  const suite = await openSuite(start.config.suite.files);
  const entry = new URL(start.worker);
  const host = new Host({
    ...start,
    suite,
    fabric,
    startWorker: () => startWorker({ entry, shape: start.shape }),
    clock: systemClock,
  });
  return () => host.run(signal);
});
