// Module 3 at work: orders what is rolled out next, takes what comes back, hands out what is trained on. It meets the others in channels
// only. The decisions are elsewhere: curation/ (what next), settling.ts (what becomes of it), staleness.ts (how far ahead).

import type { Clock } from '../core/clock.ts';
import { type OrderId, type RunId, type TrajectoryId, type Version, version } from '../core/ids.ts';
import type { Needs } from '../core/lesson.ts';
import type { Mode } from '../core/policy.ts';
import { type Random, type RandomState, resumed } from '../core/rng.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { rewardOf, SUCCESS } from '../core/verdict.ts';
import type { Fabric } from '../fabric/fabric.ts';
import type { Curation } from './curation/curation.ts';
import type { Decided } from './decision-log.ts';
import type { Evaluations } from './evaluation.ts';
import { Groups, type GroupTally } from './groups.ts';
import { DataMetrics, figuresOf } from './metrics.ts';
import { Ordered } from './order-statistics.ts';
import { Names, ordersOf } from './orders.ts';
import { Successes, successOf } from './pool/successes.ts';
import { afterRestart, type Counts, RolloutLedger, type Tally } from './rollout-ledger.ts';
import { type Restores, type Rollout, rolloutOf } from './rollouts.ts';
import { type Bound, room } from './staleness.ts';
import { type Keeps, letIn } from './trajectory-consumer.ts';

export interface CuratorOptions<State> {
  readonly run: RunId;
  readonly fabric: Fabric;
  readonly keeps: Keeps;
  readonly curation: Curation<State>;
  readonly evaluations: Pick<Evaluations, 'out' | 'back'>;
  readonly mode: Mode;
  readonly bound: Bound;
  /** A batch is full with `bound.perUpdate` trajectories, or with so many steps. */
  readonly stepsPerBatch: number;
  /** Whether a stored success stands in where all of a group failed. */
  readonly successPool: boolean;
  /** So many batches wait for the trainer at the most; what comes meanwhile is held back, and dropped when it gets too old. */
  readonly mostBatches: number;
  /** So many orders wait for a desktop, as long as there is room: about as many as there are desktops. */
  readonly ahead: number;
  /** How much oftener lessons of a kind are shown, by the success rates of the tasks. */
  readonly needsOf: (rates: Readonly<Record<string, number>>) => Needs;
  /** For demonstrations, which do not tell what a policy would have had to choose. */
  readonly restored?: Restores;
  readonly decided: (decided: Decided) => void;
  readonly clock: Clock;
  readonly random: Random;
}

/** All that a new process needs to go on. Plain data. Groups under way are not in it: see afterRestart. */
export interface CuratorState<State> {
  readonly curation: State;
  readonly random: RandomState;
  readonly books: Tally;
  /** Absent where an earlier version wrote it. */
  readonly groups?: GroupTally;
  /** Trajectories in batches that had not trained. */
  readonly untrained: number;
  readonly names: number;
}

/** Milliseconds. Channels do not say when something was taken out of them, so it looks now and then, and whenever something comes. */
const LOOK_EVERY = 200;
const TELL_EVERY = 1000;

/** A reason of its own: to make one each time, with the place in the code, costs more than what it wakes for. */
const WOKEN = 'something happened';

export class Curator<State> {
  readonly #options: CuratorOptions<State>;
  readonly #books: RolloutLedger;
  readonly #groups: Groups;
  readonly #successes: Successes;
  readonly #names: Names;
  readonly #random: Random;
  readonly #telling: DataMetrics;
  readonly #ordered = new Ordered();
  readonly #stop = new AbortController();
  #wake = new AbortController();
  #curation: State;
  #version: Version = version(0);
  #isPaused = false;
  /** How many trajectories each batch holds that has not trained yet, the oldest first. */
  #untrained: number[] = [];
  #told: { readonly at: number; readonly curation: State } | undefined;

  constructor(options: CuratorOptions<State>, saved?: CuratorState<State>) {
    const { run, fabric, curation, bound, stepsPerBatch, successPool, clock, random, decided } = options;
    this.#options = options;
    this.#telling = new DataMetrics(fabric.events, clock);
    this.#books = new RolloutLedger(saved && afterRestart(saved.books, saved.untrained));
    this.#groups = new Groups({
      ...{ bound, stepsPerBatch, successPool, books: this.#books, decided },
      ...(saved?.groups && { before: saved.groups }),
    });
    this.#successes = new Successes({ lessons: fabric.lessons, groups: this.#groups });
    this.#names = new Names(run, clock.now(), saved?.names);
    this.#random = saved === undefined ? random.fork('curation') : resumed(saved.random);
    this.#curation = saved?.curation ?? curation.start();
  }

  /** Until it is told to stop, by the signal or by a command. What it has not kept then is given back. Once only. */
  async run(signal: AbortSignal): Promise<void> {
    const { fabric, keeps, clock } = this.#options;
    const stop = () => {
      this.#stop.abort();
      this.#wake.abort(WOKEN);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const inlet = {
      keeps,
      clock,
      health: this.#telling.health,
      arrived: (trajectory: Trajectory) => this.#arrived(trajectory),
    };
    const parts = [
      letIn(fabric.trajectories.taker(), inlet, this.#stop.signal),
      this.#follow(),
      this.#successes.recall(fabric.recalled.taker(), this.#stop.signal),
      this.#obey(stop),
      this.#decide(),
      // None goes on without the others.
    ].map(part => part.finally(stop));
    await Promise.allSettled(parts);
    signal.removeEventListener('abort', stop);
    this.#telling.waiting(undefined);
    await Promise.all(parts);
  }

  /** For a trainer that has seen nothing of what was handed out before. */
  teachAgain(): Promise<void> {
    return this.#successes.teachAgain();
  }

  counts(): Counts {
    return this.#books.counts();
  }

  /** At any moment. */
  save(): CuratorState<State> {
    return {
      curation: this.#curation,
      random: this.#random.save(),
      books: this.#books.save(),
      groups: this.#groups.save(),
      untrained: sum(this.#untrained),
      names: this.#names.count,
    };
  }

  async #follow(): Promise<void> {
    const { weights } = this.#options.fabric;
    for await (const { version } of weights.watch(this.#stop.signal)) {
      this.#version = version;
      this.#wake.abort(WOKEN);
    }
  }

  async #obey(stop: () => void): Promise<void> {
    const { fabric, run } = this.#options;
    for await (const { entry } of fabric.commands.read(0, this.#stop.signal)) {
      if (entry.run !== run) continue;
      if (entry.kind === 'verdict') this.#judged(entry.trajectory, entry.success);
      else if (entry.kind === 'pool') this.#successes.belongs(entry.trajectory, entry.isMember);
      else if (entry.kind === 'stop') stop();
      else this.#isPaused = entry.kind === 'pause';
      this.#wake.abort(WOKEN);
    }
  }

  /** By hand. What counts as a success from now on may stand in at once; as a lesson it comes when it is seen again. */
  #judged(id: TrajectoryId, success: boolean | null): void {
    const judged = this.#groups.judge(id, success);
    const does = success ?? judged?.rollout.isSuccess;
    if (does !== undefined) this.#successes.belongs(id, does);
    if (judged?.rollout.isSuccess)
      this.#successes.keep({
        ...judged,
        ...{ sort: 'successes', since: this.#options.clock.now(), standsIn: true },
      });
  }

  /** A trajectory that is durable and acknowledged. */
  async #arrived(trajectory: Trajectory): Promise<void> {
    const { run, evaluations, restored } = this.#options;
    const { purpose, provenance, order } = trajectory;
    this.#telling.worked();
    if (purpose === 'evaluate') return await evaluations.back(trajectory);
    const isShown = provenance.kind === 'human' || provenance.kind === 'oracle';
    const isOwn = provenance.kind === 'rollout' && trajectory.run === run;
    const rollout = isShown || isOwn ? rolloutOf(trajectory, restored) : undefined;
    if (order !== undefined && this.#books.isPlaying(order)) this.#booked(order, trajectory, isOwn, rollout);
    // What comes a second time was counted, and so was whatever else it is good for.
    else if (isOwn && purpose === 'train') return;
    if (!rollout?.isSuccess) return;
    await this.#successes.take(successOf(trajectory, rollout));
  }

  /** What somebody else played in the place of the policy says nothing about it: its group goes on with one less. */
  #booked(order: OrderId, trajectory: Trajectory, isOwn: boolean, rollout: Rollout | undefined): void {
    if (isOwn) this.#observe(trajectory);
    if (isOwn && rollout === undefined && trajectory.outcome.kind === 'judged')
      this.#telling.health(
        trajectory.id,
        false,
        'lacks what was seen or decided at a step; it does not train',
      );
    this.#groups.back(order, isOwn ? rollout : undefined, this.#version);
    this.#wake.abort(WOKEN);
  }

  #observe({ instance, outcome, steps }: Trajectory): void {
    const score = rewardOf(outcome);
    if (score === undefined) return;
    const result = { instance, score, success: score >= SUCCESS, steps: steps.length };
    this.#curation = this.#options.curation.observe(this.#curation, result);
  }

  async #decide(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#wake = new AbortController();
      const isHeldBack = await this.#handOut();
      await this.#order();
      await this.#tell(isHeldBack);
      await this.#options.clock.sleep(LOOK_EVERY, this.#wake.signal).catch(() => undefined);
    }
  }

  /** Batches, as long as there are and the trainer is not behind. Whether it is. */
  async #handOut(): Promise<boolean> {
    const { fabric, mostBatches } = this.#options;
    this.#groups.settle(this.#version);
    for (;;) {
      const { waiting, taken } = await fabric.batches.depth();
      this.#untrained = this.#untrained.slice(Math.max(0, this.#untrained.length - waiting - taken));
      if (this.#isPaused) return false;
      if (waiting >= mostBatches) return true;
      const gathered = this.#groups.batch(() => this.#names.batch(), this.#version);
      if (gathered === undefined) return false;
      const { batch, trajectories } = gathered;
      this.#untrained.push(trajectories);
      await fabric.batches.put({ ...batch, run: this.#options.run });
    }
  }

  /** Whole groups, as long as there is room and desktops may want for orders. */
  async #order(): Promise<void> {
    const { fabric, curation, run, mode, ahead, evaluations, decided } = this.#options;
    while (!this.#isPaused && !this.#stop.signal.aborted) {
      const { waiting } = await fabric.orders.depth();
      // What evaluates may wait for desktops of its own: it must not keep these from working.
      if (waiting - evaluations.out >= ahead || this.#room() === 0) return;
      const next = curation.next(this.#curation, this.#random);
      if (next === undefined) return;
      this.#curation = next.state;
      const { planned } = next;
      const group = this.#names.group();
      const orders = ordersOf(planned, { group, run, mode });
      const ids = orders.map(({ id }) => id);
      this.#groups.ordered(group, planned.instance, ids);
      decided({ kind: 'ordered', group, ...planned });
      this.#ordered.note(planned);
      for (const order of orders) await fabric.orders.put(order);
    }
  }

  /**
   * In trajectories. A group is ordered whole where there is room for one, and may exceed it by the rest. What has trained counts as
   * `perUpdate` for each version, however many it really was, and what waits to be trained counts one by one: with updates of exactly
   * that size it is the same. Groups of any size make updates of any size, and their real sum would run away from what the
   * versions allow, until nobody could start anything any more.
   */
  #room(): number {
    const { bound } = this.#options;
    const accepted = this.#version * bound.perUpdate + sum(this.#untrained);
    return room(bound, { version: this.#version, accepted, running: this.#books.counts().running });
  }

  async #tell(isHeldBack: boolean): Promise<void> {
    const { fabric, clock, curation, needsOf } = this.#options;
    const now = clock.now();
    const isTime = this.#told === undefined || now - this.#told.at >= TELL_EVERY;
    this.#telling.waiting(this.#waitsFor(isHeldBack), isTime);
    if (!isTime) return;
    const isNew = this.#told?.curation !== this.#curation;
    this.#told = { at: now, curation: this.#curation };
    const depths = await Promise.all(
      (['orders', 'trajectories', 'batches', 'lessons'] as const).map(
        async name => [name, (await fabric[name].depth()).waiting] as const,
      ),
    );
    const groups = this.#groups.counts();
    this.#telling.numbers('queue/depth', Object.fromEntries(depths));
    this.#telling.numbers('off_policy', { dropped: groups.dropped });
    this.#telling.numbers('data', {
      ...figuresOf(groups),
      known_successes: this.#successes.size,
      ...this.#ordered.means(),
      ...this.counts(),
    });
    if (!isNew) return;
    const rates = curation.rates(this.#curation);
    this.#telling.numbers('success', rates);
    await fabric.rates.set(rates);
    await fabric.needs.set(needsOf(rates));
  }

  #waitsFor(isHeldBack: boolean): string | undefined {
    if (this.#isPaused) return 'to be resumed';
    if (isHeldBack) return 'the trainer to take a batch';
    if (this.#books.playing > 0) return 'trajectories';
    return this.#room() === 0 ? 'the trainer to finish its updates' : 'something to roll out';
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
