// A daemon that trains, in a process of its own, for tests that kill it or what it started: what it said, and which processes are
// below it.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type RunState, runState } from '../../runtime/protocol/daemon/state.ts';
import { PATIENCE } from '../patience.ts';
import { program } from './program.ts';

export interface DaemonOptions {
  readonly program: string;
  readonly dist: string;
  readonly root: string;
  /** Another entry of the index thread than that in `dist`. */
  readonly index?: URL;
  /** To begin a run with, or the name of one to go on with, whose agents are then those of the configuration. */
  readonly config?: unknown;
  readonly run?: string;
}

/** Milliseconds. */
const LOOK_EVERY = 20;

/** The bundled training-child.ts, and the folder of the other bundles. */
export async function daemonProgram(): Promise<Pick<DaemonOptions, 'program' | 'dist'>> {
  const entry = await program(new URL('./training-child.ts', import.meta.url));
  return { program: fileURLToPath(entry), dist: fileURLToPath(new URL('../../dist', import.meta.url)) };
}

export class Daemon {
  /** What it was acknowledged, and all else that it said but states. */
  readonly kept = new Set<string>();
  readonly said: string[] = [];
  /** Sentences about what no state may say. */
  readonly broken: string[] = [];
  state: RunState | undefined;
  readonly #child: ChildProcess;
  readonly #over: Promise<void>;
  #isOver = false;

  constructor({ program, dist, root, config, run = '', index }: DaemonOptions) {
    const args = [program, root, dist, JSON.stringify(config ?? null), run, index?.href ?? ''];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', text => this.said.push(`error ${text}`));
    // It may be killed while it is told to stop.
    child.stdin.on('error', () => undefined);
    this.#over = this.#listen(child);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Once something holds that it said. */
  async until(what: string, holds: () => boolean): Promise<void> {
    for (const end = Date.now() + PATIENCE.timeout; !holds(); await setTimeout(LOOK_EVERY))
      if (this.#isOver || Date.now() > end)
        throw new Error(
          `${this.#isOver ? 'It ended' : 'It took too long'} before ${what}. It said ${this.said.join('; ')}, and last: ${JSON.stringify(this.state)}`,
        );
  }

  /** Whether the run reports a problem with this text. */
  hasProblem(text: string): boolean {
    return this.state?.problems.some(({ message }) => message.includes(text)) === true;
  }

  /** As soon as it has said a line that begins so, the rest of it. */
  async says(beginning: string): Promise<string> {
    const find = () => this.said.find(line => line.startsWith(beginning));
    await this.until(`it said '${beginning}'`, () => find() !== undefined);
    return find()?.slice(beginning.length + 1) ?? '';
  }

  /** Once it has stored another trajectory and published another version. */
  async goesOn(): Promise<void> {
    await this.until('the run trained', () => this.state?.status === 'running');
    const [version, kept] = [this.state?.trainer.version ?? 0, this.kept.size];
    await this.until(
      'the run went on',
      () => (this.state?.trainer.version ?? 0) > version && this.kept.size > kept,
    );
  }

  /** Asks a joined host to leave. */
  drain(host: string): void {
    this.#child.stdin?.write(`drain ${host}\n`);
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

  /** Also what it still says before it is gone was true. */
  async #listen(child: ChildProcess): Promise<void> {
    const ended = once(child, 'close');
    if (child.stdout !== null)
      for await (const line of createInterface({ input: child.stdout })) this.#hear(line);
    await ended;
    this.#isOver = true;
  }

  #hear(line: string): void {
    const [word, rest] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];
    if (word === 'kept') this.kept.add(rest);
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

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** All that it started, and what those started. */
export function below(pid: number): readonly Process[] {
  const all = processes();
  const found: Process[] = [];
  for (let parents = [pid]; parents.length > 0; ) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children);
    parents = children.map(child => child.pid);
  }
  return found;
}

/** The one whose program has this name. */
export const called = (some: readonly Process[], name: string): Process | undefined =>
  some.find(({ command }) => command.split(' ').some(word => basename(word) === `${name}.js`));

export function processes(): readonly Process[] {
  if (existsSync('/proc/self/stat')) return readdirSync('/proc').flatMap(inProc);
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap(line => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** Nothing for what is no process, or is gone meanwhile. */
function inProc(name: string): readonly Process[] {
  if (!/^\d+$/.test(name)) return [];
  try {
    const stat = readFileSync(join('/proc', name, 'stat'), 'utf8');
    // A name may have spaces and brackets in it.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(join('/proc', name, 'cmdline'), 'utf8')
      .replaceAll('\0', ' ')
      .trim();
    return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), command }];
  } catch {
    return [];
  }
}
