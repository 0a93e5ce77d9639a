// The requests to one model of the double, in the order of their numbers.

import { createHash } from 'node:crypto';
import { Refusal } from './served-result.ts';

export class RequestOrder {
  readonly #accepted = new Map<number, { readonly digest: string; readonly future: string }>();
  /** Requests whose predecessors have not arrived. */
  readonly #waiting = new Map<number, () => void>();
  #next = 1;

  /** The future of a request that was accepted before. Throws a refusal if its number belongs to another one. */
  repeated(number: number, body: Buffer): string | undefined {
    const earlier = this.#accepted.get(number);
    if (earlier === undefined) return undefined;
    if (earlier.digest !== digestOf(body))
      throw new Refusal(409, 'Training request sequence number was reused');
    return earlier.future;
  }

  /** Runs it once its predecessors have run. */
  accept(number: number, body: Buffer, future: string, run: () => void): void {
    this.#accepted.set(number, { digest: digestOf(body), future });
    this.#waiting.set(number, run);
    for (let ready = this.#waiting.get(this.#next); ready; ready = this.#waiting.get(this.#next)) {
      this.#waiting.delete(this.#next);
      this.#next += 1;
      ready();
    }
  }
}

const digestOf = (body: Buffer): string => createHash('sha256').update(body).digest('hex');
