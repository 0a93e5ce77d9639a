// Folders for tests, which are gone after the tests of the file.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const made: string[] = [];

// Here, and not where one is made: that may be in the midst of a test.
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A new and empty one; the name is for whoever looks into the folder of temporary files. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `dartboard-${name}-`));
  made.push(folder);
  return folder;
}
