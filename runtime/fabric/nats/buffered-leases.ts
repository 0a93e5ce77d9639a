// Leases of the daemon, which does not wait for an absent broker: it keeps what it puts, in order, and sends it later. Otherwise the daemon
// could neither batch nor report what has already arrived.

import type { LeaseCount, LeaseQueue, WorkLease } from '../../lease/lease.ts';
import type { Broker } from './broker.ts';

/** Puts beyond it wait for the broker, so that a long absence does not fill the memory. */
const MAX_UNSENT = 1000;

export class BufferedLeases<T> implements LeaseQueue<T> {
  readonly #name: string;
  readonly #leases: LeaseQueue<T>;
  readonly #broker: Broker;
  #sending: Promise<unknown> = Promise.resolve();
  #unsent = 0;
  /** As the broker counted last. */
  #counted: LeaseCount = { waiting: 0, leased: 0 };

  /** Reports contain the name of the channel. */
  constructor(name: string, leases: LeaseQueue<T>, broker: Broker) {
    this.#name = name;
    this.#leases = leases;
    this.#broker = broker;
  }

  get ttlMs(): number {
    return this.#leases.ttlMs;
  }

  async put(id: string, work: T): Promise<void> {
    this.#broker.over.throwIfAborted();
    this.#unsent += 1;
    const sent = this.#sending
      .then(() => this.#leases.put(id, work))
      .finally(() => {
        this.#unsent -= 1;
      });
    let isAwaited = true;
    // It fails when the epoch is over, and then the next put rejects; or when no message can carry the work.
    this.#sending = sent.catch(error => {
      if (!isAwaited && !this.#broker.over.aborted) this.#broker.report(`the channel '${this.#name}'`, error);
    });
    await (this.#unsent > MAX_UNSENT ? sent : this.#broker.unlessAway(() => sent));
    isAwaited = false;
  }

  claim(holder: string, signal?: AbortSignal): Promise<WorkLease<T>> {
    return this.#leases.claim(holder, signal);
  }

  tryClaim(holder: string): Promise<WorkLease<T> | undefined> {
    return this.#leases.tryClaim(holder);
  }

  async count(): Promise<LeaseCount> {
    this.#counted = (await this.#broker.unlessAway(() => this.#leases.count())) ?? this.#counted;
    const { waiting, leased } = this.#counted;
    return { waiting: waiting + this.#unsent, leased };
  }
}
