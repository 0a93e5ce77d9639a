// Requests that wait for their replies: each reply goes to the request with its id, bytes to the request that they belong to.

import {
  type Message,
  type Method,
  message as messageSchema,
  type Params,
  RESULTS,
} from '../../../runtime/protocol/daemon/messages.ts';
import type { RunState } from '../../../runtime/protocol/daemon/state.ts';
import { type Answer, Refusal } from './link.ts';

interface Waiting {
  readonly needsBytes: boolean;
  readonly resolve: (whole: Whole) => void;
  readonly reject: (error: Error) => void;
  got: Partial<Whole>;
}

interface Whole {
  readonly result: unknown;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Asked {
  readonly id: number;
  readonly method: Method;
  readonly params: Params<Method>;
}

const NO_BYTES = new Uint8Array(0);

export class Calls {
  /** That the daemon said it answers, when it last said hello. */
  #methods: ReadonlySet<string> = new Set();
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  async ask<M extends Method>(
    method: M,
    params: Params<M>,
    send: (asked: Asked) => void,
    needsBytes = false,
  ): Promise<Answer<M>> {
    const id = this.#count++;
    const whole = await new Promise<Whole>((resolve, reject) => {
      this.#waiting.set(id, { needsBytes, resolve, reject, got: {} });
      send({ id, method, params });
    });
    return { result: RESULTS[method].parse(whole.result), bytes: whole.bytes };
  }

  welcomed(methods: readonly string[]): void {
    this.#methods = new Set(methods);
  }

  does(method: Method): boolean {
    return this.#methods.has(method);
  }

  /** A state that was subscribed to is handed back: it answers nobody. */
  heard(value: unknown): RunState | undefined {
    const message: Message = messageSchema.parse(value);
    if ('method' in message) return message.params;
    if ('error' in message) {
      const { code, message: why } = message.error;
      if (message.id === null) throw new Refusal(why, code);
      this.#take(message.id)?.reject(new Refusal(why, code));
    } else this.#complete(message.id, { result: message.result });
    return undefined;
  }

  /** They may come before or after their reply. */
  heardBytes(id: number, bytes: Uint8Array<ArrayBuffer>): void {
    this.#complete(id, { bytes });
  }

  /** Nothing more will be answered. */
  end(why: string): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of all) reject(new Refusal(why));
  }

  #complete(id: number, part: Partial<Whole>): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    waiting.got = { ...waiting.got, ...part };
    const { result, bytes } = waiting.got;
    if (!('result' in waiting.got) || (waiting.needsBytes && bytes === undefined)) return;
    this.#take(id)?.resolve({ result, bytes: bytes ?? NO_BYTES });
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
