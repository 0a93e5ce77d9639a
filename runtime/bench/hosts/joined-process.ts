// A joined host of the benchmark: a process with a session of its own, so that signals reach its child processes too.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface JoinedProcessOptions {
  /** A bundle, and its arguments. */
  readonly arguments: readonly [URL, ...string[]];
  /** The command that runs a program on its machine. */
  readonly within?: readonly string[];
  /** Beside the variables of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The working folder; that of this process by default. */
  readonly folder?: string;
}

const KEPT_CHARACTERS = 2000;

export class JoinedProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #said = '';

  constructor({ arguments: [bundle, ...own], within = [], environment, folder }: JoinedProcessOptions) {
    const [program = '', ...args] = [...within, process.execPath, fileURLToPath(bundle), ...own];
    this.#child = spawn(program, args, {
      ...{ detached: true, stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...environment } },
      ...(folder !== undefined && { cwd: folder }),
    });
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
