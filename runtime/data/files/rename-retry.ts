// Renames files with retries on Windows, where a virus scanner, search indexer or other reader can lock a file briefly and make a rename
// over it fail. Other platforms do not retry.

import { renameSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

export interface RenameDeps {
  readonly platform: NodeJS.Platform;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

const REAL: RenameDeps = {
  platform: process.platform,
  // Synchronous: a rename is faster than a switch to the thread pool.
  rename: async (from, to) => renameSync(from, to),
  wait: milliseconds => setTimeout(milliseconds),
};

/** Pauses between attempts: two seconds in total, longer than a scanner holds a file. */
const RETRY_PAUSES_MS = [10, 20, 40, 80, 150, 300, 500, 900];
/** Error codes of Windows for a locked file. */
const LOCKED_CODES: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Replaces an existing file atomically. Rejects with the error of the last attempt. */
export async function renameWithRetry(
  from: string,
  to: string,
  given: Partial<RenameDeps> = {},
): Promise<void> {
  const how = { ...REAL, ...given };
  for (const pause of how.platform === 'win32' ? RETRY_PAUSES_MS : []) {
    try {
      return await how.rename(from, to);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && LOCKED_CODES.has(error.code))) throw error;
      await how.wait(pause);
    }
  }
  await how.rename(from, to);
}
