// One lease over NATS: it writes the record of its work, from the revision of its own last write.

import { LeaseLost, type WorkLease } from '../lease.ts';
import type { Calls } from './calls.ts';
import type { LeaseRecord, LeaseRecords, LeaseState } from './records.ts';

export interface NatsLeaseParts {
  readonly id: string;
  readonly work: Uint8Array;
  readonly record: LeaseRecord;
  readonly revision: number;
  readonly records: LeaseRecords;
  readonly calls: Calls;
  /** The message with the work. A notice that gets lost costs time: the server then sends the work again after `ttlMs`. */
  readonly delivery: Delivery;
}

export interface Delivery {
  /** Starts the time of the server anew. */
  working(): void;
  /** Removes the work from the stream. */
  remove(): Promise<void>;
  /** Makes the server send the work again, after so many milliseconds. */
  return(afterMs: number): Promise<void>;
}

export class NatsLease implements WorkLease<Uint8Array> {
  readonly #parts: NatsLeaseParts;
  #state: LeaseState = 'leased';
  #revision: number;

  constructor(parts: NatsLeaseParts) {
    this.#parts = parts;
    this.#revision = parts.revision;
  }

  get id(): string {
    return this.#parts.id;
  }

  get work(): Uint8Array {
    return this.#parts.work;
  }

  get attempt(): number {
    return this.#parts.record.attempt;
  }

  get untouched(): number {
    return this.#parts.record.untouched;
  }

  async heartbeat(): Promise<void> {
    await this.#write('leased');
    this.#parts.delivery.working();
  }

  async complete(): Promise<void> {
    if (this.#state === 'completed') return;
    await this.#write('completed');
    await this.#parts.delivery.remove();
  }

  async fail(how?: 'untouched'): Promise<void> {
    if (this.#state === 'returned') return;
    await this.#write('returned', how);
    await this.#parts.delivery.return(0);
  }

  async #write(state: LeaseState, how?: 'untouched'): Promise<void> {
    const { id, record, records, calls } = this.#parts;
    const untouched = record.untouched + Number(how === 'untouched');
    await calls.repeat(async () => {
      while (this.#state === 'leased') {
        const revision = await records.write(id, { ...record, state, untouched }, this.#revision);
        if (revision !== undefined) return this.#note(state, revision);
        const found = await records.read(id);
        if (found?.record.claim !== record.claim) throw this.#lost();
        // Written by another call of this lease, or by an earlier try whose reply was lost.
        this.#note(found.record.state, found.revision);
      }
      if (this.#state !== state) throw this.#lost();
    });
  }

  /** Replies of calls that overlap may arrive in any order. */
  #note(state: LeaseState, revision: number): void {
    if (revision < this.#revision) return;
    this.#state = state;
    this.#revision = revision;
  }

  #lost(): LeaseLost {
    return new LeaseLost(this.id, this.attempt);
  }
}
