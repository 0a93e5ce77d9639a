// Renames where somebody else may have a hand on the file: on Windows a scanner for viruses, a search index or another reader holds a file
// for a moment, and a rename over it is refused meanwhile. Elsewhere it is done at once or wrong.

import { renameSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

export interface RenameDeps {
  readonly platform: NodeJS.Platform;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

const REAL: RenameDeps = {
  platform: process.platform,
  // In memory, and sooner done than handed to another thread.
  rename: async (from, to) => renameSync(from, to),
  wait: milliseconds => setTimeout(milliseconds),
};

/** Milliseconds before each further try: two seconds in all, which is more than a scanner takes. */
const PAUSES = [10, 20, 40, 80, 150, 300, 500, 900];
/** What Windows says of a file that is held. */
const HELD: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** What is there already is replaced as a whole. Rejects with the reason of the last try. */
export async function renameWithRetry(from: string, to: string, how: RenameDeps = REAL): Promise<void> {
  for (const pause of how.platform === 'win32' ? PAUSES : []) {
    try {
      return await how.rename(from, to);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && HELD.has(error.code))) throw error;
      await how.wait(pause);
    }
  }
  await how.rename(from, to);
}
