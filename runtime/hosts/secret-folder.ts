// Folders of keys and tokens: only their owner can read them, and version control ignores them.

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textIn } from '../core/existing-file.ts';
import { makePrivateFolder } from '../data/files/durable.ts';
import { renameWithRetry } from '../data/files/rename-retry.ts';

const OWNER_ONLY = { mode: 0o600 };

export class SecretFolder {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  static async open(path: string): Promise<SecretFolder> {
    await makePrivateFolder(path);
    await writeFile(join(path, '.gitignore'), '*\n');
    return new SecretFolder(path);
  }

  pathOf(name: string): string {
    return join(this.#path, name);
  }

  read(name: string): Promise<string | undefined> {
    return textIn(this.pathOf(name));
  }

  /** Atomic: a reader sees the whole content, or that before it. */
  async write(name: string, content: string): Promise<void> {
    const unfinished = this.pathOf(`${name}.unfinished`);
    // An existing file would keep its mode.
    await rm(unfinished, { force: true });
    await writeFile(unfinished, content, { ...OWNER_ONLY, flush: true });
    await renameWithRetry(unfinished, this.pathOf(name));
  }
}
