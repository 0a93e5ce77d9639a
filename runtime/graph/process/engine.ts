// The caller's side of an engine process: starts it, and offers the same Session as the process itself has. A native
// crash ends the child only; calls that were under way are rejected with an error that says so.

import { type ChildProcess, fork } from 'node:child_process';
import type { Program } from '../program.ts';
import type { RuntimeKind } from '../runtime.ts';
import type { Session } from '../session.ts';
import type { Call, Calls, Reply } from './messages.ts';

export interface Engine {
  readonly runtime: RuntimeKind;
  readonly version: string;
  /** The operating system's number of the process. */
  readonly pid: number;
  open(program: Program): Promise<Session>;
  close(): Promise<void>;
}

export interface EngineOptions {
  /** The bundled process/child.ts. */
  readonly entry: URL;
  /** 'any' takes the native runtime where it loads, else WebAssembly. */
  readonly runtime?: RuntimeKind | 'any';
}

/** What went wrong inside the engine; `name` is that of the original error. */
export class EngineError extends Error {
  override readonly name: string;
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

export async function startEngine({ entry, runtime = 'any' }: EngineOptions): Promise<Engine> {
  const child = fork(entry, [runtime], { serialization: 'advanced', execArgv: [] });
  const line = new Line(child);
  const ready = await line.ready;
  return {
    runtime: ready.runtime,
    version: ready.version,
    pid: child.pid ?? 0,
    open: async program => remoteSession(line, await line.call('open', { program })),
    close: () => line.hangUp(),
  };
}

const remoteSession = (line: Line, session: number): Session => ({
  run: feeds => line.call('run', { session, feeds }),
  read: () => line.call('read', { session }),
  write: state => line.call('write', { session, state }),
  close: () => line.call('close', { session }),
});

type Ready = Extract<Reply, { kind: 'ready' }>;

interface Waiting {
  readonly resolve: (gives: never) => void;
  readonly reject: (error: Error) => void;
}

/** The connection to one child: matches replies to calls, and rejects what is left when the child is gone. */
class Line {
  readonly ready: Promise<Ready>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #calls = 0;
  #gone: Error | undefined;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.ready = new Promise((resolve, reject) => {
      child.on('message', (reply: Reply) => {
        if (reply.kind === 'ready') resolve(reply);
        else if (reply.kind === 'unfit')
          reject(new EngineError('EngineError', `ONNX Runtime does not load: ${reply.message}`));
        else this.#settle(reply);
      });
      child.once('error', error =>
        reject(new EngineError('EngineError', `The engine does not start: ${error.message}`)),
      );
      child.once('exit', () =>
        reject(new EngineError('EngineError', 'The engine ended before it was ready.')),
      );
    });
    this.#ended = new Promise(resolve => {
      child.once('exit', (code, signal) => {
        this.#gone = new EngineError(
          'EngineEnded',
          `The engine process ended (${signal ?? `exit code ${code}`}).`,
        );
        for (const { reject } of this.#waiting.values()) reject(this.#gone);
        this.#waiting.clear();
        resolve();
      });
    });
  }

  call<C extends Call>(call: C, takes: Calls[C]['takes']): Promise<Calls[C]['gives']> {
    return new Promise((resolve, reject) => {
      if (this.#gone !== undefined) {
        reject(this.#gone);
        return;
      }
      this.#calls += 1;
      const id = this.#calls;
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, call, takes }, error => {
        if (error === null || !this.#waiting.delete(id)) return;
        reject(
          new EngineError('EngineEnded', `The engine process takes no calls any more: ${error.message}`),
        );
      });
    });
  }

  #settle(reply: Exclude<Reply, { kind: 'ready' | 'unfit' }>): void {
    const waiting = this.#waiting.get(reply.id);
    if (waiting === undefined) return;
    this.#waiting.delete(reply.id);
    if (reply.kind === 'result') waiting.resolve(reply.gives as never);
    else waiting.reject(new EngineError(reply.name, reply.message));
  }

  /** Ends the child, which has nothing to save, and waits until it is gone; calls under way are rejected. */
  async hangUp(): Promise<void> {
    this.#child.kill();
    await this.#ended;
  }
}
