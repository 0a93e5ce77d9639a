// A work queue whose takers can be stopped from outside, before they take another item: so a host finishes its episodes and leaves, and
// nothing that plays them has to know.

import { linked } from '../core/run-together.ts';
import { closedError, type Depth, type Taken, type Taker, type WorkQueue } from './channels.ts';
import { Bell } from './embedded/bell.ts';
import { Line } from './line.ts';

/** Law: until `drain` it is the queue behind it; then it looks empty. */
export class GatedQueue<T> implements WorkQueue<T> {
  readonly #name: string;
  readonly #queue: WorkQueue<T>;
  readonly #gate = new AbortController();
  /** Items that a taker has or is about to get. */
  #out = 0;
  readonly #changed = new Bell();

  /** `name`: for errors. */
  constructor(name: string, queue: WorkQueue<T>) {
    this.#name = name;
    this.#queue = queue;
  }

  put(item: T): Promise<void> {
    return this.#queue.put(item);
  }

  depth(): Promise<Depth> {
    return this.#queue.depth();
  }

  /** Lets no taker take another item. Resolves when every item is acknowledged or given back. May be called more than once. */
  async drain(): Promise<void> {
    this.#gate.abort();
    while (this.#out > 0) await this.#changed.next();
  }

  taker(): Taker<T> {
    const taker = this.#queue.taker();
    const gate = this.#gate.signal;
    /** Takes behind the closed gate: they wait as at an empty queue. */
    const waiting = new Line<never>();
    const held = new Set<() => void>();
    let isClosed = false;
    const out = (): (() => void) => {
      let isOut = true;
      this.#out += 1;
      const back = () => {
        held.delete(back);
        if (!isOut) return;
        isOut = false;
        this.#out -= 1;
        this.#changed.ring();
      };
      held.add(back);
      return back;
    };
    const counted = async <Found extends Taken<T> | undefined>(
      take: () => Promise<Found>,
    ): Promise<Found | Taken<T>> => {
      const back = out();
      try {
        const taken = await take();
        if (taken !== undefined) return withEnd(taken, back);
        back();
        return taken;
      } catch (error) {
        back();
        throw error;
      }
    };
    return {
      take: async signal => {
        signal?.throwIfAborted();
        if (!gate.aborted) {
          const { over, release } = linked(...(signal === undefined ? [gate] : [signal, gate]));
          try {
            return await counted(() => taker.take(over.signal));
          } catch (error) {
            signal?.throwIfAborted();
            if (!gate.aborted || error !== gate.reason) throw error;
          } finally {
            release();
          }
        }
        if (isClosed) throw closedError(this.#name);
        return waiting.wait(signal);
      },
      tryTake: async () => (gate.aborted ? undefined : counted(() => taker.tryTake())),
      close: async () => {
        isClosed = true;
        waiting.refuse(closedError(this.#name));
        try {
          await taker.close();
        } finally {
          for (const back of held) back();
        }
      },
    };
  }
}

/** Calls `back` once the item is acknowledged or given back, whether the call succeeds or not: the queue then decides who has the item. */
function withEnd<T>(taken: Taken<T>, back: () => void): Taken<T> {
  const then = async (call: Promise<void>) => {
    try {
      await call;
    } finally {
      back();
    }
  };
  return {
    item: taken.item,
    attempt: taken.attempt,
    untouched: taken.untouched,
    acknowledge: () => then(taken.acknowledge()),
    giveBack: how => then(taken.giveBack(how)),
  };
}
