// Folders for tests. remove-folders.ts removes them after the tests of the file, so a module that several files import must not keep one.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

export function removeTemporaryFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A new and empty one; the name is for whoever looks into the folder of temporary files. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `dartboard-${name}-`));
  made.push(folder);
  return folder;
}
