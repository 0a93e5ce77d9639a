// Reads the task files of a folder. What a file must contain depends on the kind of desktops.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { TaskFileError } from '../tasks/schema.ts';

export interface JsonFile {
  readonly file: string;
  /** The parsed JSON. */
  readonly value: unknown;
}

/** Every `*.json` of the folder, sorted by name. Rejects with a TaskFileError. */
export async function readTaskFolder(folder: string): Promise<readonly JsonFile[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new TaskFileError(`The folder of tasks cannot be read: ${messageOf(error)}`, { cause: error });
  });
  const files = names
    .filter(each => /^[^.].*\.json$/.test(each))
    .sort()
    .map(name => join(folder, name));
  return Promise.all(files.map(async file => ({ file, value: await jsonOf(file) })));
}

/** Rejects with a TaskFileError. */
export async function jsonOf(file: string): Promise<unknown> {
  try {
    return parseJson(await readFile(file, 'utf8'));
  } catch (error) {
    throw new TaskFileError(`${file} cannot be read as JSON: ${messageOf(error)}`, { cause: error });
  }
}
