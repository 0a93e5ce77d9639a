// Folders of keys and tokens: only their owner can read them, and version control ignores them.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textIn } from '../core/existing-file.ts';
import { DurableFolder, makePrivateFolder } from '../data/files/durable.ts';

export class SecretFolder {
  readonly #path: string;
  readonly #files: DurableFolder;

  private constructor(path: string) {
    this.#path = path;
    this.#files = new DurableFolder(path);
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
  write(name: string, content: string): Promise<void> {
    return this.#files.write(name, Buffer.from(content));
  }
}
