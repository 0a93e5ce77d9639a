// One run from its start to its end: the four modules around one fabric, two of them in processes of their own, which are started
// again when they die. It measures now and then, keeps what is learned, and ends when the time is over or somebody says so.

import { join } from 'node:path';
import { type RunId, type TaskId, type TrajectoryId, type Version, version } from '../../contracts/ids.ts';
import type { Instance } from '../../contracts/task.ts';
import { stepLimit } from '../../contracts/task.ts';
import type { Trajectory } from '../../contracts/trajectory.ts';
import { type Clock, seeded } from '../../contracts/world.ts';
import { type FirstState, firstCuration } from '../../data/curation/first.ts';
import { Curator, type CuratorState } from '../../data/curator.ts';
import { Evaluations } from '../../data/evaluation.ts';
import type { Keeps } from '../../data/inlet.ts';
import { TRAIN_SEEDS } from '../../environments/pocket/tasks/draw.ts';
import type { Suite } from '../../environments/pocket/tasks/suite.ts';
import { embeddedFabric } from '../../fabric/embedded.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import type { NetworkShape } from '../../policy/network.ts';
import type { CurvePoint, RunState } from '../../protocol/daemon/state.ts';
import type { Config } from '../config/config.ts';
import { trainingRecipe } from '../config/training-recipe.ts';
import { CHECKPOINTS } from '../run-folders.ts';
import { type About, Gauge } from './gauge.ts';
import type { HostStart } from './host.ts';
import { Measuring } from './measuring.ts';
import { ModuleProcess } from './module-process.ts';
import { needsOf } from './needs.ts';
import { restoredChoices } from './restored.ts';
import type { TrainerStart } from './trainer-child.ts';
import { Watched } from './watched.ts';

export interface Entries {
  readonly host: URL;
  readonly worker: URL;
  readonly trainer: URL;
}

/** What a run needs to go on after its process ended. Plain data. */
export interface RingState {
  readonly curator: CuratorState<FirstState>;
  readonly seconds: number;
  readonly curve: readonly CurvePoint[];
}

export interface RingOptions {
  readonly run: RunId;
  readonly config: Config;
  readonly suite: Suite;
  readonly tasks: readonly TaskId[];
  readonly shape: NetworkShape;
  readonly entries: Entries;
  /** The folder of the run; checkpoints and masks are below it. */
  readonly folder: string;
  readonly keeps: Keeps;
  /** Keeps what it takes to go on, and the weights that were measured, as float32 bytes. */
  readonly keep: (state: RingState) => Promise<void>;
  readonly keepWeights: (mean: Uint8Array) => Promise<void>;
  /** Where an earlier life of the run stopped. */
  readonly saved?: RingState;
  readonly startedAt: number;
  readonly clock: Clock;
}

/** Milliseconds. */
const LOOK_EVERY = 250;
const KEEP_EVERY = 2000;

export class Ring {
  readonly #options: RingOptions;
  readonly #fabric: Fabric;
  readonly #gauge: Gauge;
  readonly #curator: Curator<FirstState>;
  readonly #measuring: Measuring;
  readonly #stop = new AbortController();
  /** Aborted when no more rollouts are wanted. */
  readonly #enough = new AbortController();
  #status: RunState['status'] = 'starting';
  #message: string | undefined;
  #seconds: number;
  /** Since when time counts as trained; undefined while it does not. */
  #since: number | undefined;
  #version: Version = version(0);
  #keptAt = 0;

  constructor(options: RingOptions) {
    const { run, config, suite, tasks, saved, startedAt, clock } = options;
    this.#options = options;
    this.#fabric = embeddedFabric();
    this.#seconds = saved?.seconds ?? 0;
    this.#gauge = new Gauge(aboutOf(options, startedAt, saved?.curve ?? []));
    const maxStepsOf = ({ task, seed }: Instance) => stepLimit(suite.task(task, seed));
    const evaluations = new Evaluations({
      run,
      fabric: { orders: this.#fabric.evaluations, events: this.#fabric.events },
      mode: config.mode,
      maxStepsOf,
      atOnce: config.evaluation.desktops,
      clock,
    });
    this.#measuring = new Measuring({
      ...{ config, suite, tasks, clock, evaluations, keepWeights: options.keepWeights },
      fabric: this.#fabric,
      trained: () => this.#trained(),
      isRunning: () => this.#status === 'running',
      found: point => this.#gauge.measured(point),
      before: this.#gauge.curve.length,
    });
    const { data } = config;
    this.#curator = new Curator(
      {
        run,
        fabric: this.#fabric,
        keeps: { keep: trajectory => this.#keepTrajectory(trajectory) },
        curation: firstCuration({
          tasks,
          seedsOf: () => Array.from({ length: TRAIN_SEEDS }, (_, index) => suite.seed('train', index)),
          maxStepsOf,
          rollouts: data.rollouts,
          daring: config.rollout.daring,
        }),
        // These have a channel of their own.
        evaluations: { out: 0, back: trajectory => evaluations.back(trajectory) },
        mode: config.mode,
        bound: { versions: data.stalenessVersions, perUpdate: data.trajectoriesPerVersion },
        stepsPerBatch: data.stepsPerBatch,
        mostBatches: data.batchesAhead,
        ahead: data.ahead,
        needsOf,
        restored: restoredChoices,
        decided: () => undefined,
        clock,
        random: seeded(config.seed).fork('curator'),
      },
      saved?.curator,
    );
  }

  /** Runs until the time is over or it is stopped. Rejects where its modules do not start. `up` is called once they work. */
  async run(up: () => void): Promise<void> {
    const { clock, config } = this.#options;
    const listening = this.#listen();
    const following = this.#followWeights();
    const curating = this.#curator.run(this.#enough.signal);
    const modules: Watched[] = [];
    try {
      modules.push(...(await Promise.all([this.#openTrainer(), this.#openHost()])));
      this.#is('running');
      this.#since = clock.now();
      up();
      const measuring = this.#measuring.beside(this.#stop.signal);
      await Promise.race([this.#untilOver(), curating]);
      this.#stand();
      this.#is('stopping', 'keeps what was learned');
      await this.#fabric.commands.append({ kind: 'pause', run: this.#options.run });
      await modules.shift()?.close();
      await measuring;
      if (!this.#stop.signal.aborted) {
        this.#is('stopping', 'measures what was learned');
        await this.#measuring.once(config.evaluation.lastInstances, this.#stop.signal);
      }
      await this.#keep();
    } finally {
      this.#stop.abort();
      this.#enough.abort();
      await Promise.allSettled(modules.map(module => module.close()));
      await Promise.allSettled([curating]);
      await this.#keep();
      await this.#fabric.close();
      await Promise.allSettled([listening, following]);
    }
    // What went wrong with what it decides by is no end like others.
    await curating;
    this.#is('ended');
  }

  /** Ends it soon, with a checkpoint. */
  stop(): void {
    this.#stop.abort();
  }

  async pause(): Promise<void> {
    if (this.#status !== 'running')
      throw new RangeError(`The run is ${this.#status}: only one that is running can be paused.`);
    await this.#fabric.commands.append({ kind: 'pause', run: this.#options.run });
    this.#stand();
    this.#is('paused');
  }

  async continue(): Promise<void> {
    if (this.#status !== 'paused')
      throw new RangeError(`The run is ${this.#status}: only one that is paused can be continued.`);
    await this.#fabric.commands.append({ kind: 'resume', run: this.#options.run });
    this.#since = this.#options.clock.now();
    this.#is('running');
  }

  async judge(trajectory: TrajectoryId, success: boolean, who: string): Promise<void> {
    await this.#fabric.commands.append({ kind: 'verdict', run: this.#options.run, trajectory, success, who });
  }

  state(): RunState {
    return this.#gauge.state({
      status: this.#status,
      message: this.#message,
      seconds: this.#trained(),
      version: this.#version,
      books: this.#curator.counts(),
    });
  }

  #is(status: RunState['status'], message?: string): void {
    this.#status = status;
    this.#message = message;
  }

  #trained(): number {
    const { clock, config } = this.#options;
    const now = this.#since === undefined ? 0 : (clock.now() - this.#since) / 1000;
    return Math.min(60 * config.minutes, this.#seconds + now);
  }

  /** From now on time does not count. */
  #stand(): void {
    this.#seconds = this.#trained();
    this.#since = undefined;
  }

  #openTrainer(): Promise<Watched> {
    const { config, shape, entries, folder } = this.#options;
    const start: TrainerStart = {
      shape,
      recipe: trainingRecipe(config),
      seed: config.seed,
      checkpoints: join(folder, CHECKPOINTS),
      masks: join(folder, 'masks.jsonl'),
    };
    return this.#open('trainer', entries.trainer, () => start);
  }

  #openHost(): Promise<Watched> {
    const { config, tasks, shape, entries, saved } = this.#options;
    return this.#open('host', entries.host, life => {
      const start: HostStart = { config, tasks, shape, isFirst: life === 0 && saved === undefined };
      return { ...start, worker: entries.worker.href };
    });
  }

  #open(name: 'trainer' | 'host', entry: URL, startOf: (life: number) => object): Promise<Watched> {
    const { clock } = this.#options;
    const module = name === 'trainer' ? 'trainer' : 'rollout';
    return Watched.open({
      name: `the ${name}`,
      begin: life => ModuleProcess.start({ name, entry, start: startOf(life), fabric: this.#fabric, clock }),
      clock,
      health: (thing, healthy, message) =>
        this.#fabric.events.publish({ module, at: clock.now(), kind: 'health', thing, healthy, message }),
    });
  }

  async #untilOver(): Promise<void> {
    const { clock, config } = this.#options;
    while (!this.#stop.signal.aborted && this.#trained() < 60 * config.minutes) {
      await clock.sleep(LOOK_EVERY, this.#stop.signal).catch(() => undefined);
      await this.#keepNowAndThen();
    }
  }

  async #listen(): Promise<void> {
    for await (const { event } of this.#fabric.events.listen({ most: 10_000, signal: this.#enough.signal }))
      this.#gauge.hear(event);
  }

  async #followWeights(): Promise<void> {
    for await (const weights of this.#fabric.weights.watch()) this.#version = weights.version;
  }

  async #keepTrajectory(trajectory: Trajectory): Promise<void> {
    await this.#options.keeps.keep(trajectory);
    this.#gauge.came(trajectory);
  }

  async #keepNowAndThen(): Promise<void> {
    const now = this.#options.clock.now();
    if (now - this.#keptAt < KEEP_EVERY) return;
    this.#keptAt = now;
    await this.#keep();
  }

  async #keep(): Promise<void> {
    await this.#options.keep({
      curator: this.#curator.save(),
      seconds: this.#trained(),
      curve: this.#gauge.curve,
    });
  }
}

function aboutOf(
  { run, config, suite, tasks }: RingOptions,
  startedAt: number,
  curve: readonly CurvePoint[],
): About {
  const tiers = [...new Set(tasks.map(task => suite.template(task).tier))].sort();
  return {
    run,
    startedAt,
    of: 60 * config.minutes,
    about: { preset: config.preset, mode: config.mode, seed: config.seed, tiers, tasks: tasks.length },
    tasks: tasks.map(task => ({ task, tier: suite.template(task).tier })),
    curve,
    desktops: config.environments.desktops,
  };
}
