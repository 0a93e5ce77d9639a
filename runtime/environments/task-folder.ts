// Reads the task files of a folder. What a file must contain depends on the kind of desktops.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, sentenceOf } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { TaskFileError } from '../tasks/schema.ts';

export interface JsonFile {
  readonly file: string;
  /** The parsed JSON. */
  readonly value: unknown;
}

/** Every `*.json` of the folder, sorted by name. Rejects with a TaskFileError. */
export async function readTaskFolder(folder: string): Promise<readonly JsonFile[]> {
  const files = await taskFilesIn(folder);
  return Promise.all(files.map(async file => ({ file, value: await jsonOf(file) })));
}

/** The paths of these files, sorted. Rejects with a TaskFileError. */
export async function taskFilesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new TaskFileError(`The folder of tasks cannot be read: ${messageOf(error)}`, { cause: error });
  });
  return names
    .filter(each => /^[^.].*\.json$/.test(each))
    .sort()
    .map(name => join(folder, name));
}

/** Far above the largest task; a larger file is none. */
const MAX_TASK_BYTES = 2 ** 20;

/** Rejects with a TaskFileError. */
export async function jsonOf(file: string): Promise<unknown> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new TaskFileError(`${file} cannot be read: ${sentenceOf(error)}`, { cause: error });
  });
  return taskFromText(bytes.toString('utf8'), file);
}

/** `file` names it in errors. Throws a TaskFileError. */
export function taskFromText(text: string, file: string): unknown {
  if (text.length > MAX_TASK_BYTES)
    throw new TaskFileError(
      `${file} has ${text.length} characters, and a task at most ${MAX_TASK_BYTES}. Move it out of the folder of tasks.`,
    );
  try {
    return parseJson(text);
  } catch (error) {
    throw new TaskFileError(`${file} cannot be read as JSON: ${sentenceOf(error)} Correct it.`, {
      cause: error,
    });
  }
}
