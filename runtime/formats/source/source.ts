// The files of a source of trajectories: a folder, one file, or an archive. Names are relative, with '/', and never lead out of it.

import { folderOf } from './names.ts';

export interface SourceFiles {
  /** For messages and for the provenance: the path as the user gave it. */
  readonly title: string;
  /** The folders above the files, outermost first. Formats read tasks and models from folder names. */
  readonly above: readonly string[];
  /** The regular files that can be read, sorted. */
  readonly names: readonly string[];
  /** The files that may contain trajectories; the others are pictures and scores of them. */
  readonly candidates: readonly string[];
  /** Files that are never read, with the reason. */
  readonly refused: readonly RefusedFile[];
  has(name: string): boolean;
  /** Rejects with a SourceError if the file is larger than `maxBytes`, damaged or gone. */
  read(name: string, maxBytes: number): Promise<Uint8Array>;
  /** The lines of a text file in order, without empty ones. Memory is bounded by the longest line that is allowed. */
  lines(name: string, maxLineBytes: number): AsyncIterable<SourceLine>;
  close(): Promise<void>;
}

export interface RefusedFile {
  readonly file: string;
  /** The fault, and the remedy. */
  readonly why: string;
}

export type SourceLine =
  | { readonly kind: 'text'; readonly number: number; readonly text: string }
  | { readonly kind: 'too-long'; readonly number: number };

export class SourceError extends Error {
  override readonly name = 'SourceError';
}

export const tooLarge = (name: string, bytes: number, maxBytes: number): SourceError =>
  new SourceError(
    `The file '${name}' has ${bytes} bytes, the limit is ${maxBytes}. Split it, or leave it out of the source.`,
  );

/** By source: a data set has thousands of folders, and a list of all files for each would take hours. */
const namesByFolder = new WeakMap<object, ReadonlyMap<string, readonly string[]>>();

/** The names of the files of one folder, sorted. */
export function namesInFolder(source: Pick<SourceFiles, 'names'>, folder: string): readonly string[] {
  const known = namesByFolder.get(source) ?? groupedByFolder(source.names);
  namesByFolder.set(source, known);
  return known.get(folder) ?? [];
}

function groupedByFolder(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const folder = folderOf(name);
    const group = groups.get(folder);
    if (group === undefined) groups.set(folder, [name]);
    else group.push(name);
  }
  return groups;
}

/** Names of files that may contain trajectories. */
export const isCandidate = (name: string): boolean => /\.jsonl?$/i.test(name);
