// Runs a program, and keeps its state between runs. State is overwritten while the graph runs where the runtime can do
// that: every reader of old weights stands before the optimiser, and the optimiser itself is elementwise. A refused
// step writes the old numbers back, so it changes nothing.

import { checkFeeds } from './feeds.ts';
import type { Program, StateSpec } from './program.ts';
import type { InferenceSession, OrtTensor, Runtime } from './runtime.ts';
import { type Tensor, type TensorData, type Tensors, whatIsWrong, zeros } from './tensor.ts';

/** One program, wherever it runs: in this process or in a child. */
export interface Session {
  run(feeds: Tensors): Promise<Tensors>;
  /** A copy of the state. */
  read(): Promise<Tensors>;
  /** Replaces some or all of the state between two runs. */
  write(state: Tensors): Promise<void>;
  close(): Promise<void>;
}

export class SessionError extends Error {
  override readonly name = 'SessionError';
}

export async function openSession(runtime: Runtime, program: Program): Promise<Session> {
  return new LocalSession(runtime, program, await runtime.create(program.model));
}

class LocalSession implements Session {
  readonly #runtime: Runtime;
  readonly #program: Program;
  readonly #session: InferenceSession;
  readonly #state: Record<string, OrtTensor> = {};

  constructor(runtime: Runtime, program: Program, session: InferenceSession) {
    this.#runtime = runtime;
    this.#program = program;
    this.#session = session;
    for (const spec of program.state) {
      if (spec.startsAsZeros) this.#state[spec.name] = this.#toOrt(zeros(spec.dtype, spec.dims));
    }
  }

  async run(feeds: Tensors): Promise<Tensors> {
    checkFeeds(this.#program, feeds);
    const inputs = { ...this.#state };
    for (const { name } of this.#program.state) {
      if (inputs[name] === undefined) throw new SessionError(`The state '${name}' was never written.`);
    }
    for (const [name, feed] of Object.entries(feeds)) inputs[name] = this.#toOrt(feed);
    const fetches: Record<string, OrtTensor | null> = {};
    for (const { name } of this.#program.outputs) fetches[name] = null;
    for (const { name, next } of this.#program.state) {
      if (next !== undefined) fetches[next] = this.#runtime.writesInPlace ? (inputs[name] ?? null) : null;
    }
    const results = await this.#session.run(inputs, fetches);
    return this.#taken(results);
  }

  #taken(results: InferenceSession.ReturnType): Tensors {
    for (const { name, next } of this.#program.state) {
      const updated = next === undefined ? undefined : results[next];
      if (updated !== undefined) this.#state[name] = updated;
    }
    const outputs: Record<string, Tensor> = {};
    for (const { name, dtype } of this.#program.outputs) {
      const result = results[name];
      if (result === undefined) throw new SessionError(`The runtime gave no output '${name}'.`);
      outputs[name] = { dtype, dims: result.dims, data: result.data as TensorData };
    }
    return outputs;
  }

  async read(): Promise<Tensors> {
    const copies = this.#program.state.flatMap(({ name, dtype, dims }) => {
      const held = this.#state[name];
      return held === undefined
        ? []
        : [[name, { dtype, dims, data: (held.data as TensorData).slice() }] as const];
    });
    return Object.fromEntries(copies);
  }

  async write(state: Tensors): Promise<void> {
    const checked = Object.entries(state).map(([name, value]) => [name, this.#checked(name, value)] as const);
    for (const [name, { dtype, dims, data }] of checked) {
      this.#state[name] = this.#toOrt({ dtype, dims, data: data.slice() });
    }
  }

  #checked(name: string, value: Tensor): Tensor {
    const spec: StateSpec | undefined = this.#program.state.find(each => each.name === name);
    if (spec === undefined) {
      const names = this.#program.state.map(each => each.name).join(', ');
      throw new SessionError(`The program has no state '${name}'; it has ${names}.`);
    }
    const fits = value.dtype === spec.dtype && value.dims.join() === spec.dims.join();
    const wrong = whatIsWrong(value.dtype, value.dims, value.data);
    if (fits && wrong === undefined) return value;
    throw new SessionError(
      `The state '${name}' is ${spec.dtype} [${spec.dims}]; ${value.dtype} [${value.dims}] was given` +
        `${wrong === undefined ? '' : `, and ${wrong}`}.`,
    );
  }

  async close(): Promise<void> {
    await this.#session.release();
  }

  #toOrt({ dtype, dims, data }: Tensor): OrtTensor {
    return new this.#runtime.Tensor(dtype, data as never, dims);
  }
}
