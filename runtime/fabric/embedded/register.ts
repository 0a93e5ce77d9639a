import { closedError, type Register } from '../channels.ts';
import { Bell } from './bell.ts';

export class EmbeddedRegister<T> implements Register<T> {
  readonly #name: string;
  readonly #changed = new Bell();
  /** A new object for each value, so that watchers recognise equal values as new. */
  #current: { readonly value: T } | undefined;
  #closed = false;

  constructor(name: string) {
    this.#name = name;
  }

  async set(value: T): Promise<void> {
    if (this.#closed) throw closedError(this.#name);
    this.#current = { value };
    this.#changed.ring();
  }

  async get(): Promise<T | undefined> {
    return this.#current?.value;
  }

  async *watch(signal?: AbortSignal): AsyncGenerator<T> {
    let last: { readonly value: T } | undefined;
    while (!this.#closed && !signal?.aborted) {
      if (this.#current === undefined || this.#current === last) await this.#changed.next(signal);
      else {
        last = this.#current;
        yield last.value;
      }
    }
  }

  close(): void {
    this.#closed = true;
    this.#changed.ring();
  }
}
