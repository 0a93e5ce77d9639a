// The versions of dartboard.json and of the task files, as one text. The Testing view compares it at intervals: the file watchers of VS Code
// miss about half of the files that are written into a folder just after it was created.

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Each path is a file, or a folder with JSON files at any depth. A file that cannot be read counts as missing. */
export async function fileVersions(paths: readonly string[]): Promise<string> {
  const files = await Promise.all(paths.map(filesOf));
  const versions = await Promise.all(files.flat().map(versionOf));
  return versions.sort().join('\n');
}

async function filesOf(path: string): Promise<readonly string[]> {
  try {
    const names = await readdir(path, { recursive: true });
    return names.filter(name => name.endsWith('.json')).map(name => join(path, name));
  } catch {
    return [path];
  }
}

async function versionOf(file: string): Promise<string> {
  try {
    const { mtimeMs, size } = await stat(file);
    return `${file} ${mtimeMs} ${size}`;
  } catch {
    return `${file} missing`;
  }
}
