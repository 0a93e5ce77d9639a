import type { Register } from '../channels.ts';
import { Bell } from './bell.ts';
import { closedError } from './closed-error.ts';

export class EmbeddedRegister<T> implements Register<T> {
  readonly #name: string;
  readonly #changed = new Bell();
  #value: T | undefined;
  /** How many values there were. */
  #count = 0;
  #closed = false;

  constructor(name: string) {
    this.#name = name;
  }

  async set(value: T): Promise<void> {
    if (this.#closed) throw closedError(this.#name);
    this.#value = value;
    this.#count += 1;
    this.#changed.ring();
  }

  async get(): Promise<T | undefined> {
    return this.#value;
  }

  async *watch(signal?: AbortSignal): AsyncGenerator<T> {
    for (let seen = 0; !this.#closed && !signal?.aborted; ) {
      if (this.#count === seen) await this.#changed.next(signal);
      else {
        seen = this.#count;
        yield this.#value as T;
      }
    }
  }

  close(): void {
    this.#closed = true;
    this.#changed.ring();
  }
}
