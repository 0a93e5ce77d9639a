// A session that remembers which arrays its state was written from. The same arrays are not written again, which saves a copy of the
// weights between processes.

import type { Session } from '../../graph/session.ts';
import { type Tensors, tensor } from '../../graph/tensor.ts';

/** Parts of the state by name. Compared by identity, so an array must not change after it was passed. */
export type StateArrays = Readonly<Record<string, Float32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>>>;

export class HeldSession {
  readonly #session: Session;
  #held: StateArrays = {};

  constructor(session: Session) {
    this.#session = session;
  }

  /** Makes these arrays the state; the last run may have changed those named in `changed`. */
  async use(state: StateArrays): Promise<void> {
    const held = this.#held;
    const missing = Object.entries(state).filter(([name, data]) => held[name] !== data);
    if (missing.length === 0) return;
    // If the write fails, it is unknown what the session has.
    this.#held = {};
    await this.#session.write(Object.fromEntries(missing.map(([name, data]) => [name, tensorOf(data)])));
    this.#held = { ...held, ...state };
  }

  /** `changes` names the parts of the state that the run replaces. */
  async run(feeds: Tensors, changes: readonly string[] = []): Promise<Tensors> {
    const held = this.#held;
    // A failed run may have written a part of any state.
    this.#held = {};
    const outputs = await this.#session.run(feeds);
    this.#held = Object.fromEntries(Object.entries(held).filter(([name]) => !changes.includes(name)));
    return outputs;
  }

  /** Copies of parts of the state, which `use` then recognises. */
  async read(names: readonly string[]): Promise<Tensors> {
    const state = await this.#session.read(names);
    for (const [name, { data }] of Object.entries(state))
      if (isStateArray(data)) this.#held = { ...this.#held, [name]: data };
    return state;
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}

const isStateArray = (data: unknown): data is StateArrays[string] =>
  (data instanceof Float32Array || data instanceof BigInt64Array) && data.buffer instanceof ArrayBuffer;

const tensorOf = (data: StateArrays[string]) =>
  data instanceof Float32Array
    ? tensor('float32', [data.length], data)
    : tensor('int64', data.length === 1 ? [] : [data.length], data);
