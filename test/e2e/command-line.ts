// The built program in a workspace, as a user starts it. Needs the bundles that `npm test` builds first.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runState, runSummary } from '../../runtime/protocol/daemon/state.ts';

export const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

export class CommandLine {
  readonly folder: string;
  readonly #environment: Readonly<Record<string, string>>;

  constructor(folder: string, environment: Readonly<Record<string, string>> = {}) {
    this.folder = folder;
    this.#environment = environment;
  }

  get runs(): string {
    return join(this.folder, '.dartboard/runs');
  }

  /** The folder of the latest run. */
  get latest(): string {
    return readFileSync(join(this.runs, 'latest'), 'utf8').trim();
  }

  /** A program in a process group of its own, and what it has said. */
  begin(...args: readonly string[]) {
    const program = spawn(process.execPath, [MAIN, ...args], {
      cwd: this.folder,
      env: { ...process.env, ...this.#environment },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      program[stream].setEncoding('utf8').on('data', text => {
        said[stream] += text;
      });
    const ended = once(program, 'close').then(([status]): Output & { readonly status: number | null } => ({
      ...said,
      status,
    }));
    return { program, said, ended };
  }

  /** Asynchronous, so that the test runner hears of other things meanwhile. */
  readonly run = (...args: readonly string[]) => this.begin(...args).ended;

  async listed() {
    return runSummary.array().parse(JSON.parse((await this.run('runs', '--json')).stdout));
  }

  /** Of the latest run, if it has this seed, as its state file says: its report has a line every 30 s only. */
  updatesOf(seed: string): number {
    if (!existsSync(join(this.runs, 'latest')) || !this.latest.endsWith(`-${seed}`)) return 0;
    const file = join(this.runs, this.latest, 'state.json');
    return existsSync(file) ? runState.parse(JSON.parse(readFileSync(file, 'utf8'))).trainer.updates : 0;
  }
}
