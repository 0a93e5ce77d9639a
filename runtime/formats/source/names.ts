// Checks the names of files in a source. Pure.

import { MAX_FOLDER_DEPTH, MAX_NAME_LENGTH } from '../limits.ts';

/** Why an entry of an archive is never read; undefined for a plain relative name. */
export function whyUnsafe(name: string): string | undefined {
  if (name.length > MAX_NAME_LENGTH)
    return `Its name has ${name.length} characters, the limit is ${MAX_NAME_LENGTH}. Rename it.`;
  if (/\p{Cc}/u.test(name)) return 'Its name has control characters. Rename it.';
  if (/^[/\\]|^[A-Za-z]:/.test(name))
    return 'Its name is an absolute path. Make a new archive with relative names.';
  if (name.includes('\\'))
    return 'Its name contains a backslash. Make a new archive with names that use a slash.';
  const parts = name.split('/');
  if (parts.some(part => part === '..' || part === '.' || part === ''))
    return "Its name has an empty part, '.' or '..'. Make a new archive with plain names.";
  if (parts.length > MAX_FOLDER_DEPTH)
    return `It lies ${parts.length} folders deep, the limit is ${MAX_FOLDER_DEPTH}. Give a folder further inside.`;
  return undefined;
}

/** The folder part of a name, '' at the top. */
export const folderOf = (name: string): string => name.split('/').slice(0, -1).join('/');

export const baseOf = (name: string): string => name.split('/').at(-1) ?? name;

export const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** The names of the folders around a file, outermost first, with those above the source. */
export const foldersAround = (above: readonly string[], name: string): readonly string[] => [
  ...above,
  ...name.split('/').slice(0, -1),
];
