// One run from its start to its end: the four modules around one fabric, two of them in processes of their own, which are started
// again when they die. It measures now and then, keeps what is learned, and ends when the time is over or somebody says so.

import { messageOf } from '../core/errors.ts';
import { type RunId, type TrajectoryId, type Version, version } from '../core/ids.ts';
import { seeded } from '../core/rng.ts';
import { failureOf, untilAborted } from '../core/run-together.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { DartState } from '../data/curation/dart.ts';
import { Curator, type CuratorState } from '../data/curator.ts';
import type { Decided } from '../data/decision-log.ts';
import { Evaluations } from '../data/evaluation.ts';
import { hasPlayed } from '../data/rollout-ledger.ts';
import type { Keeps } from '../data/trajectory-consumer.ts';
import { needsOf } from '../discovery/lesson-weights.ts';
import { restoredChoices } from '../discovery/replay/restore-choices.ts';
import { SuccessLoader, type SuccessStore } from '../discovery/replay/success-loader.ts';
import type { Suite } from '../environments/suite.ts';
import { embeddedFabric } from '../fabric/embedded.ts';
import type { Fabric } from '../fabric/fabric.ts';
import type { EvaluationPoint, RunState } from '../protocol/daemon/state.ts';
import { curationOf, limitsOf } from './curation.ts';
import { DesktopViewers, type Found, type Look } from './desktop-viewers.ts';
import { Measuring } from './evaluator.ts';
import type { ModuleSupervisor } from './module-supervisor.ts';
import { type ModulesOptions, startHost, startTrainer } from './modules.ts';
import { aboutOf } from './run-info.ts';
import { type Played, RunStateTracker } from './run-state.ts';
import { Trained } from './training-time.ts';

/** What a run needs to go on after its process ended. Plain data. */
export interface RingState {
  readonly curator: CuratorState<DartState>;
  readonly seconds: number;
  readonly curve: readonly EvaluationPoint[];
  readonly played: Played;
}

export interface RingOptions extends ModulesOptions {
  readonly run: RunId;
  readonly suite: Suite;
  readonly keeps: Keeps;
  /** The successes that it goes on from. */
  readonly memory: SuccessStore;
  /** Keeps what it takes to go on, and the weights that were measured, as float32 bytes. */
  readonly keep: (state: RingState) => Promise<void>;
  readonly keepWeights: (mean: Uint8Array, version: Version) => Promise<void>;
  /** Told what the data module decides. */
  readonly decided: (decided: Decided) => void;
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
  readonly #gauge: RunStateTracker;
  readonly #curator: Curator<DartState>;
  readonly #measuring: Measuring;
  readonly #remembering: SuccessLoader;
  readonly #trained: Trained;
  readonly #audience: DesktopViewers;
  readonly #stop = new AbortController();
  /** Aborted when no more rollouts are wanted. */
  readonly #enough = new AbortController();
  #status: RunState['status'] = 'starting';
  #message: string | undefined;
  #version: Version = version(0);
  /** Why learned updates are lost, once they are. */
  #lost: string | undefined;
  #wasUp = false;
  #keptAt = 0;
  #isKept = true;
  #keeping: Promise<void> = Promise.resolve();
  /** Whether its weights are of a policy that has played: before, it is shown things and explores. */
  #hasPlayed: boolean;

  constructor(options: RingOptions) {
    const { run, config, suite, tasks, saved, startedAt, clock } = options;
    this.#options = options;
    this.#fabric = embeddedFabric();
    this.#remembering = new SuccessLoader({ run, memory: options.memory, fabric: this.#fabric, clock });
    this.#audience = new DesktopViewers({ watched: this.#fabric.watched, views: this.#fabric.views, clock });
    this.#trained = new Trained(clock, 60 * config.minutes, saved?.seconds ?? 0);
    this.#hasPlayed = saved !== undefined && options.hasWeights && hasPlayed(saved.curator.books);
    this.#gauge = new RunStateTracker(aboutOf(options, startedAt, saved ?? UNPLAYED));
    const evaluations = new Evaluations({
      run,
      fabric: { orders: this.#fabric.evaluations, events: this.#fabric.events },
      mode: config.mode,
      maxStepsOf: limitsOf(suite),
      atOnce: config.evaluation.desktops,
      clock,
    });
    this.#measuring = new Measuring({
      ...{ config, suite, tasks, clock, evaluations, keepWeights: options.keepWeights },
      fabric: this.#fabric,
      trained: () => this.#trained.seconds,
      played: () => this.#gauge.played.steps,
      isRunning: () => this.#status === 'running',
      found: point => {
        this.#gauge.measured(point);
        return this.#keepNow();
      },
      before: this.#gauge.curve.length,
    });
    const { data } = config;
    this.#curator = new Curator(
      {
        run,
        fabric: this.#fabric,
        keeps: { keep: trajectory => this.#keepTrajectory(trajectory) },
        curation: curationOf(config, suite, tasks),
        // These have a channel of their own.
        evaluations: { out: 0, back: trajectory => evaluations.back(trajectory) },
        mode: config.mode,
        bound: { versions: data.stalenessVersions, perUpdate: data.trajectoriesPerVersion },
        stepsPerBatch: data.stepsPerBatch,
        successPool: config.curation.successPool,
        mostBatches: data.batchesAhead,
        ahead: data.ahead,
        needsOf,
        restored: restoredChoices,
        decided: options.decided,
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
      if (this.#lost !== undefined) throw new Error(this.#lost);
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

  async judge(trajectory: TrajectoryId, success: boolean | null, who: string): Promise<void> {
    await this.#fabric.commands.append({ kind: 'verdict', run: this.#options.run, trajectory, success, who });
  }

  /** Something was said of a trajectory: what it is to the success pool may be something else now. */
  poolChanged(trajectory: TrajectoryId): Promise<void> {
    return this.#remembering.one(trajectory);
  }

  /** At its desktops, as they are played on. */
  look(look: Look): Promise<Found> {
    return this.#audience.look(look);
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
    const remembering = this.#remembering.all(signal);
    const curating = this.#curator.run(this.#enough.signal);
    // Somebody may have told it to stop by a command.
    curating.then(
      () => this.stop(),
      () => undefined,
    );
    const trainer = startTrainer(this.#options, this.#fabric, () => this.#curator.teachAgain());
    const host = startHost(this.#options, this.#fabric, () => ({
      isFirst: !this.#hasPlayed,
      isTrained: this.#options.hasWeights || this.#hasPlayed,
    }));
    let measuring: Promise<void> | undefined;
    // Whoever it is that fails, it is heard of wherever this waits just then.
    const failing = [curating, listening, following];
    const unlessFailed = (work: Promise<unknown>) => Promise.race([work, ...failing.map(failureOf)]);
    try {
      await unlessFailed(Promise.race([Promise.all([trainer.ready, host.ready]), untilAborted(signal)]));
      if (signal.aborted) return;
      this.#is('running');
      this.#wasUp = true;
      this.#trained.goOn();
      up();
      measuring = this.#measuring.beside(signal);
      failing.push(measuring);
      await unlessFailed(this.#untilOver([trainer, host]));
      this.#trained.stand();
      this.#is('stopping', 'keeps what was learned');
      await this.#fabric.commands.append({ kind: 'pause', run: this.#options.run });
      await unlessFailed(this.#closeTrainer(trainer));
      await unlessFailed(measuring);
      if (signal.aborted) return;
      this.#is('stopping', 'measures what was learned');
      await unlessFailed(this.#measuring.once(this.#options.config.evaluation.lastInstances, signal));
    } finally {
      this.#trained.stand();
      if (this.#status !== 'stopping') this.#is('stopping', 'keeps what was learned');
      this.#stop.abort();
      await Promise.allSettled([
        this.#closeTrainer(trainer),
        host.close(),
        measuring,
        remembering,
        this.#audience.close(),
      ]);
      await Promise.allSettled([this.#measuring.keepNewest()]);
      this.#enough.abort();
      await Promise.allSettled([curating]);
      await this.#fabric.close();
      await Promise.allSettled([listening, following]);
    }
  }

  /** What the trainer learned since its last checkpoint is lost when it does not end by itself. */
  async #closeTrainer(trainer: ModuleSupervisor): Promise<void> {
    const { isClean, message } = await trainer.close();
    if (isClean || this.#lost !== undefined || !this.#wasUp) return;
    this.#lost = `${message} What it learned since its last checkpoint is lost. Resume the run to continue from there.`;
    this.health('the trainer', false, this.#lost);
  }

  async #untilOver(modules: readonly ModuleSupervisor[]): Promise<void> {
    while (!this.#stop.signal.aborted && !this.#trained.isOver) {
      // Time in which nothing can be learned is not trained time.
      if (this.#status === 'running' && modules.some(({ isStalled }) => isStalled)) this.#trained.stand();
      else if (this.#status === 'running') this.#trained.goOn();
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
    if (this.#options.clock.now() - this.#keptAt >= KEEP_EVERY) await this.#keepNow();
  }

  /** Never rejects. Concurrent calls run one after another, so that an older state never replaces a newer one. */
  #keepNow(): Promise<void> {
    this.#keptAt = this.#options.clock.now();
    this.#keeping = this.#keeping.then(async () => {
      try {
        await this.#keep();
        if (!this.#isKept) this.health(STATE, true, 'is saved again');
        this.#isKept = true;
      } catch (error) {
        // A full disk may have room again later, and training continues.
        if (this.#isKept)
          this.health(
            STATE,
            false,
            `The state of the run was not saved: ${messageOf(error)} It is tried again.`,
          );
        this.#isKept = false;
      }
    });
    return this.#keeping;
  }

  async #keep(): Promise<void> {
    await this.#options.keep({
      curator: this.#curator.save(),
      seconds: this.#trained.seconds,
      curve: this.#gauge.curve,
      played: this.#gauge.played,
    });
  }
}

const UNPLAYED = { curve: [], played: { episodes: 0, steps: 0 } };
