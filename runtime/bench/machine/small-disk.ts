// A small disk that can be filled: a file system in memory. Needs the rights to mount one.

import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freeBytesOf } from '../../core/free-space.ts';
import { systemClock } from '../../core/system-clock.ts';

const FILLER = 'filler';
/** 80 MB per second, as a program writes that fills a disk. */
const CHUNK_BYTES = 8 * 2 ** 20;
const PAUSE_MS = 100;

export class SmallDisk {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Undefined where nothing can be mounted. */
  static async mount(folder: string, megabytes: number): Promise<SmallDisk | undefined> {
    await mkdir(folder, { recursive: true });
    try {
      await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
      return new SmallDisk(folder);
    } catch {
      return undefined;
    }
  }

  /** Until not a byte is left. */
  async fill(): Promise<void> {
    const filler = await open(join(this.folder, FILLER), 'a');
    try {
      for (let free = await this.#free(); free > 0; free = await this.#free()) {
        await filler.write(Buffer.alloc(Math.min(free, CHUNK_BYTES)));
        await systemClock.sleep(PAUSE_MS);
      }
    } finally {
      await filler.close();
    }
  }

  free(): Promise<void> {
    return rm(join(this.folder, FILLER), { force: true });
  }

  async unmount(): Promise<void> {
    await promisify(execFile)('umount', [this.folder]);
  }

  #free(): Promise<number> {
    return freeBytesOf(this.folder);
  }
}
