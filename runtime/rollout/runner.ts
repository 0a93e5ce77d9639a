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
  /** An order that breaks in every attempt is stored as broken after so many. */
  readonly mostAttempts?: number;
}

const MAX_ATTEMPTS = 3;

export class Runner {
  readonly #options: RunnerOptions;
  readonly #playing = new Set<Promise<void>>();
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
        const playing: Promise<void> = this.#playOn(lease, taken, stop)
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
    await Promise.all(this.#playing);
    this.#waitFor(undefined);
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
    this.#waitFor('an order');
    const taken = await orders.take(stop);
    try {
      return { lease: await this.#lease(stop), taken };
    } catch (error) {
      await taken.giveBack();
      throw error;
    }
  }

  #lease(stop: AbortSignal): Promise<Lease> {
    this.#waitFor('a desktop');
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

  /** Releases the desktop before the trajectory is published. */
  async #played(lease: Lease, taken: Taken<Order>, stop: Stop): Promise<Trajectory> {
    const episode = stop.episode();
    try {
      return await play(taken.item, taken.attempt, lease.desktop, this.#options, episode);
    } finally {
      episode.over();
      lease.release();
    }
  }

  /** Returns a broken order for another attempt; after the last one it is stored as broken, and never scored. */
  async #settle(taken: Taken<Order>, trajectory: Trajectory): Promise<void> {
    const { trajectories, mostAttempts = MAX_ATTEMPTS } = this.#options;
    const { outcome, steps } = trajectory;
    if (outcome.kind === 'broken') {
      this.#metric('rollout/broken', 1);
      if (isWorthRetrying(outcome.failure) && taken.attempt < mostAttempts) return await taken.giveBack();
    }
    await trajectories.put(trajectory);
    await taken.acknowledge();
    this.#metric('rollout/steps', steps.length);
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
