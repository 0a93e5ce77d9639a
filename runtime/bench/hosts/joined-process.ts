// A joined host of the benchmark: a process with a session of its own, so that signals reach its child processes too.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { entry } from '../training.ts';

export interface JoinedProcessOptions {
  readonly address: string;
  readonly name: string;
  readonly desktops: number;
  /** The command that runs a program on its machine. */
  readonly within: readonly string[];
}

const KEPT_CHARACTERS = 2000;

export class JoinedProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #said = '';

  constructor({ address, name, desktops, within }: JoinedProcessOptions) {
    const own = [fileURLToPath(entry('bench-join')), address, name, String(desktops)];
    const [program = '', ...args] = [...within, process.execPath, ...own];
    this.#child = spawn(program, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#ended = once(this.#child, 'exit');
    // A program that cannot start has ended too.
    this.#ended.catch(() => undefined);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', text => {
        this.#said = `${this.#said}${text}`.slice(-KEPT_CHARACTERS);
      });
  }

  /** The end of its output. */
  get said(): string {
    return this.#said;
  }

  get hasEnded(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }

  /** To its child processes too. */
  signal(which: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, which);
    } catch {
      // All of them have ended.
    }
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    if (!this.hasEnded) await this.#ended;
  }
}
