// Writes the files of a report. A file is written under another name and renamed, so that no reader sees a part of one.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sentenceOf } from '../core/errors.ts';
import { UNFINISHED } from '../data/files/places.ts';
import { renameWithRetry } from '../data/files/rename-retry.ts';

export interface WrittenText {
  readonly path: string;
  readonly text: string;
}

/** Creates missing folders. All files are complete before the first is renamed. `option` names the place in errors. */
export async function writeReportFiles(files: readonly WrittenText[], option: string): Promise<void> {
  const unfinished = ({ path }: WrittenText): string => `${path}${UNFINISHED}`;
  let current = '';
  try {
    for (const file of files) {
      current = file.path;
      await mkdir(dirname(file.path), { recursive: true });
      await writeFile(unfinished(file), file.text, { flush: true });
    }
    for (const file of files) {
      current = file.path;
      await renameWithRetry(unfinished(file), file.path);
    }
  } catch (error) {
    // The first error is the one to report.
    for (const file of files) await rm(unfinished(file), { force: true }).catch(() => undefined);
    throw new Error(
      `The report cannot be written to '${current}': ${sentenceOf(error)} Give ${option} another place.`,
      { cause: error },
    );
  }
}
