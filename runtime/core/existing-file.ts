// Reads files and folders that may not exist.

import { readdir, readFile, stat } from 'node:fs/promises';
import { isMissing } from './errors.ts';

/** The text of a file; undefined if there is no such file. Any other failure rejects. */
export const textIn = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch(undefinedIfMissing);

/** The bytes of a file; undefined if there is no such file. Any other failure rejects. */
export const bytesIn = (file: string): Promise<Uint8Array | undefined> =>
  readFile(file).catch(undefinedIfMissing);

/** The names in a folder; none if there is no such folder. Any other failure rejects. */
export const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(undefinedIfMissing)) ?? [];

/** False also for a path that cannot be read. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
