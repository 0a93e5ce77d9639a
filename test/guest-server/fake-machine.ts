// A machine with a small screen, whose shell runs commands on this machine, in a folder of its own.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Clock } from '../../runtime/core/clock.ts';
import { BoundaryError } from '../../runtime/core/failure.ts';
import type { Pixels } from '../../runtime/core/screen.ts';
import type { ElementTree } from '../../runtime/environments/docker/element-tree.ts';
import type { CommandResult, RunOptions } from '../../runtime/environments/docker/shell.ts';
import type { InputProgram } from '../../runtime/guest-server/program/input-program.ts';
import type { OpenMachine } from '../../runtime/guest-server/served-machine.ts';

export class FakeMachine implements OpenMachine {
  readonly size = { width: 4, height: 2 };
  readonly pointer = { x: 3, y: 1 };
  readonly lines: string[] = [];
  readonly performed: InputProgram[] = [];
  elements: ElementTree = { windows: [], nodes: [], late: [], busy: [], active: 0 };
  /** The lines of wmctrl. */
  windows = '';
  /** The error of the next commands. */
  failure: BoundaryError | undefined;
  isClosed = false;
  /** The commands print more than is read. */
  isCut = false;

  constructor(
    readonly home: string,
    readonly clock: Clock,
  ) {}

  async picture(): Promise<Pixels> {
    const data = new Uint8Array(4 * 2 * 4).map((_, index) => (index % 4 === 3 ? 255 : index * 7));
    return { ...this.size, layout: 'rgba', data };
  }

  async tree(): Promise<ElementTree> {
    return this.elements;
  }

  run(line: string, options: RunOptions = {}): Promise<CommandResult> {
    this.lines.push(line);
    if (this.failure !== undefined) return Promise.reject(this.failure);
    if (line === 'wmctrl -lxG') return Promise.resolve(resultOf(0, this.windows));
    return new Promise(done => {
      const environment = { ...process.env, HOME: this.home, LANG: 'C' };
      const { timeoutMs } = options;
      if (timeoutMs !== undefined && line.includes('sleep')) throw timeoutError(timeoutMs); // No test waits for a real command.
      execFile('sh', ['-c', line], { cwd: this.home, env: environment }, (error, output, errors) =>
        done({
          ...resultOf(typeof error?.code === 'number' ? error.code : 0, output, errors),
          isCut: this.isCut && output !== '',
        }),
      );
    });
  }

  async readFile(path: string): Promise<Uint8Array | undefined> {
    const file = resolve(this.home, path);
    return existsSync(file) ? readFileSync(file) : undefined;
  }

  async writeFile(path: string, bytes: Uint8Array): Promise<void> {
    const file = resolve(this.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }

  async perform(program: InputProgram): Promise<string> {
    if (this.failure !== undefined) throw this.failure;
    this.performed.push(program);
    return 'printed';
  }

  close(): void {
    this.isClosed = true;
  }
}

const resultOf = (code: number, output: string, errors = ''): CommandResult => ({
  ...{ code, output: Buffer.from(output), errors: Buffer.from(errors), isCut: false },
});

const timeoutError = (ms: number): BoundaryError =>
  new BoundaryError({
    ...{ boundary: 'task', thing: 'fake' },
    message: `it did not end within ${ms / 1000} s and was killed`,
  });
