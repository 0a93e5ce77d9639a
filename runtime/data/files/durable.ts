// Files that are whole and on the disk, or not there: written under another name, synced, renamed, the directory synced. Many at
// once share their syncs, and run side by side.
//
// What waits for a disk is handed to other threads. Names are opened, closed and changed in memory: to hand that to another thread and to
// hear of it takes several times as long as doing it, dozens of times a second.

import { closeSync, fdatasync, fsync, openSync, writeFile } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { UNFINISHED } from './places.ts';
import { renamed } from './rename-retry.ts';

const [written, dataSynced, synced] = [promisify(writeFile), promisify(fdatasync), promisify(fsync)];

interface Waiting {
  readonly place: string;
  readonly bytes: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Files of one round of syncs: open at the same time, so not too many. */
const MOST_AT_ONCE = 128;

export class DurableFolder {
  readonly #root: string;
  #waiting: Waiting[] = [];
  #round: Promise<void> | undefined;
  readonly #made = new Set<string>();
  #written = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** Resolves once it would survive a loss of power. What is there already is replaced as a whole. */
  write(place: string, bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ place, bytes, resolve, reject });
      this.#round ??= this.#rounds();
    });
  }

  read(place: string): Promise<Uint8Array> {
    return readFile(join(this.#root, place));
  }

  /** A file that is back after a crash is deleted again, so this need not be synced. */
  remove(place: string): Promise<void> {
    return rm(join(this.#root, place), { force: true });
  }

  /** Until nothing is being written any more. */
  async close(): Promise<void> {
    while (this.#round !== undefined) await this.#round;
  }

  async #rounds(): Promise<void> {
    // Whoever writes within the same turn is of the same round.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const round = this.#waiting.splice(0, MOST_AT_ONCE);
      const put = await Promise.all(
        round.map(async each => {
          try {
            await this.#put(each);
            return [each];
          } catch (error) {
            each.reject(error);
            return [];
          }
        }),
      );
      await this.#confirm(put.flat());
    }
    this.#round = undefined;
  }

  async #put({ place, bytes }: Waiting): Promise<void> {
    const path = join(this.#root, place);
    const folder = dirname(path);
    if (!this.#made.has(folder)) await this.#make(folder);
    this.#written += 1;
    const unfinished = `${path}.${this.#written}${UNFINISHED}`;
    try {
      const file = openSync(unfinished, 'w');
      try {
        await written(file, bytes);
        await dataSynced(file);
      } finally {
        closeSync(file);
      }
      await renamed(unfinished, path);
    } catch (error) {
      // Somebody may have removed it.
      this.#made.delete(folder);
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async #confirm(put: readonly Waiting[]): Promise<void> {
    const folders = new Set(put.map(({ place }) => dirname(place)));
    await Promise.all(
      [...folders].map(async folder => {
        const inside = put.filter(({ place }) => dirname(place) === folder);
        try {
          await syncFolder(join(this.#root, folder));
          for (const { resolve } of inside) resolve();
        } catch (error) {
          for (const { reject } of inside) reject(error);
        }
      }),
    );
  }

  /** With all that are missing above it, which are synced as well: a file is lost with its folder. */
  async #make(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    for (let above = dirname(folder); above.length >= this.#root.length; above = dirname(above)) {
      await syncFolder(above);
    }
    this.#made.add(folder);
  }
}

/** Windows has no such call, and writes names down by itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    await synced(handle);
  } finally {
    closeSync(handle);
  }
}
