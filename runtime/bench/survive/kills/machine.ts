// The machine of a run, as far as it can be disturbed: the disk with its files, and the clock of its processes.

import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../../core/system-clock.ts';
import { moveClock } from '../../machine/moved-clock.ts';
import { SmallDisk } from '../../machine/small-disk.ts';
import { entry } from '../../training.ts';
import type { RunningProcess } from './processes.ts';

/** The file with the milliseconds that the clock is ahead, for clock-entry.ts. */
export const CLOCK_VARIABLE = 'DARTBOARD_BENCH_CLOCK';
/** More than the files of a run in an hour. */
const DISK_MB = 1024;
const FULL_MS = 10_000;
const SUSPENDED_MS = 30_000;
const JUMP_MS = 3_600_000;

type MovedEnvironment = Readonly<Record<'NODE_OPTIONS' | typeof CLOCK_VARIABLE, string>>;

export class RunMachine {
  /** Of the runs. */
  readonly root: string;
  /** Of the processes of the run. */
  readonly environment: MovedEnvironment;
  readonly #disk: SmallDisk | undefined;
  #aheadMs = 0;

  private constructor(root: string, environment: MovedEnvironment, disk: SmallDisk | undefined) {
    this.root = root;
    this.environment = environment;
    this.#disk = disk;
  }

  static async open(
    folder: string,
    { diskMb = DISK_MB, clockEntry = entry('bench-clock') } = {},
  ): Promise<RunMachine> {
    const [root, clock] = [join(folder, 'runs'), join(folder, 'clock')];
    await mkdir(root);
    await moveClock(clock, 0);
    const environment = { NODE_OPTIONS: `--import=${clockEntry.href}`, [CLOCK_VARIABLE]: clock };
    return new RunMachine(root, environment, await SmallDisk.mount(root, diskMb));
  }

  /** False where no file system may be mounted. */
  get hasDisk(): boolean {
    return this.#disk !== undefined;
  }

  /** Resolves when the disk has space again. */
  async fillDisk(): Promise<void> {
    await this.#disk?.fill();
    await systemClock.sleep(FULL_MS);
    await this.#disk?.free();
  }

  /** By an hour. */
  async moveClock(isAhead: boolean): Promise<void> {
    this.#aheadMs += isAhead ? JUMP_MS : -JUMP_MS;
    await moveClock(this.environment[CLOCK_VARIABLE], this.#aheadMs);
  }

  /** Stops the processes, the first one before the others, and the containers. Resolves when all continue. */
  async suspend(
    first: number,
    others: () => Promise<readonly RunningProcess[]>,
    containers: readonly string[],
  ): Promise<void> {
    signal(first, 'SIGSTOP');
    const pids = (await others()).map(({ pid }) => pid);
    for (const pid of pids) signal(pid, 'SIGSTOP');
    if (containers.length > 0) await docker('pause', ...containers);
    await systemClock.sleep(SUSPENDED_MS);
    if (containers.length > 0) await docker('unpause', ...containers);
    for (const pid of [...pids, first]) signal(pid, 'SIGCONT');
  }

  async close(): Promise<void> {
    await this.#disk?.unmount();
  }
}

const docker = (...args: readonly string[]) => promisify(execFile)('docker', args);

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
