// Opens the learner of files on a disk in memory, and reads what it wrote.

import { openFileLearner, type UpdateFiles } from '../../../runtime/learner/file/file-learner.ts';
import { manifestIn, type UpdateEntry } from '../../../runtime/learner/file/manifest.ts';
import type { Learner } from '../../../runtime/learner/learner.ts';
import type { Disk } from './memory-files.ts';
import { exchangeOf, images } from './steps.ts';

export const MODEL = 'a-model';

export const open = (files: UpdateFiles, options: object = { exchangeOf }): Promise<Learner> =>
  openFileLearner({ folder: 'updates-of-a-run', files, model: MODEL, images, ...options });

export const textIn = (disk: Disk, place: string): string => new TextDecoder().decode(disk.get(place));

export const linesIn = (disk: Disk, place: string): readonly unknown[] =>
  textIn(disk, place)
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line));

/** The updates that the manifest lists. */
export function listed(disk: Disk): readonly UpdateEntry[] {
  const bytes = disk.get('manifest.json');
  return bytes === undefined ? [] : manifestIn(bytes, 'manifest.json').updates;
}
