import { setMaxListeners } from 'node:events';
import {
  ChannelClosed,
  closedError,
  type Depth,
  type Taken,
  type Taker,
  type WorkQueue,
} from '../channels.ts';
import { Line } from '../line.ts';

interface Item<T> {
  readonly number: number;
  readonly value: T;
  attempts: number;
  untouched: number;
}

export class EmbeddedQueue<T> implements WorkQueue<T> {
  readonly #name: string;
  /** Ordered by number, so that returned items get their old position. */
  readonly #items: Item<T>[] = [];
  /** Takers wait only while there are no items. */
  readonly #line = new Line<Item<T>>();
  #numbers = 0;
  #taken = 0;
  #closed = false;

  /** Errors contain the name. */
  constructor(name: string) {
    this.#name = name;
  }

  async put(value: T): Promise<void> {
    this.#refuseClosed();
    this.#offer({ number: this.#numbers++, value, attempts: 0, untouched: 0 });
  }

  taker(): Taker<T> {
    return new QueueTaker(this, this.#name);
  }

  async depth(): Promise<Depth> {
    return { waiting: this.#items.length, taken: this.#taken };
  }

  /** Rejects waiting takers and all later calls. */
  close(): void {
    this.#closed = true;
    this.#line.refuse(closedError(this.#name));
  }

  /** The methods from here on are for takers. */
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
    // A new item is the last one; a returned item is among the first.
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
  readonly #taken = new Set<Item<T>>();
  readonly #gone = new AbortController();

  constructor(queue: EmbeddedQueue<T>, name: string) {
    this.#queue = queue;
    this.#name = name;
    // Any number of takes may wait at a time.
    setMaxListeners(0, this.#gone.signal);
  }

  async take(signal?: AbortSignal): Promise<Taken<T>> {
    signal?.throwIfAborted();
    this.#gone.signal.throwIfAborted();
    // No await between the two: an item that is put in between would be missed.
    const item = this.#queue.next() ?? (await this.#queue.wait(this.#gone.signal, signal));
    if (this.#gone.signal.aborted) {
      // The taker was closed after the queue had served it: nothing else gives this item back.
      this.#queue.back(item);
      throw this.#gone.signal.reason;
    }
    return this.#add(item);
  }

  async tryTake(): Promise<Taken<T> | undefined> {
    this.#gone.signal.throwIfAborted();
    const item = this.#queue.next();
    return item && this.#add(item);
  }

  async close(): Promise<void> {
    this.#gone.abort(
      new ChannelClosed(`A taker of the channel '${this.#name}' was closed while it waited or took.`),
    );
    for (const item of this.#taken) this.#queue.back(item);
    this.#taken.clear();
  }

  #add(item: Item<T>): Taken<T> {
    this.#taken.add(item);
    let isSettled = false;
    // The taker may have taken the item again since it gave it back.
    const settle = (): boolean => {
      const isFirst = !isSettled && this.#taken.delete(item);
      isSettled = true;
      return isFirst;
    };
    return {
      item: item.value,
      attempt: item.attempts,
      untouched: item.untouched,
      acknowledge: async () => {
        if (settle()) this.#queue.done();
      },
      giveBack: async how => {
        if (!settle()) return;
        if (how === 'untouched') item.untouched += 1;
        this.#queue.back(item);
      },
    };
  }
}
