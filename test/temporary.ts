// Folders for tests. remove-folders.ts removes them after the tests of the file, so a module that several files import must not keep one.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

export function removeTemporaryFolders(): void {
  // A browser that was killed may still write its profile for a moment: the folder is removed again then.
  for (const folder of made.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** A new and empty one; the name is for whoever looks into the folder of temporary files. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `dartboard-${name}-`));
  made.push(folder);
  return folder;
}
