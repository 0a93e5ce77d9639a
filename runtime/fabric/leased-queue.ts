// A work queue whose items are leased: one implementation over every queue of leases (runtime/lease). Its takers send the heartbeats, so
// an item returns to the queue when its taker's process ends or sleeps.

import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { LeaseLost, type LeaseQueue, type WorkLease } from '../lease/lease.ts';
import {
  ChannelClosed,
  closedError,
  type Depth,
  type Taken,
  type Taker,
  type WorkQueue,
} from './channels.ts';
import { Line } from './line.ts';

export interface LeasedQueueOptions<T> {
  /** Errors contain it. */
  readonly name: string;
  readonly leases: LeaseQueue<T>;
  /** Different for each item, in all processes. */
  readonly nextId: () => string;
  readonly clock: Clock;
}

/** A lease survives a lost heartbeat, and a second one. */
const HEARTBEATS_PER_TTL = 4;

export class LeasedQueue<T> implements WorkQueue<T> {
  readonly #options: LeasedQueueOptions<T>;
  readonly #takers = new Set<LeasedTaker<T>>();
  /** One take claims at a time, so that takes are served in turn. The others wait here. */
  readonly #turns = new Line<void>();
  #isClaiming = false;
  #isClosed = false;

  constructor(options: LeasedQueueOptions<T>) {
    this.#options = options;
  }

  async put(item: T): Promise<void> {
    this.#refuseClosed();
    const { leases, nextId } = this.#options;
    await leases.put(nextId(), item);
  }

  taker(): Taker<T> {
    const { name, leases, clock } = this.#options;
    const taker: LeasedTaker<T> = new LeasedTaker({
      ...{ name, clock, heartbeatMs: leases.ttlMs / HEARTBEATS_PER_TTL },
      claim: stop => this.#claim(stop),
      tryClaim: () => this.#tryClaim(),
      closed: () => this.#takers.delete(taker),
    });
    this.#takers.add(taker);
    return taker;
  }

  /** Of all processes. */
  async depth(): Promise<Depth> {
    this.#refuseClosed();
    const { waiting, leased } = await this.#options.leases.count();
    return { waiting, taken: leased };
  }

  /** Gives back everything, and rejects waiting takers and all later calls. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#takers].map(taker => taker.end(closedError(this.#options.name))));
  }

  async #claim(stop: AbortSignal): Promise<WorkLease<T>> {
    this.#refuseClosed();
    if (this.#isClaiming) await this.#turns.wait(stop);
    this.#isClaiming = true;
    try {
      return await this.#options.leases.claim(stop);
    } finally {
      this.#isClaiming = this.#turns.serve();
    }
  }

  async #tryClaim(): Promise<WorkLease<T> | undefined> {
    this.#refuseClosed();
    return this.#options.leases.tryClaim();
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw closedError(this.#options.name);
  }
}

interface TakerOptions<T> {
  readonly name: string;
  readonly clock: Clock;
  readonly heartbeatMs: number;
  readonly claim: (stop: AbortSignal) => Promise<WorkLease<T>>;
  readonly tryClaim: () => Promise<WorkLease<T> | undefined>;
  readonly closed: () => void;
}

class LeasedTaker<T> implements Taker<T> {
  readonly #options: TakerOptions<T>;
  readonly #held = new Set<HeldItem<T>>();
  /** Of takes that wait. */
  readonly #stops = new Set<AbortController>();
  #end: Error | undefined;

  constructor(options: TakerOptions<T>) {
    this.#options = options;
  }

  async take(signal?: AbortSignal): Promise<Taken<T>> {
    signal?.throwIfAborted();
    this.#refuseClosed();
    const stop = new AbortController();
    const abort = () => stop.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    this.#stops.add(stop);
    try {
      return await this.#hold(await this.#options.claim(stop.signal));
    } finally {
      this.#stops.delete(stop);
      signal?.removeEventListener('abort', abort);
    }
  }

  async tryTake(): Promise<Taken<T> | undefined> {
    this.#refuseClosed();
    const lease = await this.#options.tryClaim();
    return lease && this.#hold(lease);
  }

  close(): Promise<void> {
    const { name } = this.#options;
    return this.end(
      new ChannelClosed(`A taker of the channel '${name}' was closed while it waited or took.`),
    );
  }

  async end(reason: Error): Promise<void> {
    this.#end ??= reason;
    for (const stop of this.#stops) stop.abort(reason);
    await Promise.all([...this.#held].map(item => item.giveBack()));
    this.#options.closed();
  }

  async #hold(lease: WorkLease<T>): Promise<Taken<T>> {
    if (this.#end !== undefined) {
      // Closed after the lease was claimed: nothing else gives it back.
      await lease.fail('untouched');
      throw this.#end;
    }
    const { clock, heartbeatMs } = this.#options;
    const held: HeldItem<T> = new HeldItem(lease, () => this.#held.delete(held));
    this.#held.add(held);
    void held.sendHeartbeats(clock, heartbeatMs);
    return held;
  }

  #refuseClosed(): void {
    if (this.#end !== undefined) throw this.#end;
  }
}

class HeldItem<T> implements Taken<T> {
  readonly #lease: WorkLease<T>;
  readonly #settled: () => void;
  readonly #end = new AbortController();

  constructor(lease: WorkLease<T>, settled: () => void) {
    this.#lease = lease;
    this.#settled = settled;
  }

  get item(): T {
    return this.#lease.work;
  }

  get attempt(): number {
    return this.#lease.attempt;
  }

  get untouched(): number {
    return this.#lease.untouched;
  }

  async acknowledge(): Promise<void> {
    if (this.#settle()) await unlessLost(this.#lease.complete());
  }

  async giveBack(how?: 'untouched'): Promise<void> {
    if (this.#settle()) await unlessLost(this.#lease.fail(how));
  }

  /** Until the item is settled, or somebody else has it. */
  async sendHeartbeats(clock: Clock, everyMs: number): Promise<void> {
    const end = this.#end.signal;
    while (!end.aborted) {
      await sleepUnlessAborted(clock, everyMs, end);
      if (end.aborted) return;
      const isLost = await this.#lease.heartbeat().then(
        () => false,
        (error: unknown) => error instanceof LeaseLost,
      );
      if (isLost) this.#settle();
    }
  }

  #settle(): boolean {
    if (this.#end.signal.aborted) return false;
    this.#end.abort(SETTLED);
    this.#settled();
    return true;
  }
}

const SETTLED = 'the item is settled';

/** Somebody else has the item or did the work: then this delivery was a repetition, which queues permit. */
async function unlessLost(settling: Promise<void>): Promise<void> {
  try {
    await settling;
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  }
}
