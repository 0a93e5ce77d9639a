// The daemon's side of a module's process: starts it, serves it the fabric, asks it to stop, and tells when and how it ended.
// Whether it is started again is the ring's to say.

import { type ChildProcess, fork } from 'node:child_process';
import type { Clock } from '../core/clock.ts';
import type { Fabric } from '../fabric/fabric.ts';
import { gathered } from '../fabric/remote/batched-port.ts';
import type { Port } from '../fabric/remote/port.ts';
import { serveFabric } from '../fabric/remote/server.ts';
import { childFlags, UNSEEN } from '../rpc/heap-flags.ts';
import { childPort } from './child-port.ts';
import { FABRIC_PORT, type FromModule, MODULE_PORT, type ToModule } from './module-messages.ts';

export interface ModuleOptions<Start> {
  /** What errors call it. */
  readonly name: string;
  /** The bundled entry, which calls runModule. */
  readonly entry: URL;
  /** Plain data, for its entry. */
  readonly start: Start;
  /** How many things wait in it at the same time; nothing of one that does one long thing after another. */
  readonly waiting?: number;
  readonly fabric: Fabric;
  readonly clock: Clock;
}

export interface End {
  /** By `close`; otherwise it died. */
  readonly wasAsked: boolean;
  /** Which module ended, with which exit code or signal, and what it said about it, in words for a user. */
  readonly message: string;
}

export class ModuleEnded extends Error {
  override readonly name = 'ModuleEnded';
}

/** Linux's allocator keeps memory for each thread apart, and gives little of it back: one store of it takes a fifth less. */
const LEAN = { MALLOC_ARENA_MAX: '1' };

export class ModuleProcess {
  /** Rejects with ModuleEnded when it ends before, and with its own words where it said why. */
  readonly ready: Promise<void>;
  /** Everything that it had said about the fabric is done by then, and what it held is given back. Never rejects. */
  readonly ended: Promise<End>;
  readonly #child: ChildProcess;
  readonly #port: Port;
  readonly #clock: Clock;
  #wasAsked = false;
  #failure: string | undefined;

  private constructor(child: ChildProcess, name: string, clock: Clock) {
    this.#child = child;
    this.#clock = clock;
    this.#port = childPort(child, MODULE_PORT);
    this.ended = new Promise(resolve => {
      const end = (how: string) => {
        const why = this.#failure === undefined ? '.' : `: ${this.#failure}`;
        const message = `The module '${name}' (process ${this.pid}) ended with ${how}${why}`;
        resolve({ wasAsked: this.#wasAsked, message });
      };
      // Not at its exit: the last that it said may arrive after that.
      child.once('close', (code, signal) => end(signal ?? `exit code ${code}`));
      // What never started never exits.
      child.on('error', error => {
        if (child.pid === undefined) end(error.message);
      });
    });
    this.ready = new Promise((resolve, reject) => {
      this.#port.receive(message => {
        const said = message as FromModule;
        if (said.kind === 'ready') resolve();
        // What goes wrong while it ends is a consequence.
        else this.#failure ??= said.message;
      });
      // What it said of it is what a person can do something about; which process that was is not.
      void this.ended.then(({ message }) =>
        reject(new ModuleEnded(this.#failure ?? `Before it was ready: ${message}`)),
      );
    });
    // Who does not wait for it hears of the end by `ended`.
    this.ready.catch(() => undefined);
  }

  static start<Start>({ name, entry, start, waiting, fabric, clock }: ModuleOptions<Start>): ModuleProcess {
    const child = fork(entry, {
      ...UNSEEN,
      serialization: 'advanced',
      execArgv: [...childFlags(waiting)],
      env: { ...process.env, ...LEAN },
    });
    serveFabric(fabric, gathered(childPort(child, FABRIC_PORT)));
    const started = new ModuleProcess(child, name, clock);
    try {
      started.#say({ kind: 'start', start });
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
    return started;
  }

  /** The operating system's number of the process; 0 when it did not start. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Asks it to stop, and kills it when it has not ended after so many milliseconds. May be called more than once. */
  async close(patience: number): Promise<void> {
    this.#wasAsked = true;
    this.#say({ kind: 'stop' });
    const over = new AbortController();
    this.#clock.sleep(patience, over.signal).then(
      () => this.#child.kill('SIGKILL'),
      () => undefined,
    );
    await this.ended;
    over.abort();
  }

  #say(message: ToModule): void {
    this.#port.send(message);
  }
}
