// One run from its start to its end: the four modules around one fabric, two of them in processes of their own, which are started
// again when they die. It measures now and then, keeps what is learned, and ends when the time is over or somebody says so.

import { type RunId, type TrajectoryId, type Version, version } from '../../contracts/ids.ts';
import type { Instance } from '../../contracts/task.ts';
import { stepLimit } from '../../contracts/task.ts';
import type { Trajectory } from '../../contracts/trajectory.ts';
import { seeded } from '../../contracts/world.ts';
import type { Tally } from '../../data/books.ts';
import { type FirstState, firstCuration } from '../../data/curation/first.ts';
import { Curator, type CuratorState } from '../../data/curator.ts';
import { Evaluations } from '../../data/evaluation.ts';
import type { Keeps } from '../../data/inlet.ts';
import { TRAIN_SEEDS } from '../../environments/pocket/tasks/draw.ts';
import type { Suite } from '../../environments/pocket/tasks/suite.ts';
import { embeddedFabric } from '../../fabric/embedded.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import type { CurvePoint, RunState } from '../../protocol/daemon/state.ts';
import { aboutOf } from './about.ts';
import { Gauge } from './gauge.ts';
import { Measuring } from './measuring.ts';
import { type ModulesOptions, startHost, startTrainer } from './modules.ts';
import { needsOf } from './needs.ts';
import { restoredChoices } from './restored.ts';
import { Trained } from './trained.ts';

/** What a run needs to go on after its process ended. Plain data. */
export interface RingState {
  readonly curator: CuratorState<FirstState>;
  readonly seconds: number;
  readonly curve: readonly CurvePoint[];
}

export interface RingOptions extends ModulesOptions {
  readonly run: RunId;
  readonly suite: Suite;
  readonly keeps: Keeps;
  /** Keeps what it takes to go on, and the weights that were measured, as float32 bytes. */
  readonly keep: (state: RingState) => Promise<void>;
  readonly keepWeights: (mean: Uint8Array) => Promise<void>;
  /** Where an earlier life of the run stopped. */
  readonly saved?: RingState;
  /** Whether that life left weights to go on from. */
  readonly hasWeights: boolean;
  readonly startedAt: number;
}

/** Milliseconds. */
const LOOK_EVERY = 250;
const KEEP_EVERY = 2000;

/** What errors call it. */
const STATE = 'the state of the run';

export class Ring {
  readonly #options: RingOptions;
  readonly #fabric: Fabric;
  readonly #gauge: Gauge;
  readonly #curator: Curator<FirstState>;
  readonly #measuring: Measuring;
  readonly #trained: Trained;
  readonly #stop = new AbortController();
  /** Aborted when no more rollouts are wanted. */
  readonly #enough = new AbortController();
  #status: RunState['status'] = 'starting';
  #message: string | undefined;
  #version: Version = version(0);
  #keptAt = 0;
  #isKept = true;
  /** Whether its weights are of a policy that has played: before, it is shown things and explores. */
  #hasPlayed: boolean;

  constructor(options: RingOptions) {
    const { run, config, suite, tasks, saved, startedAt, clock } = options;
    this.#options = options;
    this.#fabric = embeddedFabric();
    this.#trained = new Trained(clock, 60 * config.minutes, saved?.seconds ?? 0);
    this.#hasPlayed = saved !== undefined && options.hasWeights && hasPlayed(saved.curator.books);
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
      trained: () => this.#trained.seconds,
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

  /** Runs until the time is over or it is stopped; `up` is called once its modules work. Rejects with what went wrong. */
  async run(up: () => void): Promise<void> {
    try {
      await this.#live(up);
      await this.#keep();
      this.#is('ended');
    } catch (error) {
      this.#is('failed', messageOf(error));
      // What went wrong first is what counts.
      await this.#keep().catch(() => undefined);
      throw error;
    }
  }

  /** Ends it soon, with a checkpoint. */
  stop(): void {
    this.#stop.abort();
  }

  async pause(): Promise<void> {
    if (this.#status !== 'running')
      throw new RangeError(`The run is ${this.#status}: only one that is running can be paused.`);
    this.#trained.stand();
    this.#is('paused');
    await this.#fabric.commands.append({ kind: 'pause', run: this.#options.run });
  }

  async continue(): Promise<void> {
    if (this.#status !== 'paused')
      throw new RangeError(`The run is ${this.#status}: only one that is paused can be continued.`);
    this.#trained.goOn();
    this.#is('running');
    await this.#fabric.commands.append({ kind: 'resume', run: this.#options.run });
  }

  async judge(trajectory: TrajectoryId, success: boolean, who: string): Promise<void> {
    await this.#fabric.commands.append({ kind: 'verdict', run: this.#options.run, trajectory, success, who });
  }

  /** Something beside it broke, or works again. */
  health(thing: string, healthy: boolean, message: string): void {
    const at = this.#options.clock.now();
    this.#fabric.events.publish({ module: 'data', at, kind: 'health', thing, healthy, message });
  }

  state(): RunState {
    return this.#gauge.state({
      status: this.#status,
      message: this.#message,
      seconds: this.#trained.seconds,
      version: this.#version,
      books: this.#curator.counts(),
    });
  }

  #is(status: RunState['status'], message?: string): void {
    this.#status = status;
    this.#message = message;
  }

  async #live(up: () => void): Promise<void> {
    const { signal } = this.#stop;
    const listening = this.#listen();
    const following = this.#followWeights();
    const curating = this.#curator.run(this.#enough.signal);
    // Somebody may have told it to stop by a command.
    curating.then(
      () => this.stop(),
      () => undefined,
    );
    const trainer = startTrainer(this.#options, this.#fabric);
    const host = startHost(this.#options, this.#fabric, () => !this.#hasPlayed);
    let measuring: Promise<void> | undefined;
    // Whoever it is that fails, it is heard of wherever this waits just then.
    const failing = [curating, listening, following];
    const unlessFailed = (work: Promise<unknown>) => Promise.race([work, ...failing.map(failureOf)]);
    try {
      await unlessFailed(Promise.race([Promise.all([trainer.ready, host.ready]), untilAborted(signal)]));
      if (signal.aborted) return;
      this.#is('running');
      this.#trained.goOn();
      up();
      measuring = this.#measuring.beside(signal);
      failing.push(measuring);
      await unlessFailed(this.#untilOver());
      this.#trained.stand();
      this.#is('stopping', 'keeps what was learned');
      await this.#fabric.commands.append({ kind: 'pause', run: this.#options.run });
      await unlessFailed(trainer.close());
      await unlessFailed(measuring);
      if (signal.aborted) return;
      this.#is('stopping', 'measures what was learned');
      await unlessFailed(this.#measuring.once(this.#options.config.evaluation.lastInstances, signal));
    } finally {
      this.#trained.stand();
      if (this.#status !== 'stopping') this.#is('stopping', 'keeps what was learned');
      this.#stop.abort();
      await Promise.allSettled([trainer.close(), host.close(), measuring]);
      await Promise.allSettled([this.#measuring.keepNewest()]);
      this.#enough.abort();
      await Promise.allSettled([curating]);
      await this.#fabric.close();
      await Promise.allSettled([listening, following]);
    }
  }

  async #untilOver(): Promise<void> {
    while (!this.#stop.signal.aborted && !this.#trained.isOver) {
      await this.#options.clock.sleep(LOOK_EVERY, this.#stop.signal).catch(() => undefined);
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
    if (trajectory.purpose === 'train') this.#hasPlayed = true;
  }

  async #keepNowAndThen(): Promise<void> {
    const now = this.#options.clock.now();
    if (now - this.#keptAt < KEEP_EVERY) return;
    this.#keptAt = now;
    try {
      await this.#keep();
      if (!this.#isKept) this.health(STATE, true, 'is kept again');
      this.#isKept = true;
    } catch (error) {
      // A disk may have room again later; what is learned goes on.
      if (this.#isKept) this.health(STATE, false, `cannot be kept: ${messageOf(error)} It is tried again.`);
      this.#isKept = false;
    }
  }

  async #keep(): Promise<void> {
    await this.#options.keep({
      curator: this.#curator.save(),
      seconds: this.#trained.seconds,
      curve: this.#gauge.curve,
    });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether an earlier life heard of an episode that was played. */
const hasPlayed = ({ played, accepted, filtered, dropped }: Tally): boolean =>
  played + accepted + filtered + dropped > 0;

/** Rejects where that does, and says nothing where it only ends. */
const failureOf = (work: Promise<unknown>): Promise<never> => work.then(() => new Promise<never>(() => {}));

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
