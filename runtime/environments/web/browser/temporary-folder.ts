// The temporary folders of browsers (profile, downloads) and of their desktops (uploads). Each is removed with its owner. If this process was
// killed, it is removed by the next launch in the same place (machine or container).

import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from '../../../core/existing-file.ts';
import { localObserver } from '../../../core/process-identity.ts';

const HASH_DIGITS = 8;

/** Machines and containers can share a temporary folder, and each counts its own processes. */
function prefixHere(): string {
  const hash = createHash('sha256').update(localObserver().place).digest('hex').slice(0, HASH_DIGITS);
  return `dartboard-browser-${hash}-`;
}

/** The name contains a hash of the place and the number of the process that owns the folder. */
export const makeTemporaryFolder = (parent: string): string =>
  mkdtempSync(join(parent, `${prefixHere()}${process.pid}-`));

/** Never rejects: what cannot be removed is left to the next launch. */
export const removeTemporaryFolder = (folder: string): Promise<void> =>
  // A browser that was killed may still be writing.
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => undefined);

/** Removes the folders of processes of this place that have ended. */
export async function removeStaleFolders(parent: string): Promise<void> {
  const observer = localObserver();
  const prefix = prefixHere();
  const stale = (await namesIn(parent)).filter(name => {
    const pid = ownerOf(name, prefix);
    return pid !== undefined && !observer.isAlive(pid, '');
  });
  await Promise.all(stale.map(name => removeTemporaryFolder(join(parent, name))));
}

function ownerOf(name: string, prefix: string): number | undefined {
  const digits = name.startsWith(prefix) ? name.slice(prefix.length).split('-')[0] : undefined;
  return digits !== undefined && /^\d+$/.test(digits) ? Number(digits) : undefined;
}
