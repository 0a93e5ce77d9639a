// The life of a run: starts the parts of its ring, trains until the time is over or it is stopped, evaluates, saves the state from which it
// resumes, and ends the parts.

import { sleepUnlessAborted } from '../core/clock.ts';
import { messageOf, sentenceOf } from '../core/errors.ts';
import { type TrajectoryId, type Version, version } from '../core/ids.ts';
import { failureOf, untilAborted } from '../core/run-together.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { DartState } from '../data/curation/dart.ts';
import type { CuratorState } from '../data/curator.ts';
import { hasPlayed } from '../data/rollout-ledger.ts';
import type { TrajectorySink } from '../data/trajectory-consumer.ts';
import { unlessClosed } from '../fabric/channels.ts';
import type { Fabric } from '../fabric/fabric.ts';
import type { EvaluationPoint, RunState } from '../protocol/daemon/state.ts';
import type { DesktopViews, LookRequest } from './desktop-viewers.ts';
import { lostUpdates, unkeptWeights } from './lost-updates.ts';
import { CLOSE_TIMEOUT_MS, type ModuleSupervisor } from './module-supervisor.ts';
import { type Ring, type RingOptions, type RunProgress, wireRing } from './ring.ts';
import { describeRun, type MeasuredPoints, type Played, RunStateTracker } from './run-state.ts';
import { type Spending, spentTokens } from './spending.ts';
import { TrainingTime } from './training-time.ts';

/** What a run needs to resume after its process ended. Plain data. */
export interface ResumableState {
  readonly curator: CuratorState<DartState>;
  readonly seconds: number;
  /** Thinned if it is long. */
  readonly curve: readonly EvaluationPoint[];
  /** The number of points before the curve was thinned; absent in files of earlier versions, which never thinned it. */
  readonly evaluations?: number;
  readonly played: Played;
  /** Absent for the built-in policy, and in files of earlier versions. */
  readonly spent?: Spending;
}

export interface RunLifecycleOptions extends RingOptions {
  readonly keeps: TrajectorySink;
  readonly keep: (state: ResumableState) => Promise<void>;
  /** Absent for a new run. */
  readonly saved?: ResumableState;
  /** Whether an earlier process of the run left weights. */
  readonly hasWeights: boolean;
  readonly startedAt: number;
  /** Where other machines join; absent for a run on one machine. */
  readonly hosts?: JoinPoint;
  /** The failure of a channel as an error for the user; by default the failure itself. */
  readonly explain?: (error: unknown) => unknown;
}

/** The address that `dartboard join` takes. It contains a secret, which `renew` replaces; hosts that have joined stay. */
export interface JoinPoint {
  readonly address: string;
  renew(): Promise<string>;
}

const POLL_INTERVAL_MS = 250;
const SAVE_INTERVAL_MS = 2000;
const CHANNEL_GRACE_MS = 10_000;
const MAX_UNREAD_EVENTS = 10_000;

const SAVING = 'saves what was learned';
const STATE = 'the state of the run';

export class RunLifecycle implements RunProgress {
  readonly #options: RunLifecycleOptions;
  readonly #ring: Ring;
  readonly #tracker: RunStateTracker;
  readonly #time: TrainingTime;
  readonly #stop = new AbortController();
  /** Aborted when no more rollouts are wanted. */
  readonly #enough = new AbortController();
  #status: RunState['status'] = 'starting';
  #message: string | undefined;
  #version: Version = version(0);
  /** Why learned updates are lost, once they are. */
  #lostUpdates: string | undefined;
  #trainer: ModuleSupervisor | undefined;
  #isStopRequested = false;
  #wasUp = false;
  #savedAt = 0;
  #isSaved = true;
  /** Whether the weights are of a policy that has played. Before, the host demonstrates and explores first. */
  #hasPlayed: boolean;

  constructor(options: RunLifecycleOptions) {
    const { config, saved, startedAt, clock } = options;
    this.#options = options;
    this.#time = new TrainingTime(clock, 60 * config.minutes, saved?.seconds ?? 0);
    this.#hasPlayed = saved !== undefined && options.hasWeights && hasPlayed(saved.curator.books);
    this.#tracker = new RunStateTracker(describeRun(options, startedAt, saved ?? UNPLAYED));
    this.#ring = wireRing(options, this, {
      curator: saved?.curator,
      evaluations: this.#evaluations(),
    });
  }

  /** Runs until the time is over or it is stopped. Calls `up` once its modules work. Rejects with its failure. */
  async run(up: () => void): Promise<void> {
    try {
      await this.#live(up);
      await this.#save();
      if (this.#lostUpdates !== undefined) throw new Error(this.#lostUpdates);
      this.#is('ended');
    } catch (error) {
      const { explain = (failure: unknown) => failure } = this.#options;
      const explained = explain(error);
      this.#is('failed', messageOf(explained));
      // The first failure counts.
      await this.#save().catch(() => undefined);
      throw explained;
    }
  }

  /** Every point of the curve that this process knows. */
  get measured(): MeasuredPoints {
    return this.#tracker.measured;
  }

  #evaluations(): number {
    const { before, points } = this.measured;
    return before + points.length;
  }

  /** Ends it with a checkpoint, after the update in work. A second call does not wait for that update. */
  stop(): void {
    if (this.#isStopRequested) this.stopSoon();
    this.#isStopRequested = true;
    this.#stop.abort();
  }

  /** Its trainer gets only the time to save its files. */
  stopSoon(): void {
    this.#stop.abort();
    void this.#trainer?.close(CLOSE_TIMEOUT_MS);
  }

  async pause(): Promise<void> {
    if (this.#status !== 'running')
      throw new RangeError(`The run is ${this.#status}. Only a running run can be paused.`);
    this.#time.stop();
    this.#is('paused');
    await this.#ring.fabric.commands.append({ kind: 'pause', run: this.#options.run });
  }

  async continue(): Promise<void> {
    if (this.#status !== 'paused')
      throw new RangeError(`The run is ${this.#status}. Only a paused run can be continued.`);
    this.#time.start();
    this.#is('running');
    await this.#ring.fabric.commands.append({ kind: 'resume', run: this.#options.run });
  }

  /** The verdict is durable already, so a run that has ended needs no message. */
  async judge(trajectory: TrajectoryId, success: boolean | null, who: string): Promise<void> {
    const { run } = this.#options;
    const verdict = { kind: 'verdict', run, trajectory, success, who } as const;
    await unlessClosed(this.#ring.fabric.commands.append(verdict));
  }

  /** Where other machines join; undefined for a run on one machine. */
  get hosts(): JoinPoint | undefined {
    return this.#options.hosts;
  }

  /** Lets a joined host finish its episodes and leave. */
  async drain(host: string): Promise<void> {
    const { run, clock } = this.#options;
    const at = clock.now();
    const found = this.#tracker.hosts(at).find(({ name }) => name === host);
    if (found === undefined)
      throw new RangeError(`The run '${run}' has no host '${host}'. Choose one that its page lists.`);
    if (found.isLocal)
      throw new RangeError(
        `The host '${host}' is the machine of the daemon and cannot leave the run. Pause or stop the run '${run}' instead.`,
      );
    await this.#ring.fabric.commands.append({ kind: 'drain', run, host, at });
  }

  /** The trajectories that it may still train. */
  get needed(): ReadonlySet<TrajectoryId> {
    return this.#ring.curator.needed;
  }

  /** The annotations of a trajectory changed, so its membership in the success pool may have changed. */
  poolChanged(trajectory: TrajectoryId): Promise<void> {
    return this.#ring.successes.one(trajectory);
  }

  /** The current pictures of its desktops. */
  look(request: LookRequest): Promise<DesktopViews> {
    return this.#ring.viewers.look(request);
  }

  /** The channels over which people use its desktops. */
  get loans(): Pick<Fabric, 'loans' | 'loaned'> {
    return this.#ring.fabric;
  }

  /** Something beside the modules broke, or works again. */
  health(thing: string, healthy: boolean, message: string): void {
    const at = this.#options.clock.now();
    this.#ring.fabric.events.publish({ module: 'data', at, kind: 'health', thing, healthy, message });
  }

  state(): RunState {
    return this.#tracker.state({
      status: this.#status,
      message: this.#message,
      seconds: this.#time.seconds(),
      version: this.#version,
      books: this.#ring.curator.counts(),
      at: this.#options.clock.now(),
    });
  }

  trainedSeconds(): number {
    return this.#time.seconds();
  }

  trainedSteps(): number {
    return this.#tracker.played.steps;
  }

  isRunning(): boolean {
    return this.#status === 'running';
  }

  hostStart() {
    const { spent } = this.#tracker;
    return {
      ...{ isFirst: !this.#hasPlayed, isTrained: this.#options.hasWeights || this.#hasPlayed },
      ...(spent !== undefined && { spent: spentTokens(spent) }),
    };
  }

  async keep(trajectory: Trajectory): Promise<void> {
    await this.#options.keeps.keep(trajectory);
    if (trajectory.provenance.kind === 'oracle') await this.#ring.successes.demonstrated(trajectory.id);
    this.#tracker.addTrajectory(trajectory);
    if (trajectory.purpose === 'train') this.#hasPlayed = true;
  }

  evaluated(point: EvaluationPoint): Promise<void> {
    this.#tracker.addEvaluation(point);
    return this.#saveOrReport();
  }

  #is(status: RunState['status'], message?: string): void {
    this.#status = status;
    this.#message = message;
  }

  async #live(up: () => void): Promise<void> {
    const { curator, successes, evaluator, viewers, fabric } = this.#ring;
    const { signal } = this.#stop;
    const following = [this.#followEvents(), this.#followWeights(), this.#followCommands()];
    const loading = successes.all(signal);
    const curating = curator.run(this.#enough.signal);
    const working: Promise<unknown>[] = [curating, ...following];
    let host: ModuleSupervisor | undefined;
    let evaluating: Promise<void> | undefined;
    let saving: Promise<void> | undefined;
    const unlessFailed = (work: Promise<unknown>) => Promise.race([work, ...working.map(failureOf)]);
    try {
      const trainer = this.#ring.trainer();
      this.#trainer = trainer;
      host = this.#ring.host();
      await unlessFailed(Promise.race([Promise.all([trainer.ready, host.ready]), untilAborted(signal)]));
      if (signal.aborted) return;
      this.#is('running');
      this.#wasUp = true;
      this.#time.start();
      saving = this.#saveRegularly(this.#enough.signal);
      up();
      evaluating = evaluator.evaluatePeriodically(signal);
      working.push(evaluating);
      await unlessFailed(this.#train([trainer, host]));
      this.#time.stop();
      this.#is('stopping', SAVING);
      await fabric.commands.append({ kind: 'pause', run: this.#options.run });
      await unlessFailed(this.#closeTrainer());
      if (!signal.aborted) this.#is('stopping', 'evaluating earlier weights');
      void evaluator.untilGivenUp(signal).then(() => this.#stop.abort());
      await unlessFailed(evaluating);
      if (signal.aborted) return;
      this.#is('stopping', 'evaluating the final weights');
      await unlessFailed(evaluator.evaluate(this.#options.config.evaluation.lastInstances, signal));
    } catch (error) {
      this.stopSoon();
      throw error;
    } finally {
      this.#time.stop();
      if (this.#status !== 'stopping') this.#is('stopping', SAVING);
      this.#stop.abort();
      await Promise.allSettled([this.#closeTrainer(), host?.close(), evaluating, loading, viewers.close()]);
      await evaluator.keepNewest().catch(error => {
        this.#lostUpdates ??= unkeptWeights(error, this.#options.config);
      });
      this.#enough.abort();
      await Promise.allSettled([saving, this.#withinGrace(curating)]);
      await fabric.close();
      await Promise.allSettled([curating, ...following]);
    }
  }

  /** A call that waits for an absent broker ends only with the channels. */
  async #withinGrace(work: Promise<unknown>): Promise<void> {
    const ended = new AbortController();
    const end = () => ended.abort();
    work.then(end, end);
    await sleepUnlessAborted(this.#options.clock, CHANNEL_GRACE_MS, ended.signal);
  }

  /** Until the time is over or the run is stopped. Time in which a module is stalled is not trained time. */
  async #train(modules: readonly ModuleSupervisor[]): Promise<void> {
    while (!this.#stop.signal.aborted && !this.#time.isOver()) {
      if (this.isRunning() && !modules.some(({ isStalled }) => isStalled)) this.#time.start();
      else this.#time.stop();
      await sleepUnlessAborted(this.#options.clock, POLL_INTERVAL_MS, this.#stop.signal);
    }
  }

  /** Goes on after the training time, since the last update and the last evaluation cost money. */
  async #saveRegularly(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      await sleepUnlessAborted(clock, POLL_INTERVAL_MS, signal);
      if (clock.now() - this.#savedAt >= SAVE_INTERVAL_MS) await this.#saveOrReport();
    }
  }

  /** A trainer that does not end by itself has not published its last updates. Without a learner that keeps them, they are lost. */
  async #closeTrainer(): Promise<void> {
    const end = await this.#trainer?.close();
    if (end === undefined || end.isClean || this.#lostUpdates !== undefined || !this.#wasUp) return;
    this.#lostUpdates = lostUpdates(end, this.#options.config);
    this.health('the trainer', false, this.#lostUpdates);
  }

  async #followEvents(): Promise<void> {
    const options = { maxUnread: MAX_UNREAD_EVENTS, signal: this.#enough.signal };
    for await (const { event } of this.#ring.fabric.events.listen(options))
      this.#tracker.hear(event, this.#options.clock.now());
  }

  /** A module stops the run if its model or its learner cannot be used any more. */
  async #followCommands(): Promise<void> {
    const { run } = this.#options;
    for await (const { entry } of this.#ring.fabric.commands.read(0, this.#enough.signal))
      if (entry.kind === 'stop' && entry.run === run) this.#stop.abort();
  }

  async #followWeights(): Promise<void> {
    for await (const weights of this.#ring.fabric.weights.watch()) this.#version = weights.version;
  }

  /** Never rejects: a full disk may have room later, and training continues meanwhile. */
  async #saveOrReport(): Promise<void> {
    this.#savedAt = this.#options.clock.now();
    try {
      await this.#save();
      if (!this.#isSaved) this.health(STATE, true, 'is saved again');
      this.#isSaved = true;
    } catch (error) {
      if (this.#isSaved)
        this.health(STATE, false, `cannot be saved: ${sentenceOf(error)} It is tried again.`);
      this.#isSaved = false;
    }
  }

  async #save(): Promise<void> {
    const { spent } = this.#tracker;
    await this.#options.keep({
      curator: this.#ring.curator.save(),
      seconds: this.#time.seconds(),
      curve: this.#tracker.curve,
      evaluations: this.#evaluations(),
      played: this.#tracker.played,
      ...(spent !== undefined && { spent }),
    });
  }
}

const UNPLAYED = { curve: [], played: { episodes: 0, steps: 0 } };
