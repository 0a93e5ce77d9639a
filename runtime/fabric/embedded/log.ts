import { closedError, type Log, type Numbered } from '../channels.ts';
import { Bell } from './bell.ts';

export class EmbeddedLog<T> implements Log<T> {
  readonly #name: string;
  readonly #entries: T[] = [];
  readonly #grown = new Bell();
  #closed = false;

  constructor(name: string) {
    this.#name = name;
  }

  async append(entry: T): Promise<number> {
    if (this.#closed) throw closedError(this.#name);
    this.#entries.push(entry);
    this.#grown.ring();
    return this.#entries.length - 1;
  }

  async *read(from: number, signal?: AbortSignal): AsyncGenerator<Numbered<T>> {
    for (let number = from; !signal?.aborted; ) {
      if (number < this.#entries.length) {
        yield { number, entry: this.#entries[number] as T };
        number += 1;
      } else if (this.#closed) return;
      else await this.#grown.next(signal);
    }
  }

  close(): void {
    this.#closed = true;
    this.#grown.ring();
  }
}
