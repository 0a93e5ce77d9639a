// Caches a value that is made from a folder of tasks, and makes it again when a file of the folder changes: users edit tasks while the
// daemon runs.

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

interface CachedFolder<Made> {
  readonly stamp: string;
  readonly made: Promise<Made>;
}

interface TaskFoldersOptions {
  /** The tasks are also read from subfolders. */
  readonly isRecursive?: boolean;
}

export class TaskFolders<Made> {
  readonly #make: (folder: string) => Promise<Made>;
  readonly #isRecursive: boolean;
  readonly #cached = new Map<string, CachedFolder<Made>>();

  constructor(make: (folder: string) => Promise<Made>, { isRecursive = false }: TaskFoldersOptions = {}) {
    this.#make = make;
    this.#isRecursive = isRecursive;
  }

  /** Rejects when it cannot be made. Errors are not cached. */
  async of(folder: string): Promise<Made> {
    const stamp = await stampOf(folder, this.#isRecursive);
    const cached = this.#cached.get(folder);
    if (cached?.stamp === stamp) return cached.made;
    const made = this.#make(folder);
    const one = { stamp, made };
    this.#cached.set(folder, one);
    // The caller gets the error; the next call reads the folder again.
    made.catch(() => {
      if (this.#cached.get(folder) === one) this.#cached.delete(folder);
    });
    return made;
  }
}

/** Changes whenever a file is added, deleted or modified. */
async function stampOf(folder: string, recursive: boolean): Promise<string> {
  // A missing folder is reported by `make`, with a better message.
  const entries = await readdir(folder, { recursive, withFileTypes: true }).catch(() => []);
  const paths = entries
    // A folder changes with the names of its files.
    .filter(each => each.name.endsWith('.json') || each.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const each = await Promise.all(
    paths.map(async path => {
      // A file that was deleted meanwhile has no times.
      const about = await stat(path).catch(() => undefined);
      return [path, about?.mtimeMs, about?.size];
    }),
  );
  return JSON.stringify(each);
}
