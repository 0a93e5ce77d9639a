// The built-in policy in a host: a pool of worker processes, shared by training and evaluation.

import { CompactAgent } from '../../agents/compact/compact-agent.ts';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import { Pool } from '../../rollout/policy-pool.ts';
import type { PolicyWorker } from '../../rollout/policy-worker.ts';
import type { OpenHostPolicy } from './host-policy.ts';
import { PinnedPool } from './pinned-pool.ts';
import type { WorkerTimes } from './worker-times.ts';

export interface CompactPolicyOptions {
  readonly rollout: Pick<Config['rollout'], 'batch' | 'patienceMs' | 'workers'>;
  readonly startWorker: (index: number) => Promise<PolicyWorker>;
  readonly workerTimes?: Pick<WorkerTimes, 'sum'>;
  readonly clock: Clock;
}

export const compactPolicy =
  ({ rollout, startWorker, workerTimes, clock }: CompactPolicyOptions): OpenHostPolicy =>
  ({ time, health }) => {
    const { batch, patienceMs, workers } = rollout;
    const pool = new Pool({
      size: workers,
      maxRequests: batch,
      maxWaitMs: patienceMs,
      maxBatchesPerWorker: 2,
      start: startWorker,
      clock,
      health,
    });
    const pinned = new PinnedPool(pool);
    const agent = (decides: Pool | PinnedPool) =>
      new CompactAgent({ pool: decides, observing: work => time.within(work) });
    return {
      training: agent(pool),
      evaluating: agent(pinned),
      publish: weights => pool.publish(weights),
      evaluate: weights => pinned.pin(weights),
      account: () => pool.account(),
      processorTime: async () => {
        const times = await workerTimes?.sum();
        return times === undefined ? {} : { deciding: times.deciding, workers: times.whole };
      },
      metrics: () => ({}),
      close: () => pool.close(),
    };
  };
