// One trial: the real fabric, desktop pool, runner, policy pool and curator, around desktops, workers and updates with given
// durations. After a warm-up it measures until a number of groups has trained. It runs by the clock that it is given.

import { setMaxListeners } from 'node:events';
import { CompactAgent } from '../../agents/compact/compact-agent.ts';
import type { Clock } from '../../core/clock.ts';
import type { Desktop } from '../../core/desktop.ts';
import { runId, seed, taskId, version } from '../../core/ids.ts';
import type { Mode } from '../../core/policy.ts';
import type { Random } from '../../core/rng.ts';
import type { Instance, Task } from '../../core/task.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { dartCuration, NO_PARTS } from '../../data/curation/dart.ts';
import { Curator } from '../../data/curator.ts';
import { DesktopPool } from '../../environments/pool.ts';
import { embeddedFabric } from '../../fabric/embedded-fabric.ts';
import { Pool } from '../../rollout/policy-pool.ts';
import type { PolicyWorker } from '../../rollout/policy-worker.ts';
import { Runner } from '../../rollout/runner.ts';
import { orderGate, type Scheduling } from './gate.ts';
import { type Spent, spentBetween } from './measures.ts';
import type { SimulatedWorld } from './worlds.ts';

export interface Schedule {
  readonly scheduling: Scheduling;
  /** all-worker: all workers load new weights at once. per-worker: one after another. paced: as many at a time as the measured times need. */
  readonly sync: 'all-worker' | 'per-worker' | 'paced';
  /** The staleness bound K. */
  readonly versions: number;
}

export interface TrialParts extends TrialHooks {
  readonly clock: Clock;
  /** Lets a short time pass. */
  readonly pass: () => Promise<void>;
  readonly random: Random;
  readonly make: (index: number) => Promise<Desktop>;
  readonly start: (index: number) => Promise<PolicyWorker>;
  readonly tasks: readonly string[];
  readonly taskOf: (instance: Instance) => Task;
  readonly mode: Mode;
  readonly blob: Uint8Array;
}

export interface TrialHooks {
  /** Called with every trajectory. */
  readonly finished?: (trajectory: Trajectory) => void;
  /** Called when the measurement starts and ends. */
  readonly mark?: () => void;
}

/** The default of the product. */
export const DECOUPLED: Schedule = { scheduling: 'rollout-wise', sync: 'paced', versions: 4 };

export type TrialSizes = Pick<
  SimulatedWorld,
  'desktops' | 'workers' | 'maxBatch' | 'holds' | 'trainers' | 'updates' | 'rollouts' | 'groups' | 'maxSteps'
>;

/** Numbers of updates; an update has about `groups` groups. */
export interface TrialSpan {
  readonly warmUp: number;
  readonly measured: number;
}

const RUN = runId('trial');
const SEEDS = 32;

/** The time spent after the warm-up, until the groups of `measured` updates have trained. */
export async function runTrial(
  { clock, random, mark = () => undefined, finished = () => undefined, ...parts }: TrialParts,
  sizes: TrialSizes,
  { scheduling, sync, versions }: Schedule,
  span: TrialSpan,
): Promise<Spent> {
  const { desktops, workers, trainers, updates, rollouts, groups, maxSteps } = sizes;
  const perUpdate = rollouts * groups;
  if (perUpdate > desktops)
    throw new RangeError(
      `An update has ${perUpdate} rollouts, but the world has ${desktops} desktops. Use fewer groups.`,
    );
  const startedAt = clock.now();
  const stop = new AbortController();
  const { signal } = stop;
  setMaxListeners(0, signal);
  const health = () => undefined;
  const sums = { training: 0, updates: 0, groups: 0, trained: 0, generated: 0, trajectories: 0 };

  const embedded = embeddedFabric();
  const room = { batch: perUpdate, groups: Math.floor(desktops / rollouts) };
  const orders =
    scheduling === 'rollout-wise' ? embedded.orders : orderGate(embedded.orders, scheduling, room, clock);
  const fabric = { ...embedded, orders };
  const desktopPool = new DesktopPool({
    ...{ size: desktops, make: parts.make, clock, health },
    ...{ maxEpisodes: Number.POSITIVE_INFINITY, maxAgeMs: Number.POSITIVE_INFINITY },
  });
  const policyPool = new Pool({
    ...{ size: workers, maxRequests: sizes.maxBatch, maxBatchesPerWorker: sizes.holds, maxWaitMs: 0 },
    ...(sync !== 'paced' && { maxSwapping: sync === 'all-worker' ? workers : 1 }),
    ...{ start: parts.start, clock, health },
  });
  const curator = new Curator({
    ...{ run: RUN, fabric, mode: parts.mode, clock, random: random.fork('curator') },
    keeps: { keep: async () => undefined },
    curation: dartCuration({
      tasks: parts.tasks.map(taskId),
      seedsOf: () => Array.from({ length: SEEDS }, (_, index) => seed(index)),
      maxStepsOf: () => maxSteps,
      ...{ rollouts, exploration: 0, extraExploration: 0, parts: NO_PARTS },
    }),
    onEvaluation: async () => undefined,
    // The trainer takes one optimiser step per batch here, so K is the number of versions too.
    ...{ maxStaleness: versions, trajectoriesPerBatch: perUpdate },
    ...{ trajectoriesAhead: (versions + 1) * perUpdate, stepsPerBatch: Number.POSITIVE_INFINITY },
    ...{ successPool: true, maxWaitingBatches: 1, ahead: desktops },
    needsOf: () => ({}),
    onDecision: () => undefined,
  });
  const runner = new Runner({
    orders: orders.taker(),
    trajectories: {
      put: async trajectory => {
        sums.trajectories += 1;
        sums.generated += trajectory.steps.length;
        finished(trajectory);
        await fabric.trajectories.put(trajectory);
      },
    },
    ...{ events: fabric.events, lender: desktopPool, taskOf: parts.taskOf },
    agent: new CompactAgent({ pool: policyPool }),
    ...{ sampling: { temperature: 1, exploration: 0 }, clock, random: random.fork('decisions') },
  });

  const followWeights = async () => {
    await fabric.weights.set({ version: version(0), blob: parts.blob });
    for await (const weights of fabric.weights.watch(signal)) policyPool.publish(weights);
  };

  const spentSoFar = (): Spent => {
    const { training, groups: _, ...counts } = sums;
    const time = clock.now() - startedAt;
    const { dropped, filtered } = curator.counts();
    const accounts = policyPool.account();
    const sum = (use: 'deciding' | 'loading' | 'idle' | 'dead') =>
      accounts.reduce((total, account) => total + account[use], 0);
    return {
      time,
      desktops: desktopPool.timeSpent(),
      workers: { deciding: sum('deciding'), loading: sum('loading'), idle: sum('idle'), dead: sum('dead') },
      training: trainers * training,
      trainers: trainers * time,
      ...{ ...counts, lost: dropped + filtered },
    };
  };

  let before: Spent | undefined;
  let spent: Spent | undefined;
  let goal = span.warmUp * groups;
  /** After each update: begins or ends the measurement where enough groups have trained. */
  const measure = () => {
    if (sums.groups < goal || spent !== undefined) return;
    mark();
    if (before === undefined) [before, goal] = [spentSoFar(), sums.groups + span.measured * groups];
    else {
      spent = spentBetween(before, spentSoFar());
      stop.abort();
    }
  };

  /** Publishes one version after each batch. */
  const train = async () => {
    const taker = fabric.batches.taker();
    while (!signal.aborted) {
      // The end of the trial aborts both waits; then there is nothing left to train.
      const taken = await taker.take(signal).catch(() => undefined);
      if (taken === undefined) return;
      const steps = taken.item.groups.reduce((sum, group) => sum + group.steps.length, 0);
      const since = clock.now();
      await clock.sleep(updates.update + steps * updates.step, signal).catch(() => undefined);
      if (signal.aborted) return;
      sums.training += clock.now() - since;
      sums.updates += 1;
      sums.groups += taken.item.groups.length;
      sums.trained += steps;
      // Acknowledge first: a batch that waits for the version must find its place in the queue free.
      await taken.acknowledge();
      await fabric.weights.set({ version: version(sums.updates), blob: parts.blob });
      measure();
    }
  };

  let isOver = false;
  const running = [curator.run(signal), runner.run(signal), followWeights(), train()];
  const over = Promise.all(running.map(part => part.catch(error => stop.abort(error)))).then(() => {
    isOver = true;
  });
  while (!isOver) await parts.pass();
  await over;
  await Promise.all([desktopPool.close(), policyPool.close()]);
  await fabric.close();
  if (spent === undefined) throw signal.reason;
  return spent;
}
