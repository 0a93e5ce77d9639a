// Reads text files that may not exist.

import { readFile } from 'node:fs/promises';
import { isMissing } from '../../core/errors.ts';

/** The text of a file; undefined if there is no such file. Any other failure rejects. */
export async function textIn(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
