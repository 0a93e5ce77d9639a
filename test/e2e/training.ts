// A daemon that trains, in a process of its own, for tests that kill it or what it started: what it said, and which processes are
// below it.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  TrainingDaemon,
  type TrainingDaemonOptions,
} from '../../runtime/bench/survive/kills/training-daemon.ts';
import { PATIENCE } from '../patience.ts';
import { program } from './program.ts';

export type DaemonOptions = TrainingDaemonOptions;

/** Milliseconds. */
const LOOK_EVERY = 20;

const CHILD = new URL('../../runtime/bench/survive/kills/daemon-child.ts', import.meta.url);

/** The bundled daemon-child.ts, and the folder of the other bundles. */
export async function daemonProgram(): Promise<Pick<DaemonOptions, 'program' | 'dist'>> {
  const entry = await program(CHILD);
  return { program: fileURLToPath(entry), dist: fileURLToPath(new URL('../../dist', import.meta.url)) };
}

export class Daemon extends TrainingDaemon {
  /** Once something holds that it said. */
  async until(what: string, holds: () => boolean): Promise<void> {
    for (const end = Date.now() + PATIENCE.timeout; !holds(); await setTimeout(LOOK_EVERY))
      if (this.hasEnded || Date.now() > end)
        throw new Error(
          `${this.hasEnded ? 'It ended' : 'It took too long'} before ${what}. It said ${this.said.join('; ')}, and last: ${JSON.stringify(this.state)}`,
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
