import { ChannelClosed, type Depth, type Taken, type Taker, type WorkQueue } from '../channels.ts';

interface Item<T> {
  readonly number: number;
  readonly value: T;
  attempts: number;
}

interface Waiter<T> {
  readonly taker: QueueTaker<T>;
  readonly got: (item: Item<T>) => void;
  readonly refused: (reason: unknown) => void;
}

export class EmbeddedQueue<T> implements WorkQueue<T> {
  readonly #name: string;
  /** By their numbers, so that what comes back stands where it stood. */
  readonly #items: Item<T>[] = [];
  /** In the order in which they came. Never while there are items. */
  #waiters: Waiter<T>[] = [];
  #numbers = 0;
  #taken = 0;
  #closed = false;

  /** `name` is what errors call it. */
  constructor(name: string) {
    this.#name = name;
  }

  async put(value: T): Promise<void> {
    this.#refuseClosed();
    this.#offer({ number: this.#numbers++, value, attempts: 0 });
  }

  taker(): Taker<T> {
    return new QueueTaker(this, this.#name);
  }

  async depth(): Promise<Depth> {
    return { waiting: this.#items.length, taken: this.#taken };
  }

  /** Who waits is told so, and nothing can be put or taken any more. */
  close(): void {
    this.#closed = true;
    for (const { refused } of this.#waiters.splice(0)) refused(this.#closedError());
  }

  /** What takers use. */
  next(): Item<T> | undefined {
    this.#refuseClosed();
    const item = this.#items.shift();
    if (item !== undefined) this.#hand(item);
    return item;
  }

  wait(waiter: Waiter<T>): void {
    this.#waiters.push(waiter);
  }

  /** Those of a taker, or one of them, wait no more. */
  forget(isMeant: (waiter: Waiter<T>) => boolean, reason: unknown): void {
    const [meant, others] = [this.#waiters.filter(isMeant), this.#waiters.filter(each => !isMeant(each))];
    this.#waiters = others;
    for (const { refused } of meant) refused(reason);
  }

  done(): void {
    this.#taken -= 1;
  }

  back(item: Item<T>): void {
    this.#taken -= 1;
    if (!this.#closed) this.#offer(item);
  }

  #offer(item: Item<T>): void {
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) {
      this.#hand(item);
      waiter.got(item);
      return;
    }
    // Mostly it is the last; what comes back is among the first.
    const place = this.#items.findLastIndex(({ number }) => number < item.number) + 1;
    this.#items.splice(place, 0, item);
  }

  #hand(item: Item<T>): void {
    item.attempts += 1;
    this.#taken += 1;
  }

  #refuseClosed(): void {
    if (this.#closed) throw this.#closedError();
  }

  #closedError(): ChannelClosed {
    return new ChannelClosed(`The channel '${this.#name}' is closed: its run has ended.`);
  }
}

class QueueTaker<T> implements Taker<T> {
  readonly #queue: EmbeddedQueue<T>;
  readonly #name: string;
  readonly #held = new Set<Item<T>>();
  #gone = false;

  constructor(queue: EmbeddedQueue<T>, name: string) {
    this.#queue = queue;
    this.#name = name;
  }

  async take(signal?: AbortSignal): Promise<Taken<T>> {
    signal?.throwIfAborted();
    // Without a pause between looking and waiting: what is put in between would be overlooked.
    const now = this.#takeNow();
    if (now !== undefined) return now;
    return await new Promise<Taken<T>>((resolve, reject) => {
      const waiter: Waiter<T> = {
        taker: this,
        got: item => {
          signal?.removeEventListener('abort', abort);
          resolve(this.#hold(item));
        },
        refused: reason => {
          signal?.removeEventListener('abort', abort);
          reject(reason);
        },
      };
      const abort = () => this.#queue.forget(each => each === waiter, signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      this.#queue.wait(waiter);
    });
  }

  async tryTake(): Promise<Taken<T> | undefined> {
    return this.#takeNow();
  }

  async close(): Promise<void> {
    this.#gone = true;
    this.#queue.forget(({ taker }) => taker === this, this.#goneError());
    for (const item of this.#held) this.#queue.back(item);
    this.#held.clear();
  }

  #takeNow(): Taken<T> | undefined {
    if (this.#gone) throw this.#goneError();
    const item = this.#queue.next();
    return item && this.#hold(item);
  }

  #hold(item: Item<T>): Taken<T> {
    this.#held.add(item);
    return {
      item: item.value,
      attempt: item.attempts,
      acknowledge: async () => {
        if (this.#held.delete(item)) this.#queue.done();
      },
      giveBack: async () => {
        if (this.#held.delete(item)) this.#queue.back(item);
      },
    };
  }

  #goneError(): ChannelClosed {
    return new ChannelClosed(`A taker of the channel '${this.#name}' was closed while it waited or took.`);
  }
}
