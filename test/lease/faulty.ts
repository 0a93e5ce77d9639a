// A queue behind a bad connection: calls arrive late and in another order, get lost before or after they are performed, or are performed
// twice, the second time much later.

import type { Clock } from '../../runtime/core/clock.ts';
import type { Random } from '../../runtime/core/rng.ts';
import type { LeaseCount, LeaseQueue, WorkLease } from '../../runtime/lease/lease.ts';
import { CallLost } from './history.ts';

const LOSS = 0.1;
const REPETITION = 0.1;
const MAX_DELAY_MS = 200;

export class FaultyQueue<T> implements LeaseQueue<T> {
  readonly ttlMs: number;
  readonly #queue: LeaseQueue<T>;
  readonly #random: Random;
  readonly #clock: Clock;

  constructor(queue: LeaseQueue<T>, random: Random, clock: Clock) {
    this.ttlMs = queue.ttlMs;
    this.#queue = queue;
    this.#random = random;
    this.#clock = clock;
  }

  put(id: string, work: T): Promise<void> {
    return this.#call(() => this.#queue.put(id, work));
  }

  async claim(signal?: AbortSignal): Promise<WorkLease<T>> {
    return this.#faulty(await this.#call(() => this.#queue.claim(signal)));
  }

  async tryClaim(): Promise<WorkLease<T> | undefined> {
    const lease = await this.#call(() => this.#queue.tryClaim());
    return lease && this.#faulty(lease);
  }

  count(): Promise<LeaseCount> {
    return this.#call(() => this.#queue.count());
  }

  #faulty({ id, work, attempt, untouched, ...lease }: WorkLease<T>): WorkLease<T> {
    return {
      ...{ id, work, attempt, untouched },
      heartbeat: () => this.#call(lease.heartbeat),
      complete: () => this.#call(lease.complete),
      fail: how => this.#call(() => lease.fail(how)),
    };
  }

  async #call<R>(perform: () => Promise<R>): Promise<R> {
    await this.#delay();
    if (this.#random.next() < LOSS) throw new CallLost();
    const result = await perform();
    if (this.#random.next() < REPETITION) void this.#repeatLater(perform);
    await this.#delay();
    if (this.#random.next() < LOSS) throw new CallLost();
    return result;
  }

  async #repeatLater(perform: () => Promise<unknown>): Promise<void> {
    await this.#clock.sleep(this.#random.int(3 * this.ttlMs));
    // Nobody hears the reply.
    await perform().catch(() => undefined);
  }

  #delay(): Promise<void> {
    return this.#clock.sleep(this.#random.int(MAX_DELAY_MS));
  }
}
