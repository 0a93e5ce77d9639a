// What is made of folders of tasks: made once, and again when a file of theirs is another. Whoever keeps a daemon for days edits tasks
// meanwhile.

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

interface Known<Made> {
  readonly stamp: string;
  readonly made: Promise<Made>;
}

export class TaskFolders<Made> {
  readonly #make: (folder: string) => Promise<Made>;
  readonly #known = new Map<string, Known<Made>>();

  constructor(make: (folder: string) => Promise<Made>) {
    this.#make = make;
  }

  /** Rejects where it cannot be made; whoever asks again may have put it right. */
  async of(folder: string): Promise<Made> {
    const stamp = await stampOf(folder);
    const known = this.#known.get(folder);
    if (known?.stamp === stamp) return known.made;
    const made = this.#make(folder);
    const one = { stamp, made };
    this.#known.set(folder, one);
    made.catch(() => {
      if (this.#known.get(folder) === one) this.#known.delete(folder);
    });
    return made;
  }
}

/** Another one, whenever a file came, went or changed. */
async function stampOf(folder: string): Promise<string> {
  // Whoever makes something of a folder that is gone says so better.
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.json')).sort();
  const each = await Promise.all(
    names.map(async name => {
      const about = await stat(join(folder, name)).catch(() => undefined);
      return [name, about?.mtimeMs, about?.size];
    }),
  );
  return JSON.stringify(each);
}
