// Evaluates a policy: plays every task of a split on a number of instances, once each and greedily, on all desktops of a session in parallel.
// A broken episode is retried; one that keeps breaking is reported apart and never counts as a failure.

import { CompactAgent } from '../agents/compact/compact-agent.ts';
import type { Clock } from '../core/clock.ts';
import { desktopId, runId, type TaskId } from '../core/ids.ts';
import type { Mode, Weights } from '../core/policy.ts';
import { seeded } from '../core/rng.ts';
import { failureOf } from '../core/run-together.ts';
import { Evaluations, type TaskEvaluation } from '../data/evaluation.ts';
import type { TaskSplit } from '../environments/suite.ts';
import { watchedPool } from '../environments/watched-pool.ts';
import { embeddedFabric } from '../fabric/embedded-fabric.ts';
import { Pool } from '../rollout/policy-pool.ts';
import type { PolicyWorker } from '../rollout/policy-worker.ts';
import { Runner } from '../rollout/runner.ts';
import { limitsOf } from '../run/curation.ts';
import type { DesktopSession } from './desktop-session.ts';

export interface EvaluatedPolicy {
  /** The caller closes it. */
  readonly desktops: DesktopSession;
  readonly worker: PolicyWorker;
  readonly weights: Weights;
  readonly mode: Mode;
}

interface EvaluationOptions extends EvaluatedPolicy {
  readonly tasks: readonly TaskId[];
  readonly split: TaskSplit;
  /** The number of instances of each task, from the first of the split on. */
  readonly instances: number;
  readonly clock: Clock;
}

const MAX_ATTEMPTS = 3;
const BATCH = 32;

/** Rejects with the reason when no desktop starts. */
export async function evaluatePolicy(options: EvaluationOptions): Promise<readonly TaskEvaluation[]> {
  const { desktops, worker, weights, tasks, split, mode, clock } = options;
  const { suite, health } = desktops;
  const instances = tasks.flatMap(task =>
    Array.from({ length: options.instances }, (_, index) => ({ task, seed: suite.seed(split, index) })),
  );
  const size = Math.min(desktops.size, instances.length);
  const forever = { maxEpisodes: Number.POSITIVE_INFINITY, maxAgeMs: Number.POSITIVE_INFINITY };
  const make = (index: number) => desktops.make(desktopId(`e${index}`));
  const { pool: cluster, failed: noDesktop } = watchedPool({ size, make, ...forever, clock, health });
  const pool = new Pool({
    ...{ size: 1, maxRequests: BATCH, maxWaitMs: 0, maxSwapping: 1, clock, health },
    start: async () => worker,
  });
  pool.publish(weights);
  const fabric = embeddedFabric();
  const taskOf = ({ task, seed }: (typeof instances)[number]) => suite.task(task, seed);
  const evaluations = new Evaluations({
    ...{ run: runId('evaluation'), mode, maxOpenOrders: size },
    fabric: { orders: fabric.evaluations, events: fabric.events },
    maxStepsOf: limitsOf(suite),
    // Random streams depend on the names of orders, which contain the time. A constant time makes evaluations repeatable.
    clock: { ...clock, now: () => 0 },
  });
  const runner = new Runner({
    ...{ orders: fabric.evaluations.taker(), trajectories: { put: each => evaluations.receive(each) } },
    ...{
      events: fabric.events,
      lender: cluster,
      agent: new CompactAgent({ pool }),
      taskOf,
      mostAttempts: MAX_ATTEMPTS,
      clock,
    },
    sampling: { temperature: 0, exploration: 0 },
    random: seeded('evaluation'),
  });
  const stop = new AbortController();
  const over = AbortSignal.any([stop.signal, noDesktop]);
  const measuring = evaluations.measure({ version: weights.version, instances }, over);
  const running = runner.run(over);
  try {
    // The runner ends before the evaluation only with an error.
    const { tasks: measured } = await Promise.race([measuring, failureOf(running)]);
    return measured;
  } finally {
    stop.abort();
    await Promise.allSettled([measuring, running]);
    await Promise.all([cluster.close(), pool.close()]);
    await fabric.close();
  }
}
