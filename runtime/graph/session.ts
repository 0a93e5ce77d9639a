// Runs a program and keeps its state between runs. If the runtime can write in place, the graph overwrites the state during the run:
// all readers of old weights precede the optimiser, which is elementwise. A rejected step writes the old numbers back.

import type { ProcessorTime } from '../core/processor-time.ts';
import { checkFeeds } from './feeds.ts';
import type { Program } from './program.ts';
import { release } from './release.ts';
import type { InferenceSession, OrtTensor, Runtime } from './runtime.ts';
import { type Tensor, type TensorData, type Tensors, whatIsWrong, zeros } from './tensor.ts';

/** A loaded program, in this process or in a child. */
export interface Session {
  run(feeds: Tensors): Promise<Tensors>;
  /** Returns a copy of the state, or of the named parts. */
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

/** Wraps a session: `time` measures the processor time of its runs, including tensor copies. */
export const timedSession = (session: Session, time: ProcessorTime): Session => ({
  run: feeds => time.during(() => session.run(feeds)),
  read: names => session.read(names),
  write: state => session.write(state),
  close: () => session.close(),
});

class LocalSession implements Session {
  readonly #runtime: Runtime;
  readonly #program: Program;
  readonly #session: InferenceSession;
  readonly #state: Record<string, OrtTensor> = {};
  /** True after a failed run, which may have written only part of the state. */
  #torn = false;
  /** The last queued call: calls share the state, so they run sequentially. */
  #queue: Promise<unknown> = Promise.resolve();

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
    const done = this.#queue.then(work);
    // The caller handles the error of `done`; the queue only waits for its end.
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #run(feeds: Tensors): Promise<Tensors> {
    checkFeeds(this.#program, feeds);
    this.#assertWhole();
    const inputs = { ...this.#state };
    for (const { name } of this.#program.state) {
      if (inputs[name] === undefined)
        throw new SessionError(`The state '${name}' was never written. Write it before the first run.`);
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

  /** Frees the copies that the runtime returns in addition to writing in place: megabytes per run. */
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
    this.#assertWhole();
    const copies = names.flatMap(name => {
      const { dtype, dims } = this.#specOf(name);
      const current = this.#state[name];
      return current === undefined
        ? []
        : [[name, { dtype, dims, data: (current.data as TensorData).slice() }] as const];
    });
    return Object.fromEntries(copies);
  }

  /** Validates all tensors before it writes any. */
  #write(state: Tensors): void {
    const checked = Object.entries(state).map(([name, value]) => [name, this.#checked(name, value)] as const);
    for (const [name, { dtype, dims, data }] of checked) {
      const current = this.#state[name]?.data;
      if (current === undefined) this.#state[name] = this.#toOrt({ dtype, dims, data: data.slice() });
      // Reuses the existing memory: weights are megabytes and may be swapped many times per second. Both arrays have the same type.
      else (current as Float32Array).set(data as Float32Array);
    }
    if (this.#program.state.every(({ name }) => Object.hasOwn(state, name))) this.#torn = false;
  }

  #assertWhole(): void {
    if (!this.#torn) return;
    throw new SessionError(
      'A run failed and may have written only part of the state. Write the whole state before the next call.',
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
