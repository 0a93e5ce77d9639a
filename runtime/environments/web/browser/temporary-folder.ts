// The temporary folders of browsers (profile, downloads) and of their desktops (uploads). Each is removed with its owner, or by the next launch of
// a browser if this process was killed.

import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from '../../../core/existing-file.ts';
import { localObserver } from '../../../core/process-identity.ts';

const PREFIX = 'dartboard-browser-';

/** The name contains the process that owns the folder. */
export const makeTemporaryFolder = (parent: string): string =>
  mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));

/** Never rejects: what cannot be removed is left to the next launch. */
export const removeTemporaryFolder = (folder: string): Promise<void> =>
  // A browser that was killed may still be writing.
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => undefined);

/** Removes the folders of processes that have ended. */
export async function removeStaleFolders(parent: string): Promise<void> {
  const observer = localObserver();
  const stale = (await namesIn(parent)).filter(name => {
    const pid = ownerOf(name);
    return pid !== undefined && !observer.isAlive(pid, '');
  });
  await Promise.all(stale.map(name => removeTemporaryFolder(join(parent, name))));
}

function ownerOf(name: string): number | undefined {
  const digits = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-')[0] : undefined;
  return digits !== undefined && /^\d+$/.test(digits) ? Number(digits) : undefined;
}
