// Leases of values, over leases of messages.

import { type LeaseCount, LeaseLost, type LeaseQueue, type WorkLease } from '../../lease/lease.ts';
import type { Broker } from './broker.ts';
import { mayBeRepeated, type ValueCodec } from './codec.ts';

export interface CodedLeasesOptions {
  /** The channel. Reports contain it. */
  readonly name: string;
  readonly leases: LeaseQueue<Uint8Array>;
  readonly codec: ValueCodec;
  readonly broker: Broker;
}

export class CodedLeases<T> implements LeaseQueue<T> {
  readonly #options: CodedLeasesOptions;

  constructor(options: CodedLeasesOptions) {
    this.#options = options;
  }

  get ttlMs(): number {
    return this.#options.leases.ttlMs;
  }

  async put(id: string, work: T): Promise<void> {
    const { leases, codec, broker } = this.#options;
    const { bytes } = await broker.persist(() => codec.encode(work), mayBeRepeated);
    await leases.put(id, bytes);
  }

  async claim(signal?: AbortSignal): Promise<WorkLease<T>> {
    for (;;) {
      const lease = await this.#decoded(await this.#options.leases.claim(signal));
      if (lease !== undefined) return lease;
    }
  }

  async tryClaim(): Promise<WorkLease<T> | undefined> {
    for (;;) {
      const claimed = await this.#options.leases.tryClaim();
      if (claimed === undefined) return undefined;
      const lease = await this.#decoded(claimed);
      if (lease !== undefined) return lease;
    }
  }

  count(): Promise<LeaseCount> {
    return this.#options.leases.count();
  }

  /** Undefined for a message without a readable value. It is removed: nobody can read it. */
  async #decoded(lease: WorkLease<Uint8Array>): Promise<WorkLease<T> | undefined> {
    const { name, codec, broker } = this.#options;
    try {
      const work = (await broker.persist(() => codec.decode(lease.work), mayBeRepeated)) as T;
      const { id, attempt, untouched } = lease;
      return {
        ...{ id, work, attempt, untouched },
        heartbeat: () => lease.heartbeat(),
        complete: () => lease.complete(),
        fail: how => lease.fail(how),
      };
    } catch (error) {
      if (mayBeRepeated(error)) throw error;
      broker.report(`the channel '${name}'`, error);
      await lease.complete().catch(reason => {
        if (!(reason instanceof LeaseLost)) throw reason;
      });
      return undefined;
    }
  }
}
