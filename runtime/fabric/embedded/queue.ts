import { setMaxListeners } from 'node:events';
import { ChannelClosed, type Depth, type Taken, type Taker, type WorkQueue } from '../channels.ts';
import { Line } from '../line.ts';
import { closedError } from './closed-error.ts';

interface Item<T> {
  readonly number: number;
  readonly value: T;
  attempts: number;
}

export class EmbeddedQueue<T> implements WorkQueue<T> {
  readonly #name: string;
  /** By their numbers, so that what comes back stands where it stood. */
  readonly #items: Item<T>[] = [];
  /** Nobody waits while there are items. */
  readonly #line = new Line<Item<T>>();
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
    this.#line.refuse(closedError(this.#name));
  }

  /** What takers use. */
  next(): Item<T> | undefined {
    this.#refuseClosed();
    const item = this.#items.shift();
    if (item !== undefined) this.#hand(item);
    return item;
  }

  wait(...signals: readonly (AbortSignal | undefined)[]): Promise<Item<T>> {
    return this.#line.wait(...signals);
  }

  done(): void {
    this.#taken -= 1;
  }

  back(item: Item<T>): void {
    this.#taken -= 1;
    if (!this.#closed) this.#offer(item);
  }

  #offer(item: Item<T>): void {
    if (this.#line.serve(item)) {
      this.#hand(item);
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
    if (this.#closed) throw closedError(this.#name);
  }
}

class QueueTaker<T> implements Taker<T> {
  readonly #queue: EmbeddedQueue<T>;
  readonly #name: string;
  readonly #held = new Set<Item<T>>();
  readonly #gone = new AbortController();

  constructor(queue: EmbeddedQueue<T>, name: string) {
    this.#queue = queue;
    this.#name = name;
    // As many takes as one likes may wait at a time.
    setMaxListeners(0, this.#gone.signal);
  }

  async take(signal?: AbortSignal): Promise<Taken<T>> {
    signal?.throwIfAborted();
    this.#gone.signal.throwIfAborted();
    // Without a pause between looking and waiting: what is put in between would be overlooked.
    const item = this.#queue.next() ?? (await this.#queue.wait(this.#gone.signal, signal));
    if (this.#gone.signal.aborted) {
      // It was closed between being served and getting here: what it did not hold yet, nobody else gave back.
      this.#queue.back(item);
      throw this.#gone.signal.reason;
    }
    return this.#hold(item);
  }

  async tryTake(): Promise<Taken<T> | undefined> {
    this.#gone.signal.throwIfAborted();
    const item = this.#queue.next();
    return item && this.#hold(item);
  }

  async close(): Promise<void> {
    this.#gone.abort(
      new ChannelClosed(`A taker of the channel '${this.#name}' was closed while it waited or took.`),
    );
    for (const item of this.#held) this.#queue.back(item);
    this.#held.clear();
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
}
