// A folder of a desktop as the nested lists of OSWorld's server. Links to folders are listed without their content, because they may form
// circles.

import { posix } from 'node:path';
import { quotePath } from '../environments/command.ts';
import { taskError } from '../environments/task-function.ts';
import type { ServedMachine } from './served-machine.ts';

export type DirectoryEntry =
  | { readonly type: 'file'; readonly name: string }
  | { readonly type: 'directory'; readonly name: string; readonly children: readonly DirectoryEntry[] };

/** Undefined if there is no such folder. */
export async function directoryTree(
  machine: ServedMachine,
  path: string,
): Promise<DirectoryEntry | undefined> {
  const word = quotePath(path);
  const line = `[ -d ${word} ] && find ${word}/ -mindepth 1 -printf '%Y%P\\0' 2>/dev/null; [ -d ${word} ]`;
  const { code, output, isCut } = await machine.run(line);
  if (code !== 0) return undefined;
  if (isCut) throw taskError('files', `${path} has more files than 8 MB of names. List one of its folders.`);
  return treeOf(posix.basename(path), Buffer.from(output).toString('utf8'));
}

interface Folder {
  readonly type: 'directory';
  readonly name: string;
  readonly children: (DirectoryEntry | Folder)[];
}

/** Each entry has the letter of its type, the path below the folder, and a zero. Folders come before their content. */
export function treeOf(name: string, listing: string): DirectoryEntry {
  const root: Folder = { type: 'directory', name, children: [] };
  const folders = new Map<string, Folder>([['.', root]]);
  for (const entry of listing.split('\0')) {
    const path = entry.slice(1);
    if (path === '') continue;
    const parent = folders.get(posix.dirname(path));
    const base = posix.basename(path);
    if (!entry.startsWith('d')) parent?.children.push({ type: 'file', name: base });
    else {
      const folder: Folder = { type: 'directory', name: base, children: [] };
      folders.set(path, folder);
      parent?.children.push(folder);
    }
  }
  return root;
}
