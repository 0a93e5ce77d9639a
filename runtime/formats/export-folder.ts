// The folder of an export. It must be empty, so that no file of an earlier export remains beside the new ones. A list in the folder names
// the files of an export: replacing it deletes these, and refuses all others.

import type { Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, sentenceOf } from '../core/errors.ts';
import { textIn } from '../core/existing-file.ts';
import { UNFINISHED } from '../data/files/places.ts';
import { writeFiles } from './write-files.ts';
import type { WrittenFile } from './written-files.ts';

/** One place per line, relative to the folder, with '/'. Written before the file, so that an export that was interrupted can be replaced. */
const LIST_NAME = '.dartboard-export';
/** File managers write these by themselves. */
const IGNORED: ReadonlySet<string> = new Set([LIST_NAME, '.DS_Store', 'Thumbs.db', 'desktop.ini']);

class ExportFolderError extends Error {
  override readonly name = 'ExportFolderError';
}

export class ExportFolder {
  readonly path: string;
  #list: FileHandle | undefined;

  private constructor(path: string) {
    this.path = path;
  }

  /** Rejects for a file, and for a folder with files; with `isReplacing`, for one with files that no export listed. Changes nothing. */
  static async open(path: string, isReplacing: boolean): Promise<ExportFolder> {
    // First, so that the error about a file names it, and not the list in it.
    await entriesOf(path);
    const listed = await listedIn(path);
    let earlier: string | undefined;
    for await (const place of filesBelow(path)) {
      if (!listed.has(place))
        throw new ExportFolderError(
          `The folder '${path}' has files that are not of an export, such as '${place}'. Choose an empty folder, or a new one.`,
        );
      earlier ??= place;
    }
    if (earlier !== undefined && !isReplacing)
      throw new ExportFolderError(
        `The folder '${path}' has files of an earlier export, such as '${earlier}'. Choose an empty folder, or a new one, or replace the earlier export with 'dartboard export --replace'.`,
      );
    return new ExportFolder(path);
  }

  async write(files: readonly WrittenFile[]): Promise<void> {
    await this.list(files.flatMap(({ place }) => [place, place + UNFINISHED]));
    await writeFiles(this.path, files);
  }

  /** Before the files are written. The first call deletes those of an earlier export. */
  async list(places: readonly string[]): Promise<void> {
    this.#list ??= await this.#begin();
    await this.#list.appendFile(places.map(place => `${place}\n`).join(''));
  }

  async close(): Promise<void> {
    await this.#list?.close();
  }

  async #begin(): Promise<FileHandle> {
    await mkdir(this.path, { recursive: true });
    const listed = await listedIn(this.path);
    const folders = new Set<string>();
    // Only files that were found below the folder: a damaged list leads nowhere else.
    for await (const place of filesBelow(this.path)) {
      if (!listed.has(place)) continue;
      await rm(join(this.path, place));
      for (const each of foldersOf(place)) folders.add(each);
    }
    // A folder comes after those in it. One with files stays.
    for (const each of [...folders].sort().reverse())
      await rmdir(join(this.path, each)).catch(() => undefined);
    const list = join(this.path, LIST_NAME);
    await rm(list, { force: true });
    // Refuses a link, and the list of an export that began meanwhile.
    return open(list, 'wx');
  }
}

async function listedIn(folder: string): Promise<ReadonlySet<string>> {
  const text = await textIn(join(folder, LIST_NAME)).catch(throwUnreadable);
  return new Set(text?.split('\n'));
}

/** A link is a file. None for a folder that does not exist. */
async function* filesBelow(folder: string, above = ''): AsyncGenerator<string> {
  for (const entry of await entriesOf(folder)) {
    const place = `${above}${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name), `${place}/`);
    else if (!IGNORED.has(entry.name)) yield place;
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    return isMissing(error) ? [] : throwUnreadable(error);
  }
}

/** The sentence of a system error names the place, and says what to do. */
function throwUnreadable(error: unknown): never {
  throw new ExportFolderError(sentenceOf(error), { cause: error });
}

/** 'a' and 'a/b' of 'a/b/c.png'. */
const foldersOf = (place: string): readonly string[] => {
  const parts = place.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
};
