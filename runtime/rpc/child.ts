// The parent's side of a child process: starts it, gives it ports, and ends it together with the processes that it started.

import { type ChildProcess, fork } from 'node:child_process';
import { childPort } from './child-port.ts';
import { DEBUG_VARIABLE, isDebugged } from './debugging.ts';
import { childFlags, NO_CONSOLE_WINDOW } from './heap-flags.ts';
import type { CallTable } from './messages.ts';
import { OwnedClient, type OwnedClientOptions, type Peer } from './owned-client.ts';
import type { Port } from './port.ts';

export const CALLS_PORT = 'calls';
/** A child reports the processes that it starts: nobody else can end one that is stopped when the child is killed. */
const DESCENDANTS_PORT = 'descendants';

/** The environment variable with the process id of a parent that listens to such reports. */
const PARENT = 'DARTBOARD_PARENT';

interface Descendant {
  readonly pid: number;
  readonly isAlive: boolean;
}

export interface ChildOptions {
  /** For messages, such as 'policy worker'. */
  readonly name: string;
  /** The bundled entry. */
  readonly entry: URL;
  readonly args?: readonly string[];
  /** How many items wait in the process at a time; sizes its heap. */
  readonly waiting?: number;
}

/** glibc keeps memory per thread and returns little of it. One arena takes a fifth less memory. */
const LEAN_ENVIRONMENT = { MALLOC_ARENA_MAX: '1' };

export interface ChildEnd {
  /** It exited by itself with code 0. */
  readonly isClean: boolean;
  /** A sentence that names the child and its exit code, its signal or the reason for which it was killed. */
  readonly message: string;
}

export class Child {
  /** Resolves once everything that it sent has arrived. Never rejects. */
  readonly ended: Promise<ChildEnd>;
  readonly #process: ChildProcess;
  readonly #label: string;
  readonly #descendants = new Set<number>();
  #killedFor: string | undefined;

  private constructor(child: ChildProcess, label: string) {
    this.#process = child;
    this.#label = label;
    this.ended = new Promise(resolve => {
      const end = (how: string, isClean = false) =>
        resolve({ isClean, message: this.#killedFor ?? `${this.name} ended with ${how}.` });
      child.once('exit', (code, signal) => {
        const ended = () => end(signal ?? `exit code ${code}`, code === 0);
        // Its last messages may arrive after its exit. ('close' does not occur when this side disconnected.)
        if (child.connected) child.once('disconnect', ended);
        else ended();
      });
      // A process that did not start never closes.
      child.on('error', error => {
        if (child.pid === undefined) end(error.message);
      });
    });
    this.port(DESCENDANTS_PORT).receive(message => {
      const { pid, isAlive } = message as Descendant;
      if (isAlive) this.#descendants.add(pid);
      else this.#descendants.delete(pid);
    });
    reportToParent(this.pid, true);
    void this.ended.then(() => {
      for (const pid of this.#descendants) killProcess(pid);
      reportToParent(this.pid, false);
    });
  }

  static start({ name, entry, args = [], waiting }: ChildOptions): Child {
    const child = fork(entry, args, {
      ...NO_CONSOLE_WINDOW,
      serialization: 'advanced',
      execArgv: [...childFlags(waiting)],
      env: {
        ...{ ...process.env, ...LEAN_ENVIRONMENT, [PARENT]: String(process.pid) },
        ...(isDebugged() && { [DEBUG_VARIABLE]: '1' }),
      },
    });
    return new Child(child, name);
  }

  get name(): string {
    return `The ${this.#label} (process ${this.pid})`;
  }

  /** 0 when it did not start. */
  get pid(): number {
    return this.#process.pid ?? 0;
  }

  port(name: string): Port {
    return childPort(this.#process, name);
  }

  /** A child ends by itself when it is disconnected. */
  disconnect(): void {
    if (this.#process.connected) this.#process.disconnect();
  }

  /** SIGKILL: a stopped process ignores every other signal. The first reason becomes the sentence of `ended`. */
  kill(reason?: string): void {
    this.#killedFor ??= reason;
    this.#process.kill('SIGKILL');
  }
}

/** Starts a child that calls `serveChild`, and waits until it is ready. */
export async function openChild<T extends CallTable, About>(
  options: ChildOptions & OwnedClientOptions,
): Promise<{
  readonly client: OwnedClient<T>;
  readonly about: About;
  readonly pid: number;
  readonly ended: Promise<ChildEnd>;
}> {
  const child = Child.start(options);
  const calls = child.port(CALLS_PORT);
  const peer: Peer = {
    name: child.name,
    // Reports how the process ended, and not only that its channel closed.
    port: { ...calls, closed: handler => void child.ended.then(({ message }) => handler(message)) },
    ended: child.ended,
    disconnect: () => child.disconnect(),
    kill: reason => child.kill(reason),
  };
  return { ...(await OwnedClient.open<T, About>(peer, options)), pid: child.pid, ended: child.ended };
}

function reportToParent(pid: number, isAlive: boolean): void {
  // Another program may have started this one with a channel of its own.
  if (pid === 0 || process.env[PARENT] !== String(process.ppid)) return;
  const message: Descendant = { pid, isAlive };
  childPort(process, DESCENDANTS_PORT).send(message);
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile, as it should when its parent is gone.
  }
}
