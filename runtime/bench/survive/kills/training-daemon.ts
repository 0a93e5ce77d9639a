// A daemon that trains in a process of its own (daemon-child.ts), and what it printed: for benchmarks and tests that kill it or its processes.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type RunState, runState } from '../../../protocol/daemon/state.ts';

export interface TrainingDaemonOptions {
  /** The bundled daemon-child.ts. */
  readonly program: string;
  /** The folder of the other bundles. */
  readonly dist: string;
  /** The folder of the runs. */
  readonly root: string;
  /** Another entry of the index thread than that in `dist`. */
  readonly index?: URL;
  /** To start a run with; the agents of a resumed run are those of the configuration too. */
  readonly config?: unknown;
  /** The run to resume. */
  readonly run?: string;
  /** Beside the environment of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

export class TrainingDaemon {
  /** The trajectories and labels that it acknowledged, and all other lines but states. */
  readonly kept = new Set<string>();
  readonly labelled = new Set<string>();
  readonly said: string[] = [];
  /** Sentences about states that contradict themselves or an earlier state. */
  readonly broken: string[] = [];
  state: RunState | undefined;
  readonly #child: ChildProcess;
  readonly #over: Promise<void>;
  #hasEnded = false;

  constructor({ program, dist, root, config, run = '', index, environment = {} }: TrainingDaemonOptions) {
    const args = [program, root, dist, JSON.stringify(config ?? null), run, index?.href ?? ''];
    const env = { ...process.env, ...environment };
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', text => this.said.push(`error ${text}`));
    // It may be killed while it reads.
    child.stdin.on('error', () => undefined);
    this.#over = this.#listen(child);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  signal(which: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(which);
  }

  /** Asks a joined host to leave. */
  drain(host: string): void {
    this.#child.stdin?.write(`drain ${host}\n`);
  }

  /** `labelled` has the trajectory when the label is durable. */
  label(trajectory: string): void {
    this.#child.stdin?.write(`label ${trajectory}\n`);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#over;
  }

  /** As its user would: the run is stopped and kept. */
  async stop(): Promise<void> {
    this.#child.stdin?.end();
    await this.#over;
  }

  /** Also lines that it printed just before its end count. */
  async #listen(child: ChildProcess): Promise<void> {
    const ended = once(child, 'close');
    if (child.stdout !== null)
      for await (const line of createInterface({ input: child.stdout })) this.#hear(line);
    await ended;
    this.#hasEnded = true;
  }

  #hear(line: string): void {
    const [word, rest] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];
    if (word === 'kept') this.kept.add(rest);
    else if (word === 'labelled') this.labelled.add(rest);
    else if (word === 'state') this.#look(runState.parse(JSON.parse(rest)));
    else this.said.push(line);
  }

  #look(state: RunState): void {
    const { submitted, accepted, filtered, dropped, failed, running } = state.data.books;
    if (submitted !== accepted + filtered + dropped + failed + running)
      this.broken.push(`The books do not add up: ${JSON.stringify(state.data.books)}`);
    for (const [name, now, before] of [
      ['version', state.trainer.version, this.state?.trainer.version ?? 0],
      ['time', state.seconds, this.state?.seconds ?? 0],
      ['submitted', submitted, this.state?.data.books.submitted ?? 0],
    ] as const)
      if (now < before) this.broken.push(`The ${name} went back from ${before} to ${now}.`);
    this.state = state;
  }
}
