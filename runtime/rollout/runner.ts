// Runs episodes: a free desktop starts the next order at once, whatever its group or task. Where another task takes a desktop long to open,
// it plays a few orders of one task in a row. A broken episode is retried on another desktop and never scored; an episode whose desktop is
// handed over is played again from its start, and does not count as an attempt.
//
// The runner leases a desktop before it takes an order, so that it holds no order that another runner could start. It releases the desktop
// before it waits for an order, so that an unused desktop counts as idle.

import type { Desktop, Lease, Lender } from '../core/desktop.ts';
import { sentenceOf } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import { type Failure, isWorthRetrying } from '../core/failure.ts';
import type { TaskId } from '../core/ids.ts';
import type { Order } from '../core/order.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Taken, Taker, Topic, WorkQueue } from '../fabric/channels.ts';
import { HandedOver, type HandOvers } from './hand-overs.ts';
import { type PlayOptions, play } from './play.ts';
import { Stop } from './stop.ts';

export interface RunnerOptions extends PlayOptions {
  readonly orders: Taker<Order>;
  readonly trajectories: Pick<WorkQueue<Trajectory>, 'put'>;
  readonly events: Pick<Topic<Event>, 'publish'>;
  readonly lender: Lender;
  /** An order that breaks in every attempt is stored as broken after so many. */
  readonly mostAttempts?: number;
  /** One desktop plays at most so many orders that follow each other and are of one task. 1 by default. */
  readonly inARow?: number;
  /** Others may take a desktop in the middle of its episode. Its orders then return to the queue. */
  readonly handOvers?: Pick<HandOvers, 'began' | 'ended' | 'give'>;
}

const MAX_ATTEMPTS = 3;
/** An order that comes back so often without a result ends the process that plays it, and would do so for ever. */
const MAX_DELIVERIES = 10;

export class Runner {
  readonly #options: RunnerOptions;
  readonly #playing = new Set<Promise<void>>();
  /** The order that ended the latest row, because it is of another task. */
  #ahead: Taken<Order> | undefined;
  /** What the next episode needs, and what was reported: a runner that plays reports no wait. */
  #needs: string | undefined;
  #reported: string | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Runs until the signal is aborted. Then it returns unfinished orders, and resolves when it holds none. */
  async run(signal: AbortSignal): Promise<void> {
    // A failure in one episode, such as a closed channel, ends the others.
    const end = new AbortController();
    const stop = new Stop(end.signal);
    const abort = () => end.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      for (;;) {
        const { lease, taken } = await this.#next(end.signal);
        const playing: Promise<void> = this.#playInARow(lease, taken, stop)
          .catch(error => end.abort(error))
          .finally(() => {
            this.#playing.delete(playing);
            this.#reportWaiting();
          });
        this.#playing.add(playing);
        this.#reportWaiting();
      }
    } catch (error) {
      end.abort(error);
    }
    await Promise.all([...this.#playing, this.#ahead?.giveBack('untouched')]);
    this.#waitFor(undefined);
    signal.removeEventListener('abort', abort);
    if (!signal.aborted) throw end.signal.reason;
  }

  async #next(
    stop: AbortSignal,
  ): Promise<{ readonly lease: Lease; readonly taken: readonly Taken<Order>[] }> {
    const free = await this.#lease(stop);
    let waiting: Taken<Order> | undefined;
    try {
      stop.throwIfAborted();
      waiting = await this.#tryTake();
    } finally {
      if (waiting === undefined) free.release();
    }
    if (waiting !== undefined) return this.#rowOn(free, waiting);
    this.#waitFor('an order');
    const taken = await this.#options.orders.take(stop);
    let lease: Lease;
    try {
      lease = await this.#lease(stop);
    } catch (error) {
      await taken.giveBack('untouched');
      throw error;
    }
    return this.#rowOn(lease, taken);
  }

  async #rowOn(lease: Lease, first: Taken<Order>) {
    try {
      return { lease, taken: await this.#row(first) };
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  #lease(stop: AbortSignal): Promise<Lease> {
    this.#waitFor('a desktop');
    return this.#options.lender.lease(stop);
  }

  async #tryTake(): Promise<Taken<Order> | undefined> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    return ahead ?? this.#options.orders.tryTake();
  }

  /** The order, and those of the same task right behind it. */
  async #row(first: Taken<Order>): Promise<readonly Taken<Order>[]> {
    const { inARow = 1 } = this.#options;
    const row = [first];
    try {
      while (row.length < inARow) {
        const next = await this.#tryTake();
        if (next === undefined) break;
        if (next.item.instance.task !== first.item.instance.task) {
          this.#ahead = next;
          break;
        }
        row.push(next);
      }
      return row;
    } catch (error) {
      await Promise.all(row.map(taken => taken.giveBack('untouched')));
      throw error;
    }
  }

  /** Releases the desktop before it publishes the last trajectory. After a broken episode, the remaining orders return to the queue. */
  async #playInARow(lease: Lease, row: readonly Taken<Order>[], stop: Stop): Promise<void> {
    const left = [...row];
    const unplayed = new Set(row);
    const { desktop } = lease;
    let isGiven = false;
    try {
      for (let taken = left.shift(); taken !== undefined; taken = left.shift()) {
        const trajectory = await this.#play(taken, desktop, stop);
        unplayed.delete(taken);
        const isLast = left.length === 0 || trajectory.outcome.kind === 'broken';
        if (isLast) lease.release();
        await this.#settle(taken, trajectory);
        if (isLast) break;
      }
    } catch (error) {
      if (error instanceof HandedOver)
        isGiven = this.#options.handOvers?.give({ lease, episode: error.episode }) === true;
      else if (!stop.signal.aborted) throw error;
    } finally {
      if (!isGiven) lease.release();
      // An order that was acknowledged does not return.
      await Promise.all(row.map(taken => taken.giveBack(unplayed.has(taken) ? 'untouched' : undefined)));
    }
  }

  async #play(taken: Taken<Order>, desktop: Desktop, stop: Stop): Promise<Trajectory> {
    const episode = stop.episode();
    const { handOvers } = this.#options;
    handOvers?.began(desktop.id, episode);
    try {
      const options = { ...this.#options, taskOf: this.#taskOf(taken) };
      return await play(taken.item, taken.attempt, desktop, options, episode);
    } finally {
      handOvers?.ended(desktop.id);
      episode.over();
    }
  }

  #taskOf(taken: Taken<Order>): PlayOptions['taskOf'] {
    const times = attemptsAt(taken) - 1;
    // Attempts that broke count as well: the queue does not tell them apart.
    if (times < Math.max(MAX_DELIVERIES, this.#options.mostAttempts ?? MAX_ATTEMPTS))
      return this.#options.taskOf;
    return () => {
      throw new Error(
        `the order was given up, since ${times} host processes ended while they played it. The problems of the run show why they ended.`,
      );
    };
  }

  /** Returns a broken order for another attempt; after the last one it is stored as broken, and never scored. */
  async #settle(taken: Taken<Order>, trajectory: Trajectory): Promise<void> {
    const { trajectories, mostAttempts = MAX_ATTEMPTS } = this.#options;
    const { outcome, steps } = trajectory;
    if (outcome.kind === 'broken') {
      this.#metric('rollout/broken', 1);
      if (isWorthRetrying(outcome.failure) && attemptsAt(taken) < mostAttempts) return await taken.giveBack();
      this.#reportBroken(taken.item.instance.task, outcome.failure);
    }
    await trajectories.put(trajectory);
    await taken.acknowledge();
    this.#metric('rollout/steps', steps.length);
  }

  /** A faulty task breaks all its episodes, and no desktop is at fault. */
  #reportBroken(task: TaskId, { thing, message }: Failure): void {
    const cause = thing === task ? message : `${thing}: ${message}`;
    const report = `An episode broke and is not scored. ${sentenceOf(cause)}`;
    this.#options.events.publish({
      ...{ ...this.#now(), kind: 'health', thing: `task ${task}`, healthy: false, message: report },
    });
  }

  #waitFor(what: string | undefined): void {
    this.#needs = what;
    this.#reportWaiting();
  }

  #reportWaiting(): void {
    const reason = this.#playing.size > 0 ? undefined : this.#needs;
    if (reason === this.#reported) return;
    this.#reported = reason;
    const now = this.#now();
    this.#options.events.publish({ ...now, kind: 'waiting', reason, since: now.at });
  }

  #metric(name: string, value: number): void {
    this.#options.events.publish({ ...this.#now(), kind: 'metric', name, value });
  }

  #now() {
    return { module: 'rollout', at: this.#options.clock.now() } as const;
  }
}

/** Without the deliveries of which no episode came to its end: a row that broke, a desktop that was handed over, a runner that stopped. */
const attemptsAt = ({ attempt, untouched }: Taken<Order>): number => attempt - untouched;
