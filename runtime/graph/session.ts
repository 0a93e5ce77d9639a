// Runs a program, and keeps its state between runs. State is overwritten while the graph runs where the runtime can do
// that: every reader of old weights stands before the optimiser, and the optimiser itself is elementwise. A refused
// step writes the old numbers back, so it changes nothing.

import { checkFeeds } from './feeds.ts';
import type { Program } from './program.ts';
import { release } from './release.ts';
import type { InferenceSession, OrtTensor, Runtime } from './runtime.ts';
import { type Tensor, type TensorData, type Tensors, whatIsWrong, zeros } from './tensor.ts';

/** One program, wherever it runs: in this process or in a child. */
export interface Session {
  run(feeds: Tensors): Promise<Tensors>;
  /** A copy of the state, or of some of it by name. */
  read(names?: readonly string[]): Promise<Tensors>;
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
  /** A run that threw may have written some of the state and not the rest. */
  #torn = false;
  /** What was asked for before: runs share their state, so they go one after another. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(runtime: Runtime, program: Program, session: InferenceSession) {
    this.#runtime = runtime;
    this.#program = program;
    this.#session = session;
    for (const spec of program.state) {
      if (spec.startsAsZeros) this.#state[spec.name] = this.#toOrt(zeros(spec.dtype, spec.dims));
    }
  }

  run(feeds: Tensors): Promise<Tensors> {
    return this.#inTurn(() => this.#run(feeds));
  }

  read(names?: readonly string[]): Promise<Tensors> {
    return this.#inTurn(async () => this.#read(names));
  }

  write(state: Tensors): Promise<void> {
    return this.#inTurn(async () => this.#write(state));
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#session.release());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#before.then(work);
    this.#before = done.catch(() => undefined);
    return done;
  }

  async #run(feeds: Tensors): Promise<Tensors> {
    checkFeeds(this.#program, feeds);
    this.#refuseTorn();
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
    this.#torn = this.#runtime.writesInPlace && this.#program.state.some(({ next }) => next !== undefined);
    const results = await this.#session.run(inputs, fetches);
    this.#torn = false;
    if (this.#runtime.writesInPlace) this.#drop(results);
    else this.#keep(results);
    return this.#outputsOf(results);
  }

  #keep(results: InferenceSession.ReturnType): void {
    for (const { name, next } of this.#program.state) {
      const updated = next === undefined ? undefined : results[next];
      if (updated !== undefined) this.#state[name] = updated;
    }
  }

  /** What was written in place is given back as a copy as well, which nobody needs: megabytes with each run. */
  #drop(results: InferenceSession.ReturnType): void {
    const copies = this.#program.state.flatMap(({ name, next }) => {
      const copy = next === undefined ? undefined : (results[next]?.data as TensorData | undefined);
      return copy === undefined || copy === this.#state[name]?.data ? [] : [copy];
    });
    release(...copies);
  }

  #outputsOf(results: InferenceSession.ReturnType): Tensors {
    const outputs: Record<string, Tensor> = {};
    for (const { name, dtype } of this.#program.outputs) {
      const result = results[name];
      if (result === undefined) throw new SessionError(`The runtime gave no output '${name}'.`);
      outputs[name] = { dtype, dims: result.dims, data: result.data as TensorData };
    }
    return outputs;
  }

  #read(names: readonly string[] = this.#program.state.map(({ name }) => name)): Tensors {
    this.#refuseTorn();
    const copies = names.flatMap(name => {
      const { dtype, dims } = this.#specOf(name);
      const held = this.#state[name];
      return held === undefined
        ? []
        : [[name, { dtype, dims, data: (held.data as TensorData).slice() }] as const];
    });
    return Object.fromEntries(copies);
  }

  /** All of it is checked before any of it is taken. */
  #write(state: Tensors): void {
    const checked = Object.entries(state).map(([name, value]) => [name, this.#checked(name, value)] as const);
    for (const [name, { dtype, dims, data }] of checked) {
      const held = this.#state[name]?.data;
      if (held === undefined) this.#state[name] = this.#toOrt({ dtype, dims, data: data.slice() });
      // Megabytes, many times a second where policies take turns: the memory that is there serves all of them. Both are of one type.
      else (held as Float32Array).set(data as Float32Array);
    }
    if (this.#program.state.every(({ name }) => Object.hasOwn(state, name))) this.#torn = false;
  }

  #refuseTorn(): void {
    if (!this.#torn) return;
    throw new SessionError(
      'A run failed half-way, and may have left the state half written: write all of it anew.',
    );
  }

  #checked(name: string, value: Tensor): Tensor {
    const spec = this.#specOf(name);
    const fits = value.dtype === spec.dtype && value.dims.join() === spec.dims.join();
    const wrong = whatIsWrong(value.dtype, value.dims, value.data);
    if (fits && wrong === undefined) return value;
    throw new SessionError(
      `The state '${name}' is ${spec.dtype} [${spec.dims}]; ${value.dtype} [${value.dims}] was given` +
        `${wrong === undefined ? '' : `, and ${wrong}`}.`,
    );
  }

  #specOf(name: string): Program['state'][number] {
    const spec = this.#program.state.find(each => each.name === name);
    if (spec !== undefined) return spec;
    const names = this.#program.state.map(each => each.name).join(', ');
    throw new SessionError(`The program has no state '${name}'; it has ${names}.`);
  }

  #toOrt({ dtype, dims, data }: Tensor): OrtTensor {
    return new this.#runtime.Tensor(dtype, data as never, dims);
  }
}
