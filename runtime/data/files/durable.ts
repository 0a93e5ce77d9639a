// Writes files atomically and durably: under another name, synced, renamed, with the directory synced. Concurrent writes run in rounds
// that share the sync of a directory.
//
// Writes and syncs run in the thread pool. Opening, closing and renaming are synchronous: they only change memory, and a round trip to the
// thread pool takes several times as long, dozens of times per second.

import { closeSync, fdatasync, fsync, openSync, writeFile } from 'node:fs';
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { OWNER_ONLY_FILE, OWNER_ONLY_FOLDER, UNFINISHED } from './places.ts';
import { renameWithRetry } from './rename-retry.ts';

const [written, dataSynced, synced] = [promisify(writeFile), promisify(fdatasync), promisify(fsync)];

/** The last content of a file, and all writers that wait for it. */
interface PendingWrite {
  readonly place: string;
  readonly bytes: Uint8Array;
  readonly writers: readonly { readonly resolve: () => void; readonly reject: (reason: unknown) => void }[];
}

/** The files of a round are open at the same time. */
const MAX_FILES_PER_ROUND = 128;

export class DurableFolder {
  readonly #root: string;
  /** One write per name: parallel renames to one name could leave an older content. */
  readonly #waiting = new Map<string, PendingWrite>();
  #round: Promise<void> | undefined;
  readonly #made = new Set<string>();
  #written = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** Resolves once the file would survive a power failure. Replaces an existing file atomically. Of several writes of one name the last wins. */
  write(place: string, bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const earlier = this.#waiting.get(place)?.writers ?? [];
      this.#waiting.set(place, { place, bytes, writers: [...earlier, { resolve, reject }] });
      this.#round ??= this.#rounds();
    });
  }

  read(place: string): Promise<Uint8Array> {
    return readFile(join(this.#root, place));
  }

  /** Not synced: a file that reappears after a crash is deleted again. */
  remove(place: string): Promise<void> {
    return rm(join(this.#root, place), { force: true });
  }

  /** Resolves when no write is under way. */
  async close(): Promise<void> {
    while (this.#round !== undefined) await this.#round;
  }

  async #rounds(): Promise<void> {
    // Writes of the same turn share a round.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const round = [...this.#waiting.values()].slice(0, MAX_FILES_PER_ROUND);
      for (const { place } of round) this.#waiting.delete(place);
      const put = await Promise.all(
        round.map(async each => {
          try {
            await this.#put(each);
            return [each];
          } catch (error) {
            for (const { reject } of each.writers) reject(error);
            return [];
          }
        }),
      );
      await this.#confirm(put.flat());
    }
    this.#round = undefined;
  }

  async #put({ place, bytes }: PendingWrite): Promise<void> {
    const path = join(this.#root, place);
    const folder = dirname(path);
    if (!this.#made.has(folder)) await this.#make(folder);
    this.#written += 1;
    const unfinished = `${path}.${this.#written}${UNFINISHED}`;
    try {
      const file = openSync(unfinished, 'w', OWNER_ONLY_FILE);
      try {
        await written(file, bytes);
        await dataSynced(file);
      } finally {
        closeSync(file);
      }
      await renameWithRetry(unfinished, path);
    } catch (error) {
      // The folder may have been removed.
      this.#made.delete(folder);
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async #confirm(put: readonly PendingWrite[]): Promise<void> {
    const folders = new Set(put.map(({ place }) => dirname(place)));
    await Promise.all(
      [...folders].map(async folder => {
        const writers = put.filter(({ place }) => dirname(place) === folder).flatMap(each => each.writers);
        try {
          await syncFolder(join(this.#root, folder));
          for (const { resolve } of writers) resolve();
        } catch (error) {
          for (const { reject } of writers) reject(error);
        }
      }),
    );
  }

  /** Also creates and syncs the folders above it: a file is lost with its folder. */
  async #make(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    for (let above = dirname(folder); above.length >= this.#root.length; above = dirname(above)) {
      await syncFolder(above);
    }
    this.#made.add(folder);
  }
}

/** Creates a folder that only its owner can enter, and restricts an existing one. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
  // A folder that belongs to another user keeps its mode: only the owner may change it.
  await chmod(path, OWNER_ONLY_FOLDER).catch(() => undefined);
}

/** Windows has no such call, and makes renames durable by itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    await synced(handle);
  } finally {
    closeSync(handle);
  }
}
