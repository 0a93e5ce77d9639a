// A clock for tests: time passes only in `run`, and jumps from one event to the next. Hours of a run pass in seconds, reproducibly.

import type { Clock } from './clock.ts';

interface Sleeper {
  readonly at: number;
  /** Who lay down first gets up first, of those who get up at the same time. */
  readonly number: number;
  readonly wake: () => void;
  isGone: boolean;
}

export class VirtualClock implements Clock {
  /** A heap: none gets up before its parent. */
  readonly #sleepers: Sleeper[] = [];
  #now: number;
  #numbers = 0;

  constructor(start = 0) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        sleeper.isGone = true;
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        at: this.#now + Math.max(0, milliseconds),
        number: this.#numbers++,
        wake: () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
        isGone: false,
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#add(sleeper);
    });
  }

  /** Lets time pass up to a moment, or until nobody sleeps any more. What is awake acts before the next one gets up. */
  async run(until = Number.POSITIVE_INFINITY): Promise<void> {
    await othersAct();
    for (let next = this.#sleepers[0]; next !== undefined && next.at <= until; next = this.#sleepers[0]) {
      this.#removeFirst();
      if (next.isGone) continue;
      this.#now = next.at;
      next.wake();
      await othersAct();
    }
    if (Number.isFinite(until)) this.#now = Math.max(this.#now, until);
  }

  #add(sleeper: Sleeper): void {
    const heap = this.#sleepers;
    let place = heap.push(sleeper) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(sleeper, heap[parent])) break;
      this.#swap(place, parent);
      place = parent;
    }
  }

  #removeFirst(): void {
    const heap = this.#sleepers;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    for (let place = 0; ; ) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      const child = isBefore(heap[right], heap[left]) ? right : left;
      if (!isBefore(heap[child], heap[place])) return;
      this.#swap(place, child);
      place = child;
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#sleepers;
    const [one, other] = [heap[a], heap[b]];
    if (one === undefined || other === undefined) return;
    heap[a] = other;
    heap[b] = one;
  }
}

/** Of places beyond the heap's end nothing is before anything. */
const isBefore = (one: Sleeper | undefined, other: Sleeper | undefined): boolean =>
  one !== undefined &&
  (other === undefined || one.at < other.at || (one.at === other.at && one.number < other.number));

/** Promises that are settled are acted upon, by whoever waits for them and whoever waits for those, before this is. */
const othersAct = () => new Promise<void>(resolve => setImmediate(resolve));
