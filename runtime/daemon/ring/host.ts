// Modules 1 and 2 in one process: desktops, who plays on them, and who decides for them. Training and evaluation have desktops and
// runners of their own, and share the workers. What is worth imitating is looked for beside it.

import { setImmediate as others } from 'node:timers/promises';
import { desktopId, type RunId, type TaskId } from '../../contracts/ids.ts';
import type { Order } from '../../contracts/order.ts';
import type { PolicyPool } from '../../contracts/policy.ts';
import type { Instance } from '../../contracts/task.ts';
import type { Trajectory } from '../../contracts/trajectory.ts';
import { type Clock, type Random, seeded } from '../../contracts/world.ts';
import { Cluster } from '../../environments/cluster.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import type { Suite } from '../../environments/pocket/tasks/suite.ts';
import type { Taker } from '../../fabric/channels.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import { Pause } from '../../fabric/pause.ts';
import type { NetworkShape } from '../../policy/network.ts';
import type { PolicyWorker } from '../../rollout/policy-worker.ts';
import { Pool } from '../../rollout/pool.ts';
import { Runner } from '../../rollout/runner.ts';
import type { Config } from '../config/config.ts';
import { Allowance } from './allowance.ts';
import { Discovery } from './discovery.ts';
import { HostMeter } from './host-meter.ts';
import { PinnedPool } from './pinned-pool.ts';

/** Plain data, from the daemon. */
export interface HostStart {
  readonly run: RunId;
  readonly config: Config;
  readonly tasks: readonly TaskId[];
  readonly shape: NetworkShape;
  /** The first life of the run: it explores for a while before it plays. */
  readonly isFirst: boolean;
}

export interface HostOptions extends HostStart {
  readonly suite: Suite;
  readonly fabric: Fabric;
  readonly startWorker: () => Promise<PolicyWorker>;
  readonly clock: Clock;
}

/** Below this success rate somebody should find out how a task is done. */
const SOLVED = 0.3;
/** Milliseconds. */
const TELL_EVERY = 1000;
const REST = 5;

export class Host {
  readonly #options: HostOptions;
  readonly #random: Random;
  readonly #pool: Pool;
  readonly #pinned: PinnedPool;
  readonly #training: Cluster;
  readonly #evaluating: Cluster;
  readonly #discovery: Discovery;
  readonly #meter: HostMeter;
  readonly #pause: Pause;
  #rates: Readonly<Record<string, number>> = {};
  /** What is still to be looked at in hindsight, the latest last. */
  #failed: Trajectory[] = [];

  constructor(options: HostOptions) {
    const { config, suite, tasks, fabric, startWorker, clock } = options;
    this.#options = options;
    this.#random = seeded(config.seed).fork('host');
    const health =
      (module: 'environments' | 'rollout') => (thing: string, healthy: boolean, message: string) =>
        fabric.events.publish({ module, at: clock.now(), kind: 'health', thing, healthy, message });
    const { batch, patienceMs, workers } = config.rollout;
    this.#pool = new Pool({
      size: workers,
      most: batch,
      patience: patienceMs,
      swapping: 1,
      holds: 2,
      start: startWorker,
      clock,
      health: health('rollout'),
    });
    this.#pinned = new PinnedPool(this.#pool);
    const cluster = (name: string, size: number) =>
      new Cluster({
        size,
        make: async index => new PocketDesktop(desktopId(`${name}${index}`)),
        mostEpisodes: config.environments.mostEpisodes,
        mostAge: 60_000 * config.environments.mostAgeMinutes,
        clock,
        health: health('environments'),
      });
    this.#training = cluster('d', config.environments.desktops);
    this.#evaluating = cluster('e', config.evaluation.desktops);
    this.#discovery = new Discovery({
      suite,
      tasks,
      mode: config.mode,
      grounding: config.trainer.shares.grounding > 0,
      hindsight: config.exploring.hindsight,
      found: lesson => void fabric.lessons.put(lesson).catch(() => undefined),
      isSolved: task => (this.#rates[task] ?? 0) > SOLVED,
      clock,
      random: this.#random,
    });
    this.#meter = new HostMeter({ events: fabric.events, clock });
    this.#pause = new Pause(fabric.commands, options.run, clock);
  }

  /** Until the signal is aborted; what is under way then is given back. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const end = () => stop.abort(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    const parts = [
      this.#followWeights(stop.signal),
      this.#followEvaluated(stop.signal),
      this.#followRates(stop.signal),
      this.#pause.follow(stop.signal),
      this.#tell(stop.signal),
      this.#live(stop.signal),
      // None goes on without the others.
    ].map(part => part.finally(() => stop.abort()));
    const ends = await Promise.allSettled(parts);
    await Promise.all([this.#training.close(), this.#evaluating.close(), this.#pool.close()]);
    const failed = ends.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected' && !signal.aborted) throw failed.reason;
  }

  /** Shown first, then exploring, then playing: evaluations may come at any time. */
  async #live(stop: AbortSignal): Promise<void> {
    const { fabric, config, isFirst } = this.#options;
    // What a measurement waits for is told by who orders it, and its steps are no rollouts.
    const silent = { publish: () => undefined };
    const evaluations = fabric.evaluations.taker();
    const evaluating = this.#runner(this.#evaluating, evaluations, this.#pinned, silent).run(stop);
    const train = async () => {
      // In every life: a trainer that was started anew has seen none of them.
      await this.#demonstrate(stop);
      if (isFirst) await this.#exploreFor(1000 * config.exploring.firstSeconds, stop);
      await Promise.all([
        this.#runner(this.#training, fabric.orders.taker(), this.#pool, fabric.events).run(stop),
        this.#exploreBeside(stop),
      ]);
    };
    await Promise.all([evaluating, train()]);
  }

  #runner(
    lender: Cluster,
    orders: Taker<Order>,
    pool: PolicyPool,
    events: Pick<Fabric['events'], 'publish'>,
  ): Runner {
    const { suite, config, clock } = this.#options;
    const { temperature, exploration, mostAttempts } = config.rollout;
    return new Runner({
      orders,
      trajectories: { put: trajectory => this.#finished(trajectory) },
      events,
      lender,
      pool,
      taskOf: (instance: Instance) => suite.task(instance.task, instance.seed),
      sampling: { temperature, exploration },
      mostAttempts,
      clock,
      random: this.#random.fork('decisions'),
    });
  }

  async #finished(trajectory: Trajectory): Promise<void> {
    this.#meter.finished(trajectory);
    await this.#options.fabric.trajectories.put(trajectory);
    if (trajectory.purpose === 'train') this.#failed.push(trajectory);
    // What is long past was done by another policy.
    if (this.#failed.length > MOST_FAILED) this.#failed.shift();
  }

  async #demonstrate(stop: AbortSignal): Promise<void> {
    const { tasks, suite, config, fabric } = this.#options;
    for (const task of tasks) {
      for (let index = 0; index < config.demonstrations; index++) {
        if (stop.aborted) return;
        const shown = await this.#discovery.demonstrate(task, suite.seed('train', index));
        if (shown !== undefined) await fabric.trajectories.put(shown);
        await others();
      }
    }
  }

  async #exploreFor(milliseconds: number, stop: AbortSignal): Promise<void> {
    const { clock, fabric } = this.#options;
    const end = clock.now() + milliseconds;
    const since = clock.now();
    const reason = 'the first exploring to end: until then nothing is rolled out';
    fabric.events.publish({ module: 'rollout', at: since, kind: 'waiting', reason, since });
    while (clock.now() < end && !stop.aborted) {
      await this.#discovery.explore();
      await others();
    }
  }

  /** For a share of the time; in hindsight, all the same. */
  async #exploreBeside(stop: AbortSignal): Promise<void> {
    const { clock, config } = this.#options;
    const { searching, otherwise } = config.exploring;
    const allowance = new Allowance(clock.now());
    while (!stop.aborted) {
      const now = clock.now();
      const share = this.#discovery.isSearching ? searching : otherwise;
      const failed = this.#failed.shift();
      if (failed !== undefined) await this.#discovery.lookBack(failed);
      else if (!this.#pause.isOn && allowance.has(now, share)) {
        await this.#discovery.explore();
        allowance.spend(clock.now() - now);
      } else await clock.sleep(REST, stop).catch(() => undefined);
      await others();
    }
  }

  async #followWeights(stop: AbortSignal): Promise<void> {
    for await (const weights of this.#options.fabric.weights.watch(stop)) this.#pool.publish(weights);
  }

  async #followEvaluated(stop: AbortSignal): Promise<void> {
    for await (const weights of this.#options.fabric.evaluated.watch(stop)) this.#pinned.take(weights);
  }

  async #followRates(stop: AbortSignal): Promise<void> {
    for await (const rates of this.#options.fabric.rates.watch(stop)) this.#rates = rates;
  }

  async #tell(stop: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!stop.aborted) {
      await clock.sleep(TELL_EVERY, stop).catch(() => undefined);
      this.#meter.tell(this.#training, this.#pool, this.#discovery.steps);
    }
  }
}

/** More failures than these are not looked back on. */
const MOST_FAILED = 64;
