// The loop of the data module: orders rollouts, receives trajectories, and hands batches to the trainer. It communicates with the other
// modules through channels only. The decisions are pure functions elsewhere: curation/ (which rollouts), group-filter.ts (which of them
// train) and staleness.ts (how many may run).

import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { type OrderId, type RunId, type TrajectoryId, type Version, version } from '../core/ids.ts';
import type { Needs } from '../core/lesson.ts';
import type { Mode } from '../core/policy.ts';
import { type Random, type RandomState, resumed } from '../core/rng.ts';
import { runTogether } from '../core/run-together.ts';
import { sum } from '../core/sum.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { rewardOf, SUCCESS } from '../core/verdict.ts';
import type { Fabric } from '../fabric/fabric.ts';
import type { AdvantageKind } from './advantage.ts';
import type { Curation } from './curation/curation.ts';
import type { GroupDecision } from './files/decision-lines.ts';
import { Groups, type GroupTally } from './groups.ts';
import { DataMetrics, groupMetrics, OrderStatistics } from './metrics.ts';
import { IdGenerator, ordersOf } from './orders.ts';
import { PositiveReplay, type PositiveReplayOptions } from './pool/positive-replay.ts';
import { Successes, successOf } from './pool/successes.ts';
import { NO_SHAPING, type RewardShaping } from './reward-shaping.ts';
import { afterRestart, type RolloutCounts, RolloutLedger, type RolloutTally } from './rollout-ledger.ts';
import { type RestoreChoice, rolloutOf, type TrainingRollout, whyUntrainable } from './rollouts.ts';
import { admissionRoom } from './staleness.ts';
import { consumeTrajectories, type TrajectorySink } from './trajectory-consumer.ts';

export interface CuratorOptions<State> {
  readonly run: RunId;
  readonly fabric: Fabric;
  readonly keeps: TrajectorySink;
  readonly curation: Curation<State>;
  /** Receives durable trajectories of evaluations. */
  readonly onEvaluation: (trajectory: Trajectory) => Promise<void>;
  readonly mode: Mode;
  /** In optimiser steps, between the weights that chose a step and the newest published ones. */
  readonly maxStaleness: number;
  /** A batch is full at this number of trajectories or of steps. */
  readonly trajectoriesPerBatch: number;
  readonly stepsPerBatch: number;
  /** Maximum trajectories that run or wait to be trained. */
  readonly trajectoriesAhead: number;
  /** Whether a stored success replaces a failure when all rollouts of a group failed. */
  readonly successPool: boolean;
  /** The group that a step is compared with; by default the steps of the group, as in DART. */
  readonly advantages?: AdvantageKind;
  /** Changes of rewards by length; none by default. */
  readonly shaping?: RewardShaping;
  /** Successes of earlier batches that train again; none by default. */
  readonly positives?: PositiveReplayOptions;
  /** Maximum batches waiting for the trainer. Further groups are held back, and dropped if they become too old. */
  readonly maxWaitingBatches: number;
  /** Target number of orders waiting for a desktop, within the staleness bound: about the number of desktops. */
  readonly ahead: number;
  /** Sampling weights of the kinds of lessons, from the success rates of the tasks. */
  readonly needsOf: (rates: Readonly<Record<string, number>>) => Needs;
  /** False for trainers that take no lessons. */
  readonly imitates?: boolean;
  /** Recovers the choices of demonstrations, which record actions only. */
  readonly restored?: RestoreChoice;
  readonly onDecision: (decision: GroupDecision) => void;
  readonly clock: Clock;
  readonly random: Random;
}

/** The state that a resumed run restores. Plain data. It excludes unfinished groups: see afterRestart. */
export interface CuratorState<State> {
  readonly curation: State;
  readonly random: RandomState;
  readonly books: RolloutTally;
  /** Absent in states that an earlier version wrote. */
  readonly groups?: GroupTally;
  /** Trajectories in batches that were not trained yet. */
  readonly untrained: number;
  readonly names: number;
}

/** Channels do not report when an item is taken, so the loop polls them between wake-ups. */
const POLL_MS = 200;
const METRICS_INTERVAL_MS = 1000;

interface UntrainedBatch {
  /** Of the trajectories that the run ordered. */
  readonly count: number;
  readonly ids: ReadonlySet<TrajectoryId>;
}

const NO_REPLAY: PositiveReplayOptions = { share: 0, perBatch: 0 };

const NO_LESSONS = { put: async () => undefined };

/** `abort()` without a reason allocates an Error with a stack trace. Hot paths pass this constant. */
const WAKE_UP = 'state changed';

export class Curator<State> {
  readonly #options: CuratorOptions<State>;
  readonly #ledger: RolloutLedger;
  readonly #groups: Groups;
  readonly #successes: Successes;
  readonly #ids: IdGenerator;
  readonly #random: Random;
  readonly #metrics: DataMetrics;
  readonly #orderStatistics = new OrderStatistics();
  #wake = new AbortController();
  #curation: State;
  #version: Version = version(0);
  #isPaused = false;
  /** Each batch that is not trained yet, oldest first. */
  #untrained: readonly UntrainedBatch[] = [];
  #published: { readonly at: number; readonly curation: State } | undefined;

  constructor(options: CuratorOptions<State>, saved?: CuratorState<State>) {
    const { run, fabric, curation, maxStaleness, trajectoriesPerBatch, stepsPerBatch, successPool } = options;
    const { clock, random, onDecision, advantages = 'steps', shaping = NO_SHAPING } = options;
    const { positives = NO_REPLAY } = options;
    this.#options = options;
    this.#metrics = new DataMetrics(fabric.events, clock);
    this.#ledger = new RolloutLedger(saved && afterRestart(saved.books, saved.untrained));
    this.#groups = new Groups({
      ...{ maxStaleness, trajectoriesPerBatch, stepsPerBatch, successPool, ledger: this.#ledger, onDecision },
      ...{ advantages, shaping, positives: new PositiveReplay(positives, random.fork('positives')) },
      ...(saved?.groups && { previous: saved.groups }),
    });
    const lessons = options.imitates === false ? NO_LESSONS : fabric.lessons;
    this.#successes = new Successes({ lessons, groups: this.#groups });
    this.#ids = new IdGenerator(run, clock.now(), saved?.names);
    this.#random = saved === undefined ? random.fork('curation') : resumed(saved.random);
    this.#curation = saved?.curation ?? curation.start();
  }

  /** Runs until the signal. Trajectories that are not durable then return to the channel. Call it once. */
  async run(signal: AbortSignal): Promise<void> {
    const { fabric, keeps, clock } = this.#options;
    const consumer = {
      sink: keeps,
      clock,
      health: this.#metrics.health,
      onTrajectory: (trajectory: Trajectory) => this.#receive(trajectory),
    };
    try {
      await runTogether(signal, [
        over => consumeTrajectories(fabric.trajectories.taker(), consumer, over),
        over => this.#followWeights(over),
        over => this.#successes.recall(fabric.recalled.taker(), over),
        over => this.#followCommands(over),
        over => this.#schedule(over),
      ]);
    } finally {
      this.#metrics.waiting(undefined);
    }
  }

  /** Sends all stored successes again, for a trainer that lost its replay buffer. */
  resendLessons(): Promise<void> {
    return this.#successes.resendLessons();
  }

  counts(): RolloutCounts {
    return this.#ledger.counts();
  }

  save(): CuratorState<State> {
    return {
      curation: this.#curation,
      random: this.#random.save(),
      books: this.#ledger.save(),
      groups: this.#groups.save(),
      untrained: this.#untrainedCount,
      names: this.#ids.count,
    };
  }

  async #followWeights(over: AbortSignal): Promise<void> {
    const { weights } = this.#options.fabric;
    for await (const { version } of weights.watch(over)) {
      this.#version = version;
      this.#wake.abort(WAKE_UP);
    }
  }

  /** The curator pauses at a stop, so that it still stores the episodes that finish before the run ends. */
  async #followCommands(over: AbortSignal): Promise<void> {
    const { fabric, run } = this.#options;
    for await (const { entry } of fabric.commands.read(0, over)) {
      if (entry.run !== run) continue;
      if (entry.kind === 'verdict') this.#applyVerdict(entry.trajectory, entry.success);
      else if (entry.kind === 'pool') this.#setMembership(entry.trajectory, entry.isMember);
      else if (entry.kind === 'pause' || entry.kind === 'stop') this.#isPaused = true;
      else if (entry.kind === 'resume') this.#isPaused = false;
      this.#wake.abort(WAKE_UP);
    }
  }

  /** The trajectories that may still train, and the successes that may replace a failure or are lessons. */
  get needed(): ReadonlySet<TrajectoryId> {
    const untrained = this.#untrained.flatMap(({ ids }) => [...ids]);
    return new Set([...this.#successes.ids, ...this.#groups.ids, ...untrained]);
  }

  get #untrainedCount(): number {
    return sum(this.#untrained.map(({ count }) => count));
  }

  /** Applies a manual verdict. A new success enters the success pool at once; its lesson follows when the trajectory is recalled. */
  #applyVerdict(id: TrajectoryId, success: boolean | null): void {
    const judged = this.#groups.judge(id, success);
    const isSuccess = success ?? judged?.rollout.isSuccess;
    if (isSuccess !== undefined) this.#setMembership(id, isSuccess);
    if (judged?.rollout.isSuccess)
      this.#successes.keep({
        ...judged,
        ...{ sort: 'successes', since: this.#options.clock.now(), canReplaceFailure: true },
      });
  }

  #setMembership(id: TrajectoryId, isMember: boolean): void {
    this.#groups.setMembership(id, isMember);
    this.#successes.setMembership(id, isMember);
  }

  /** Handles a trajectory that is durable and acknowledged. */
  async #receive(trajectory: Trajectory): Promise<void> {
    const { run, onEvaluation, restored } = this.#options;
    const { purpose, provenance, order } = trajectory;
    this.#metrics.progressed();
    if (purpose === 'evaluate') return await onEvaluation(trajectory);
    const isDemonstration = provenance.kind === 'human' || provenance.kind === 'oracle';
    const isOwn = provenance.kind === 'rollout' && trajectory.run === run;
    const rollout = isDemonstration || isOwn ? rolloutOf(trajectory, restored) : undefined;
    if (order !== undefined && this.#ledger.isPlaying(order)) this.#settle(order, trajectory, isOwn, rollout);
    // A repeated delivery is already counted and already stored as a success.
    else if (isOwn && purpose === 'train') return;
    if (!rollout?.isSuccess) return;
    await this.#successes.take(successOf(trajectory, rollout));
  }

  /** A trajectory that the policy did not produce carries no information about it: its group continues with one rollout fewer. */
  #settle(
    order: OrderId,
    trajectory: Trajectory,
    isOwn: boolean,
    rollout: TrainingRollout | undefined,
  ): void {
    if (isOwn) this.#observe(trajectory);
    // Without the id of the trajectory: equal reports are counted instead of listed.
    if (isOwn && rollout === undefined && trajectory.outcome.kind === 'judged')
      this.#metrics.health(
        'rollouts',
        false,
        `A rollout is not used for training: ${whyUntrainable(trajectory)}`,
      );
    this.#groups.receive(order, isOwn ? rollout : undefined, this.#version);
    this.#wake.abort(WAKE_UP);
  }

  #observe({ instance, outcome, steps }: Trajectory): void {
    const score = rewardOf(outcome);
    if (score === undefined) return;
    const result = { instance, score, success: score >= SUCCESS, steps: steps.length };
    this.#curation = this.#options.curation.observe(this.#curation, result);
  }

  async #schedule(over: AbortSignal): Promise<void> {
    over.addEventListener('abort', () => this.#wake.abort(WAKE_UP), { once: true });
    while (!over.aborted) {
      this.#wake = new AbortController();
      const isTrainerBehind = await this.#putBatches();
      await this.#putOrders(over);
      await this.#publish(isTrainerBehind);
      await sleepUnlessAborted(this.#options.clock, POLL_MS, this.#wake.signal);
    }
  }

  /** Puts full batches until `maxWaitingBatches` wait. Returns whether the trainer is behind. */
  async #putBatches(): Promise<boolean> {
    const { fabric, maxWaitingBatches } = this.#options;
    this.#groups.refilter(this.#version);
    for (;;) {
      const { waiting, taken } = await fabric.batches.depth();
      this.#untrained = this.#untrained.slice(Math.max(0, this.#untrained.length - waiting - taken));
      if (this.#isPaused) return false;
      if (waiting >= maxWaitingBatches) return true;
      const full = this.#groups.batch(() => this.#ids.batch(), this.#version);
      if (full === undefined) return false;
      const { batch, trajectories } = full;
      const ids = new Set(batch.groups.flatMap(({ steps }) => steps.map(({ trajectory }) => trajectory)));
      this.#untrained = [...this.#untrained, { count: trajectories, ids }];
      await fabric.batches.put({ ...batch, run: this.#options.run });
    }
  }

  /** Orders whole groups while the staleness bound allows it and fewer than `ahead` orders wait. */
  async #putOrders(over: AbortSignal): Promise<void> {
    const { fabric, curation, run, mode, ahead, onDecision } = this.#options;
    while (!this.#isPaused && !over.aborted) {
      const { waiting } = await fabric.orders.depth();
      if (waiting >= ahead || this.#admissionRoom() === 0) return;
      const next = curation.next(this.#curation, this.#random);
      if (next === undefined) return;
      this.#curation = next.state;
      const { planned } = next;
      const group = this.#ids.group();
      const orders = ordersOf(planned, { group, run, mode });
      const ids = orders.map(({ id }) => id);
      this.#groups.open(group, planned.instance, ids, planned.maxSteps);
      const { extraExploration, ...plan } = planned;
      // The decision log keeps the field name `daring`.
      const logged = { ...plan, ...(extraExploration !== undefined && { daring: extraExploration }) };
      onDecision({ kind: 'ordered', group, ...logged });
      this.#orderStatistics.record(planned);
      for (const order of orders) await fabric.orders.put(order);
    }
  }

  /**
   * The number of trajectories that may start now. A whole group is ordered if at least one may start, so a group can exceed the
   * limit.
   */
  #admissionRoom(): number {
    const counts = { untrained: this.#untrainedCount, running: this.#ledger.counts().running };
    return admissionRoom(this.#options.trajectoriesAhead, counts);
  }

  async #publish(isTrainerBehind: boolean): Promise<void> {
    const { fabric, clock, curation, needsOf } = this.#options;
    const now = clock.now();
    const isDue = this.#published === undefined || now - this.#published.at >= METRICS_INTERVAL_MS;
    this.#metrics.waiting(this.#waitingReason(isTrainerBehind), isDue);
    if (!isDue) return;
    const isNew = this.#published?.curation !== this.#curation;
    this.#published = { at: now, curation: this.#curation };
    const depths = await Promise.all(
      (['orders', 'trajectories', 'batches', 'lessons'] as const).map(
        async name => [name, (await fabric[name].depth()).waiting] as const,
      ),
    );
    const groups = this.#groups.counts();
    this.#metrics.numbers('queue/depth', Object.fromEntries(depths));
    this.#metrics.numbers('off_policy', { dropped: groups.dropped });
    const criticError = this.#groups.criticError();
    this.#metrics.numbers('data', {
      ...groupMetrics(groups),
      ...(criticError !== undefined && { critic_error: criticError }),
      known_successes: this.#successes.size,
      ...this.#orderStatistics.means(),
      ...this.counts(),
    });
    if (!isNew) return;
    const rates = curation.rates(this.#curation);
    this.#metrics.numbers('success', rates);
    await fabric.rates.set(rates);
    await fabric.needs.set(needsOf(rates));
  }

  #waitingReason(isTrainerBehind: boolean): string | undefined {
    if (this.#isPaused) return 'to be resumed';
    if (isTrainerBehind) return 'the trainer to take a batch';
    if (this.#ledger.playing > 0) return 'trajectories';
    return this.#admissionRoom() === 0 ? 'the trainer to finish its updates' : 'a task to roll out';
  }
}
