// Puts the files of a writer below a folder.

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UNFINISHED } from '../data/files/places.ts';
import { renameWithRetry } from '../data/files/rename-retry.ts';
import { isOsworldFile } from './osworld/write.ts';
import type { WrittenFile } from './written-files.ts';

/** In the given order, so that the last one completes the trajectory. Each is there as a whole or not at all. */
export async function writeFiles(root: string, files: readonly WrittenFile[]): Promise<void> {
  for (const { place, bytes } of files) {
    const path = join(root, place);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path + UNFINISHED, bytes);
    await renameWithRetry(path + UNFINISHED, path);
  }
}

/** Replaces an earlier result in the same folder, which may have more pictures. */
export async function replaceOsworldFiles(root: string, files: readonly WrittenFile[]): Promise<void> {
  for (const folder of new Set(files.map(({ place }) => join(root, dirname(place))))) {
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) if (isOsworldFile(name)) await rm(join(folder, name));
  }
  await writeFiles(root, files);
}
