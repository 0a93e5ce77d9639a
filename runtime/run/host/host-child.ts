// The entry of the host's process, which starts the policy workers as its children.

import { randomUUID } from 'node:crypto';
import { COMPACT_AGENT } from '../../core/agent.ts';
import { systemClock } from '../../core/system-clock.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import { startWorker } from '../../rollout/worker-process.ts';
import { runModule } from '../module-child.ts';
import { Host, type HostStart } from './host.ts';
import { openKind } from './host-kinds.ts';
import type { OpenHostPolicy } from './host-policy.ts';
import { compactPolicy } from './host-policy-compact.ts';
import { openModelPolicy } from './host-policy-model.ts';
import { askedPolicy } from './host-policy-remote.ts';
import { lowerPriority } from './priority.ts';
import { WorkerTimes } from './worker-times.ts';

// The trainer goes first: rollouts keep up with the processor time that it leaves, but not the other way round.
lowerPriority();

type Start = HostStart & { readonly worker: string };

runModule<Start>(async (start, fabric, signal) => {
  const kind = await openKind({
    ...{ run: start.run, config: start.config, clock: systemClock },
    health: (thing, healthy, message) =>
      fabric.events.publish({
        ...{ module: 'environments', at: systemClock.now(), kind: 'health' },
        ...{ thing, healthy, message },
      }),
  });
  const host = new Host({
    ...start,
    kind,
    fabric,
    policy: await policyOf(start, fabric, signal),
    clock: systemClock,
  });
  return () => host.run(signal);
});

/** The policy of the run's agent. Rejects for a model whose servers cannot train. */
async function policyOf(
  { run, config, shape, worker, isTrained, spent, prompted }: Start,
  fabric: Fabric,
  signal: AbortSignal,
): Promise<OpenHostPolicy> {
  if (prompted !== undefined)
    return askedPolicy({ agent: config.agent, prompted, fabric, asker: randomUUID() });
  if (config.agent !== COMPACT_AGENT)
    return openModelPolicy({
      ...{ run, config, isTrained, environment: process.env, clock: systemClock, signal },
      ...(spent !== undefined && { spent }),
    });
  const entry = new URL(worker);
  const workerTimes = new WorkerTimes();
  return compactPolicy({
    rollout: config.rollout,
    startWorker: async () => workerTimes.track(await startWorker({ entry, shape })),
    workerTimes,
    clock: systemClock,
  });
}
