// Runs episodes, one order per desktop: a free desktop starts the next order at once, whatever its group or task. A broken episode is
// retried on another desktop and never scored.
//
// The runner leases a desktop before it takes an order, so that it holds no order that another runner could start. It releases the desktop
// before it waits for an order, so that an unused desktop counts as idle.

import type { Lease, Lender } from '../core/desktop.ts';
import type { Event } from '../core/event.ts';
import { isWorthRetrying } from '../core/failure.ts';
import type { Order } from '../core/order.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Taken, Taker, Topic, WorkQueue } from '../fabric/channels.ts';
import { type PlayOptions, play } from './play.ts';
import { Stop } from './stop.ts';

export interface RunnerOptions extends PlayOptions {
  readonly orders: Taker<Order>;
  readonly trajectories: Pick<WorkQueue<Trajectory>, 'put'>;
  readonly events: Pick<Topic<Event>, 'publish'>;
  readonly lender: Lender;
  /** After so many attempts an order that always breaks is given up. */
  readonly mostAttempts?: number;
}

const MAX_ATTEMPTS = 3;

export class Runner {
  readonly #options: RunnerOptions;
  readonly #playing = new Set<Promise<void>>();
  /** What it needs to start another episode, and what it told that it waits for: while it plays, it waits for nothing. */
  #needs: string | undefined;
  #told: string | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Until the signal is aborted: then what is under way is given back, and this resolves once nothing is held any more. */
  async run(signal: AbortSignal): Promise<void> {
    // What goes wrong in one place, as a channel that is closed, ends the others too.
    const end = new AbortController();
    const stop = new Stop(end.signal);
    const abort = () => end.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      for (;;) {
        const { lease, taken } = await this.#next(end.signal);
        const playing: Promise<void> = this.#playOn(lease, taken, stop)
          .catch(error => end.abort(error))
          .finally(() => {
            this.#playing.delete(playing);
            this.#tellWaiting();
          });
        this.#playing.add(playing);
        this.#tellWaiting();
      }
    } catch (error) {
      end.abort(error);
    }
    await Promise.all(this.#playing);
    this.#needed(undefined);
    signal.removeEventListener('abort', abort);
    if (!signal.aborted) throw end.signal.reason;
  }

  async #next(stop: AbortSignal): Promise<{ readonly lease: Lease; readonly taken: Taken<Order> }> {
    const { orders } = this.#options;
    const free = await this.#lease(stop);
    let waiting: Taken<Order> | undefined;
    try {
      stop.throwIfAborted();
      waiting = await orders.tryTake();
      if (waiting !== undefined) return { lease: free, taken: waiting };
    } finally {
      if (waiting === undefined) free.release();
    }
    this.#needed('an order');
    const taken = await orders.take(stop);
    try {
      return { lease: await this.#lease(stop), taken };
    } catch (error) {
      await taken.giveBack();
      throw error;
    }
  }

  #lease(stop: AbortSignal): Promise<Lease> {
    this.#needed('a desktop');
    return this.#options.lender.lease(stop);
  }

  async #playOn(lease: Lease, taken: Taken<Order>, stop: Stop): Promise<void> {
    try {
      await this.#settle(taken, await this.#played(lease, taken, stop));
    } catch (error) {
      await taken.giveBack();
      if (!stop.signal.aborted) throw error;
    }
  }

  /** The desktop is free again before anybody else hears of the trajectory. */
  async #played(lease: Lease, taken: Taken<Order>, stop: Stop): Promise<Trajectory> {
    const episode = stop.episode();
    try {
      return await play(taken.item, taken.attempt, lease.desktop, this.#options, episode);
    } finally {
      episode.over();
      lease.release();
    }
  }

  /** What broke is never scored: it is tried again or, in the end, told as broken, so that it is counted. */
  async #settle(taken: Taken<Order>, trajectory: Trajectory): Promise<void> {
    const { trajectories, mostAttempts = MAX_ATTEMPTS } = this.#options;
    const { outcome, steps } = trajectory;
    if (outcome.kind === 'broken') {
      this.#measured('rollout/broken', 1);
      if (isWorthRetrying(outcome.failure) && taken.attempt < mostAttempts) return await taken.giveBack();
    }
    await trajectories.put(trajectory);
    await taken.acknowledge();
    this.#measured('rollout/steps', steps.length);
  }

  #needed(what: string | undefined): void {
    this.#needs = what;
    this.#tellWaiting();
  }

  #tellWaiting(): void {
    const reason = this.#playing.size > 0 ? undefined : this.#needs;
    if (reason === this.#told) return;
    this.#told = reason;
    const now = this.#now();
    this.#options.events.publish({ ...now, kind: 'waiting', reason, since: now.at });
  }

  #measured(name: string, value: number): void {
    this.#options.events.publish({ ...this.#now(), kind: 'metric', name, value });
  }

  #now() {
    return { module: 'rollout', at: this.#options.clock.now() } as const;
  }
}
