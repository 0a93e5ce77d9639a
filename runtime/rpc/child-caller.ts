// The caller's side of a child process: starts it, matches replies to calls, and rejects what is left when the child
// is gone. A native crash ends the child only.

import { type ChildProcess, fork } from 'node:child_process';
import type { CallTable, Reply, Request } from './calls.ts';
import { childFlags, UNSEEN } from './heap-flags.ts';

/** What went wrong in or with a child; an error from inside keeps its name. */
export class ChildError extends Error {
  override readonly name: string;
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** Milliseconds: a child that has something to give back has less. */
const PATIENCE = 12_000;

interface Waiting {
  readonly resolve: (gives: never) => void;
  readonly reject: (error: Error) => void;
}

export class Caller<T extends CallTable, About> {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ready: Promise<About>;
  readonly #ended: Promise<void>;
  #calls = 0;
  #gone: ChildError | undefined;

  private constructor(entry: URL, args: readonly string[], waiting: number | undefined) {
    this.#child = fork(entry, args, {
      ...UNSEEN,
      ...{ serialization: 'advanced', execArgv: [...childFlags(waiting)] },
    });
    this.#ready = new Promise((resolve, reject) => {
      const fail = (message: string) => reject(new ChildError('ChildError', message));
      this.#child.on('message', (reply: Reply) => {
        if (reply.kind === 'ready') resolve(reply.about as About);
        else if (reply.kind === 'unfit') fail(`The child process is unfit: ${reply.message}`);
        else this.#settle(reply);
      });
      this.#child.on('error', error => fail(`The child process does not start: ${error.message}`));
      this.#child.once('exit', () => fail(`The child process ${entry.pathname} ended before it was ready.`));
    });
    this.#ended = new Promise(resolve => {
      const end = (how: string): void => {
        this.#gone = new ChildError('ChildEnded', `The child process ended (${how}).`);
        for (const { reject } of this.#waiting.values()) reject(this.#gone);
        this.#waiting.clear();
        resolve();
      };
      this.#child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
      // What never started never exits.
      this.#child.on('error', error => {
        if (this.#child.pid === undefined) end(error.message);
      });
    });
  }

  /** Starts a child and waits until it is ready. Its heap is for so many things that wait in it, see collecting.ts. */
  static async open<T extends CallTable, About>(
    entry: URL,
    args: readonly string[] = [],
    waiting?: number,
  ): Promise<{ readonly caller: Caller<T, About>; readonly about: About }> {
    const caller = new Caller<T, About>(entry, args, waiting);
    try {
      return { caller, about: await caller.#ready };
    } catch (error) {
      await caller.close();
      throw error;
    }
  }

  /** The operating system's number of the process. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  call<C extends keyof T & string>(call: C, takes: T[C]['takes']): Promise<T[C]['gives']> {
    return new Promise((resolve, reject) => {
      if (this.#gone !== undefined) {
        reject(this.#gone);
        return;
      }
      this.#calls += 1;
      const id = this.#calls;
      this.#waiting.set(id, { resolve, reject });
      const request: Request = { id, call, takes };
      this.#child.send(request, error => {
        if (error === null || !this.#waiting.delete(id)) return;
        reject(new ChildError('ChildEnded', `The child process takes no calls any more: ${error.message}`));
      });
    });
  }

  #settle(reply: Exclude<Reply, { kind: 'ready' | 'unfit' }>): void {
    const waiting = this.#waiting.get(reply.id);
    if (waiting === undefined) return;
    this.#waiting.delete(reply.id);
    if (reply.kind === 'result') waiting.resolve(reply.gives as never);
    else waiting.reject(new ChildError(reply.name, reply.message));
  }

  /** Ends the child as soon as it listens, and waits until it is gone; calls under way are rejected. */
  async close(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    const late = setTimeout(() => this.#child.kill('SIGKILL'), PATIENCE);
    await this.#ended;
    clearTimeout(late);
  }
}
