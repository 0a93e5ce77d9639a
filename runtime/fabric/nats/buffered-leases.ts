// Leases of the daemon, which does not wait for an absent broker: it keeps what it puts, in order, and sends it later. Otherwise the daemon
// could neither batch nor report what has already arrived.

import type { LeaseCount, LeaseQueue, WorkLease } from '../../lease/lease.ts';
import type { Broker } from './broker.ts';

/** Puts beyond it wait for the broker, so that a long absence does not fill the memory. */
const MAX_UNSENT = 1000;

export interface BufferedLeasesOptions<T> {
  /** The channel. Reports contain it. */
  readonly name: string;
  readonly leases: LeaseQueue<T>;
  /** The ids of all work that the broker has. */
  readonly open: () => Promise<ReadonlySet<string>>;
  readonly broker: Pick<Broker, 'over' | 'report' | 'unlessAway'>;
}

export class BufferedLeases<T> implements LeaseQueue<T> {
  readonly #name: string;
  readonly #leases: LeaseQueue<T>;
  readonly #open: BufferedLeasesOptions<T>['open'];
  readonly #broker: BufferedLeasesOptions<T>['broker'];
  /** Work that the broker has confirmed, until it is forgotten. */
  readonly #sent = new Map<string, T>();
  #sending: Promise<unknown> = Promise.resolve();
  #unsent = 0;
  /** As the broker counted last. */
  #counted: LeaseCount = { waiting: 0, leased: 0 };

  constructor({ name, leases, open, broker }: BufferedLeasesOptions<T>) {
    this.#name = name;
    this.#leases = leases;
    this.#open = open;
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
      .then(() => void this.#sent.set(id, work))
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

  claim(signal?: AbortSignal): Promise<WorkLease<T>> {
    return this.#leases.claim(signal);
  }

  tryClaim(): Promise<WorkLease<T> | undefined> {
    return this.#leases.tryClaim();
  }

  /** The work that has left the broker, by its id: its holder completed it, or the broker lost it. The same again until it is forgotten. */
  async completed(): Promise<readonly (readonly [id: string, work: T])[]> {
    const sent = [...this.#sent];
    const open = await this.#broker.unlessAway(this.#open);
    return open === undefined ? [] : sent.filter(([id]) => !open.has(id));
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) this.#sent.delete(id);
  }

  async count(): Promise<LeaseCount> {
    this.#counted = (await this.#broker.unlessAway(() => this.#leases.count())) ?? this.#counted;
    const { waiting, leased } = this.#counted;
    return { waiting: waiting + this.#unsent, leased };
  }
}
