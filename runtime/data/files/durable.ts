// Writes files atomically and durably: under another name, synced, renamed, with the directory synced. Concurrent writes run in rounds
// that share the sync of a directory.

import { chmod, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Disk, nodeDisk } from '../../core/disk.ts';
import { OWNER_ONLY_FILE, OWNER_ONLY_FOLDER, UNFINISHED } from './places.ts';
import { renameWithRetry } from './rename-retry.ts';

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
  readonly #disk: Disk;
  /** One write per name: parallel renames to one name could leave an older content. */
  readonly #waiting = new Map<string, PendingWrite>();
  #round: Promise<void> | undefined;
  readonly #made = new Set<string>();
  #written = 0;

  constructor(root: string, disk: Disk = nodeDisk) {
    this.#root = root;
    this.#disk = disk;
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
    return this.#disk.read(join(this.#root, place));
  }

  /** True if the file exists. It then survives a power failure. */
  async has(place: string): Promise<boolean> {
    const path = join(this.#root, place);
    const names = await this.#disk.names(dirname(path));
    if (!names.includes(basename(path))) return false;
    await this.#disk.syncFolder(dirname(path));
    return true;
  }

  /** The names in a folder; none if there is no such folder. */
  names(folder: string): Promise<readonly string[]> {
    return this.#disk.names(join(this.#root, folder));
  }

  /** Not synced: a file that reappears after a crash is deleted again. */
  remove(place: string): Promise<void> {
    return this.#disk.remove(join(this.#root, place));
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
      const file = await this.#disk.open(unfinished, 'w', OWNER_ONLY_FILE);
      try {
        await file.append(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await renameWithRetry(unfinished, path, { rename: (from, to) => this.#disk.rename(from, to) });
    } catch (error) {
      // The folder may have been removed.
      this.#made.delete(folder);
      await this.#disk.remove(unfinished);
      throw error;
    }
  }

  async #confirm(put: readonly PendingWrite[]): Promise<void> {
    const folders = new Set(put.map(({ place }) => dirname(place)));
    await Promise.all(
      [...folders].map(async folder => {
        const writers = put.filter(({ place }) => dirname(place) === folder).flatMap(each => each.writers);
        try {
          await this.#disk.syncFolder(join(this.#root, folder));
          for (const { resolve } of writers) resolve();
        } catch (error) {
          for (const { reject } of writers) reject(error);
        }
      }),
    );
  }

  async #make(folder: string): Promise<void> {
    await makeDurableFolder(folder, this.#disk, this.#root);
    this.#made.add(folder);
  }
}

/**
 * Creates a folder that survives a power failure. All names from `root` on are synced, also those that are there already: an earlier process
 * may have ended between the two. A file is lost with any folder above it.
 */
export async function makeDurableFolder(folder: string, disk: Disk, root = folder): Promise<void> {
  const created = (await disk.makeFolder(folder, OWNER_ONLY_FOLDER)) ?? root;
  const top = dirname(created.length < root.length ? created : root);
  for (let path = folder; path !== top && path !== dirname(path); path = dirname(path))
    await disk.syncFolder(dirname(path));
}

/** Creates a folder that only its owner can enter, and restricts an existing one. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
  // A folder that belongs to another user keeps its mode: only the owner may change it.
  await chmod(path, OWNER_ONLY_FOLDER).catch(() => undefined);
}
