// A machine with a small screen, whose shell runs commands on this machine, in a folder of its own.

import { type ExecFileException, execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Clock } from '../../runtime/core/clock.ts';
import { BoundaryError } from '../../runtime/core/failure.ts';
import type { Pixels } from '../../runtime/core/screen.ts';
import type { ElementTree } from '../../runtime/environments/docker/element-tree.ts';
import {
  type CommandResult,
  CommandTimeout,
  type RunOptions,
} from '../../runtime/environments/docker/shell.ts';
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
  /** Commands with a deadline do not end before it. */
  hangs = false;

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
    if (line.includes('\0')) return Promise.reject(taskFailure('the command contains a NUL; remove it'));
    const { timeoutMs } = options;
    if (this.hangs && timeoutMs !== undefined)
      return Promise.reject(new CommandTimeout('fake', 'the command', timeoutMs));
    return new Promise((done, fail) => {
      const environment = { ...process.env, HOME: this.home, LANG: 'C' };
      execFile('sh', ['-c', line], { cwd: this.home, env: environment }, (error, output, errors) => {
        const code = exitCodeOf(error);
        if (code === undefined) fail(error);
        else done({ ...resultOf(code, output, errors), isCut: this.isCut && output !== '' });
      });
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

/** As a shell counts it. Undefined if the command did not run to its end. */
function exitCodeOf(error: ExecFileException | null): number | undefined {
  if (error === null) return 0;
  if (error.signal) return 128 + constants.signals[error.signal];
  return typeof error.code === 'number' ? error.code : undefined;
}

const taskFailure = (message: string): BoundaryError =>
  new BoundaryError({ boundary: 'task', thing: 'fake', message });
