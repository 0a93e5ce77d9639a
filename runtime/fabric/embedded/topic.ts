import type { Heard, Topic } from '../channels.ts';
import { Bell } from './bell.ts';

/** Enough for a second of a busy run. */
const MAX_UNREAD_EVENTS = 1000;

interface Listener<T> {
  readonly maxUnread: number;
  readonly unread: T[];
  readonly bell: Bell;
  missed: number;
}

export class EmbeddedTopic<T> implements Topic<T> {
  readonly #listeners = new Set<Listener<T>>();
  #closed = false;

  publish(event: T): void {
    for (const listener of this.#listeners) {
      listener.unread.push(event);
      if (listener.unread.length > listener.maxUnread) {
        listener.unread.shift();
        listener.missed += 1;
      }
      listener.bell.ring();
    }
  }

  listen({
    maxUnread = MAX_UNREAD_EVENTS,
    signal,
  }: {
    readonly maxUnread?: number;
    readonly signal?: AbortSignal;
  } = {}) {
    // The listener exists from this call on, before the first event is requested.
    const listener: Listener<T> = { maxUnread, unread: [], bell: new Bell(), missed: 0 };
    this.#listeners.add(listener);
    signal?.addEventListener('abort', () => this.#listeners.delete(listener), { once: true });
    return this.#heard(listener, signal);
  }

  async *#heard(listener: Listener<T>, signal: AbortSignal | undefined): AsyncGenerator<Heard<T>> {
    try {
      while (!signal?.aborted) {
        const event = listener.unread.shift();
        if (event !== undefined) {
          const { missed } = listener;
          listener.missed = 0;
          yield { event, missed };
        } else if (this.#closed) return;
        else await listener.bell.next(signal);
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }

  close(): void {
    this.#closed = true;
    for (const { bell } of this.#listeners) bell.ring();
  }
}
