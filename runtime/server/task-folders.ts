// Caches a value that is made from a folder of tasks, and makes it again when a file of the folder changes: users edit tasks while the
// daemon runs. One value of a folder is made at a time: a folder may change faster than it is read.

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

interface Making<Made> {
  /** The stamp of the folder before it was read. */
  stamp: string;
  hasBegun: boolean;
  readonly made: Promise<Made>;
}

interface TaskFoldersOptions {
  /** The tasks are also read from subfolders. */
  readonly isRecursive?: boolean;
  /** A folder in it that counts as changed when files are added or deleted there. */
  readonly inner?: string;
}

export class TaskFolders<Made> {
  readonly #make: (folder: string) => Promise<Made>;
  readonly #options: TaskFoldersOptions;
  /** The latest one of each folder. */
  readonly #makings = new Map<string, Making<Made>>();

  constructor(make: (folder: string) => Promise<Made>, options: TaskFoldersOptions = {}) {
    this.#make = make;
    this.#options = options;
  }

  /** Rejects when it cannot be made. Errors are not cached. */
  async of(folder: string): Promise<Made> {
    const stamp = await stampOf(folder, this.#options);
    const last = this.#makings.get(folder);
    if (last?.stamp === stamp) return last.made;
    if (last?.hasBegun === false) {
      // It will read what this stamp describes.
      last.stamp = stamp;
      return last.made;
    }
    const making = this.#makeAfter(last, folder, stamp);
    this.#makings.set(folder, making);
    // The caller gets the error; the next call reads the folder again.
    making.made.catch(() => {
      if (this.#makings.get(folder) === making) this.#makings.delete(folder);
    });
    return making.made;
  }

  #makeAfter(last: Making<Made> | undefined, folder: string, stamp: string): Making<Made> {
    const before: Promise<unknown> = last?.made.catch(() => undefined) ?? Promise.resolve();
    const making: Making<Made> = {
      stamp,
      hasBegun: false,
      made: before.then(() => {
        making.hasBegun = true;
        return this.#make(folder);
      }),
    };
    return making;
  }
}

/** Changes whenever a file is added, deleted or modified. */
async function stampOf(folder: string, { isRecursive = false, inner }: TaskFoldersOptions): Promise<string> {
  // A missing folder is reported by `make`, with a better message.
  const entries = await readdir(folder, { recursive: isRecursive, withFileTypes: true }).catch(() => []);
  const paths = entries
    // A folder changes with the names of its files.
    .filter(each => each.name.endsWith('.json') || each.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const each = await Promise.all(
    [...paths, ...(inner === undefined ? [] : [join(folder, inner)])].map(async path => {
      // A file that was deleted meanwhile has no times.
      const about = await stat(path).catch(() => undefined);
      return [path, about?.mtimeMs, about?.size];
    }),
  );
  return JSON.stringify(each);
}
