// Unpacks the sample run of the extension into VS Code's storage folder, apart from the user's runs.

import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';

/** The name of the recorded run; the script that records it uses the same name. */
export const SAMPLE_RUN = 'sample';
/** A file in the unpacked folder with the SHA-256 of the archive. */
const ORIGIN_FILE = 'origin';

/** Unpacks once per archive. Renames the folder into place last, so that nobody finds a partial sample. */
export async function unpackSample(archive: string, folder: string): Promise<void> {
  const bytes = await readFile(archive);
  const origin = `${createHash('sha256').update(bytes).digest('hex')}\n`;
  if ((await originOf(folder)) === origin) return;
  const unfinished = `${folder}.unfinished`;
  await deleteSample(unfinished);
  for (const [name, content] of Object.entries(unzipSync(bytes))) {
    const file = join(unfinished, ...name.split('/'));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  await writeFile(join(unfinished, ORIGIN_FILE), origin);
  await deleteSample(folder);
  await rename(unfinished, folder);
}

async function originOf(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, ORIGIN_FILE), 'utf8');
  } catch {
    // Whatever the reason, unpacking again replaces the folder, or fails with the reason.
    return undefined;
  }
}

/** Retries, because a daemon that has just exited may still hold files open on Windows. */
export const deleteSample = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
