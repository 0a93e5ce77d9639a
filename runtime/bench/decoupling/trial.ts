// One trial: the real fabric, desktop pool, runner, policy pool and curator, around desktops, workers and updates with given
// durations. After a warm-up it measures until a number of groups has trained. It runs by the clock that it is given.

import { setMaxListeners } from 'node:events';
import type { Clock } from '../../core/clock.ts';
import type { Desktop } from '../../core/desktop.ts';
import { runId, seed, taskId, version } from '../../core/ids.ts';
import type { Mode } from '../../core/policy.ts';
import type { Random } from '../../core/rng.ts';
import type { Instance, Task } from '../../core/task.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { type DartState, dartCuration, NO_PARTS } from '../../data/curation/dart.ts';
import { Curator } from '../../data/curator.ts';
import { DesktopPool } from '../../environments/pool.ts';
import { embeddedFabric } from '../../fabric/embedded.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import { Pool } from '../../rollout/policy-pool.ts';
import type { PolicyWorker } from '../../rollout/policy-worker.ts';
import { Runner } from '../../rollout/runner.ts';
import { OrderGate, type Scheduling } from './gate.ts';
import { type Spent, spentBetween } from './measures.ts';
import type { SimulatedWorld } from './worlds.ts';

export interface Schedule {
  readonly scheduling: Scheduling;
  /** all-worker: all workers load new weights at once. per-worker: one after another. */
  readonly sync: 'all-worker' | 'per-worker';
  /** The staleness bound K. */
  readonly versions: number;
}

export interface TrialParts {
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
  /** Called with every trajectory. */
  readonly finished?: (trajectory: Trajectory) => void;
  /** Called when the measurement starts and ends. */
  readonly mark?: () => void;
}

/** The default of the product. */
export const DECOUPLED: Schedule = { scheduling: 'rollout-wise', sync: 'per-worker', versions: 4 };

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

export class Trial {
  readonly #parts: TrialParts;
  readonly #sizes: TrialSizes;
  readonly #fabric: Fabric;
  readonly #desktops: DesktopPool;
  readonly #pool: Pool;
  readonly #curator: Curator<DartState>;
  readonly #stop = new AbortController();
  readonly #sums = { training: 0, updates: 0, groups: 0, trained: 0, generated: 0, trajectories: 0 };
  readonly #startedAt: number;

  constructor(parts: TrialParts, sizes: TrialSizes, schedule: Schedule) {
    const { clock, random } = parts;
    this.#parts = parts;
    this.#sizes = sizes;
    this.#startedAt = clock.now();
    const { desktops, workers, rollouts, groups, maxSteps } = sizes;
    const { scheduling, sync, versions } = schedule;
    const perUpdate = rollouts * groups;
    if (perUpdate > desktops)
      throw new RangeError(
        `An update has ${perUpdate} rollouts, but the world has ${desktops} desktops. Use fewer groups.`,
      );
    const health = () => undefined;
    const fabric = embeddedFabric();
    const room = { batch: perUpdate, groups: Math.floor(desktops / rollouts) };
    this.#fabric =
      scheduling === 'rollout-wise'
        ? fabric
        : { ...fabric, orders: new OrderGate(fabric.orders, scheduling, room, clock) };
    this.#desktops = new DesktopPool({
      ...{ size: desktops, make: parts.make, clock, health },
      ...{ maxEpisodes: Number.POSITIVE_INFINITY, maxAgeMs: Number.POSITIVE_INFINITY },
    });
    this.#pool = new Pool({
      ...{
        size: workers,
        maxRequests: sizes.maxBatch,
        maxBatchesPerWorker: sizes.holds,
        maxWaitMs: 0,
        start: parts.start,
      },
      ...{ maxSwapping: sync === 'all-worker' ? workers : 1, clock, health },
    });
    this.#curator = new Curator<DartState>({
      ...{ run: RUN, fabric: this.#fabric, mode: parts.mode, clock, random: random.fork('curator') },
      keeps: { keep: async () => undefined },
      curation: dartCuration({
        tasks: parts.tasks.map(taskId),
        seedsOf: () => Array.from({ length: SEEDS }, (_, index) => seed(index)),
        maxStepsOf: () => maxSteps,
        rollouts,
        extraExploration: 0,
        parts: NO_PARTS,
      }),
      evaluations: { openOrders: 0, receive: async () => undefined },
      // The trainer takes one optimiser step per batch here, so K is the number of versions too.
      ...{
        maxStaleness: versions,
        trajectoriesPerBatch: perUpdate,
        trajectoriesAhead: (versions + 1) * perUpdate,
      },
      ...{
        stepsPerBatch: Number.POSITIVE_INFINITY,
        successPool: true,
        maxWaitingBatches: 1,
        ahead: desktops,
      },
      needsOf: () => ({}),
      onDecision: () => undefined,
    });
  }

  /** The time spent after the warm-up, until the groups of `measured` updates have trained. */
  async run({ warmUp, measured }: TrialSpan): Promise<Spent> {
    const { signal } = this.#stop;
    setMaxListeners(0, signal);
    const parts = [this.#curator.run(signal), this.#runner().run(signal), this.#followWeights()].map(part =>
      part.catch(error => this.#stop.abort(error)),
    );
    return await this.#measure(warmUp * this.#sizes.groups, measured * this.#sizes.groups, parts);
  }

  async #measure(warmUp: number, measured: number, parts: Promise<unknown>[]): Promise<Spent> {
    const { mark = () => undefined } = this.#parts;
    let before: Spent | undefined;
    let spent: Spent | undefined;
    let goal = warmUp;
    const training = this.#train(() => {
      if (this.#sums.groups < goal || spent !== undefined) return;
      mark();
      if (before === undefined) [before, goal] = [this.#spent(), this.#sums.groups + measured];
      else {
        spent = spentBetween(before, this.#spent());
        this.#stop.abort();
      }
    }).catch(error => this.#stop.abort(error));
    let isOver = false;
    const over = Promise.all([...parts, training]).then(() => {
      isOver = true;
    });
    while (!isOver) await this.#parts.pass();
    await over;
    await Promise.all([this.#desktops.close(), this.#pool.close()]);
    await this.#fabric.close();
    if (spent === undefined) throw this.#stop.signal.reason;
    return spent;
  }

  #runner(): Runner {
    const { clock, random, taskOf, finished = () => undefined } = this.#parts;
    return new Runner({
      orders: this.#fabric.orders.taker(),
      trajectories: {
        put: async trajectory => {
          this.#sums.trajectories += 1;
          this.#sums.generated += trajectory.steps.length;
          finished(trajectory);
          await this.#fabric.trajectories.put(trajectory);
        },
      },
      ...{ events: this.#fabric.events, lender: this.#desktops, pool: this.#pool, taskOf },
      ...{ sampling: { temperature: 1, exploration: 0 }, clock, random: random.fork('decisions') },
    });
  }

  async #followWeights(): Promise<void> {
    await this.#fabric.weights.set({ version: version(0), blob: this.#parts.blob });
    for await (const weights of this.#fabric.weights.watch(this.#stop.signal)) this.#pool.publish(weights);
  }

  /** Publishes one version after each batch. */
  async #train(trained: () => void): Promise<void> {
    const { clock, blob } = this.#parts;
    const { updates } = this.#sizes;
    const { signal } = this.#stop;
    const taker = this.#fabric.batches.taker();
    while (!signal.aborted) {
      const taken = await taker.take(signal).catch(() => undefined);
      if (taken === undefined) return;
      const { groups } = taken.item;
      const steps = groups.reduce((sum, group) => sum + group.steps.length, 0);
      const since = clock.now();
      await clock.sleep(updates.update + steps * updates.step, signal).catch(() => undefined);
      if (signal.aborted) return;
      this.#sums.training += clock.now() - since;
      this.#sums.updates += 1;
      this.#sums.groups += groups.length;
      this.#sums.trained += steps;
      // Acknowledge first: a batch that waits for the version must find its place in the queue free.
      await taken.acknowledge();
      await this.#fabric.weights.set({ version: version(this.#sums.updates), blob });
      trained();
    }
  }

  #spent(): Spent {
    const { training, updates, trained, generated, trajectories } = this.#sums;
    const { trainers } = this.#sizes;
    const time = this.#parts.clock.now() - this.#startedAt;
    const { dropped, filtered } = this.#curator.counts();
    const accounts = this.#pool.account();
    const sum = (use: 'deciding' | 'loading' | 'idle' | 'dead') =>
      accounts.reduce((total, account) => total + account[use], 0);
    return {
      time,
      desktops: this.#desktops.timeSpent(),
      workers: { deciding: sum('deciding'), loading: sum('loading'), idle: sum('idle'), dead: sum('dead') },
      training: trainers * training,
      trainers: trainers * time,
      ...{ updates, trained, generated, trajectories, lost: dropped + filtered },
    };
  }
}
