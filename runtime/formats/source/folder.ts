// A folder of files, or one file with the pictures around it. Symbolic links in the folder are never followed: they may lead out of it.

import { constants, type Dirent } from 'node:fs';
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { MAX_FOLDER_DEPTH, MAX_SOURCE_FILES } from '../limits.ts';
import {
  isCandidate,
  type RefusedFile,
  SourceError,
  type SourceFiles,
  type SourceLine,
  tooLarge,
} from './source.ts';
import { linesOf } from './text-lines.ts';

/** Pictures of a single file lie beside it, or one folder deeper. */
const DEPTH_AROUND_FILE = 2;
/** Absent on Windows, where a link to a file needs special rights. */
const READ_NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

/** `list` reads the entries of a folder. */
export const openFolder = (path: string, list = entriesIn): Promise<SourceFiles> =>
  FolderFiles.open(path, { list });

/** The user named it, so it may be a link: its pictures lie beside the file that the link leads to. */
export async function openSingleFile(path: string): Promise<SourceFiles> {
  const file = await realpath(path);
  return FolderFiles.open(dirname(file), { only: basename(file), title: path });
}

interface FolderOptions {
  readonly only?: string;
  readonly title?: string;
  readonly list?: typeof entriesIn;
}

const entriesIn = (folder: string): Promise<readonly Dirent[]> => readdir(folder, { withFileTypes: true });

class FolderFiles implements SourceFiles {
  readonly title: string;
  readonly above: readonly string[];
  readonly names: readonly string[];
  readonly candidates: readonly string[];
  readonly refused: readonly RefusedFile[];
  readonly #root: string;
  readonly #known: ReadonlySet<string>;

  private constructor(root: string, { names, refused }: Listing, { only, title = root }: FolderOptions) {
    this.#root = root;
    this.title = title;
    this.above = resolve(root)
      .split(sep)
      .filter(part => part !== '');
    this.names = names.toSorted();
    this.#known = new Set(names);
    this.candidates = only === undefined ? this.names.filter(isCandidate) : [only];
    // Around a single file, other files are none of the user's concern.
    this.refused = only === undefined ? refused : refused.filter(({ file }) => file === only);
  }

  static async open(root: string, options: FolderOptions): Promise<FolderFiles> {
    const depth = options.only === undefined ? MAX_FOLDER_DEPTH : DEPTH_AROUND_FILE;
    return new FolderFiles(root, await filesBelow(root, depth, options.list), options);
  }

  has(name: string): boolean {
    return this.#known.has(name);
  }

  async read(name: string, maxBytes: number): Promise<Uint8Array> {
    return this.#opened(name, async file => {
      const { size } = await file.stat();
      if (size > maxBytes) throw tooLarge(name, size, maxBytes);
      return new Uint8Array(await file.readFile());
    });
  }

  async *lines(name: string, maxLineBytes: number): AsyncGenerator<SourceLine> {
    this.#require(name);
    try {
      const file = await open(join(this.#root, name), READ_NO_LINK);
      try {
        yield* linesOf(file.createReadStream({ autoClose: false }), maxLineBytes);
      } finally {
        await file.close();
      }
    } catch (error) {
      throw unreadable(name, error);
    }
  }

  async close(): Promise<void> {}

  #require(name: string): void {
    if (!this.has(name))
      throw new SourceError(`The source '${this.title}' has no file '${name}'. Add it, and import again.`);
  }

  async #opened<T>(name: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
    this.#require(name);
    try {
      const file = await open(join(this.#root, name), READ_NO_LINK);
      try {
        return await use(file);
      } finally {
        await file.close();
      }
    } catch (error) {
      throw unreadable(name, error);
    }
  }
}

/** Faults of one file or folder: the rest of the source can be read. A link is one that replaced a listed file. */
const FAULTS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ['ENOENT', 'it does not exist any more'],
  ['ENOTDIR', 'a folder above it does not exist any more'],
  ['EACCES', 'this user has no permission'],
  ['EPERM', 'this user has no permission'],
  ['ELOOP', 'it is a symbolic link, which could lead out of the folder'],
  ['EISDIR', 'it is a folder'],
]);

const faultOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? FAULTS.get(error.code) : undefined;

/** A SourceError for a fault of the file; any other error as it is. */
function unreadable(name: string, error: unknown): unknown {
  const why = faultOf(error);
  if (why === undefined) return error;
  return new SourceError(`Cannot read the file '${name}': ${why}. Repair it, or leave it out of the source.`);
}

interface Listing {
  readonly names: readonly string[];
  readonly refused: readonly RefusedFile[];
}

async function filesBelow(root: string, maxDepth: number, list = entriesIn): Promise<Listing> {
  const names: string[] = [];
  const refused: RefusedFile[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await entriesOf(root, folder, refused, list)) {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (file.split('/').length < maxDepth) folders.push(file);
        else if (maxDepth === MAX_FOLDER_DEPTH)
          refused.push({
            file,
            why: `It lies more than ${MAX_FOLDER_DEPTH} folders deep. Give a folder further inside.`,
          });
      } else if (entry.isFile()) names.push(file);
      else
        refused.push({
          file,
          why: entry.isSymbolicLink()
            ? 'It is a symbolic link, which could lead out of the folder. Copy the file there.'
            : 'It is neither a file nor a folder. Leave it out.',
        });
      if (names.length + refused.length + folders.length > MAX_SOURCE_FILES)
        throw new SourceError(
          `The folder '${root}' has more than ${MAX_SOURCE_FILES} files. Import its folders one by one.`,
        );
    }
  }
  return { names, refused };
}

/** A folder below the root that cannot be listed has no entries, and is refused. */
async function entriesOf(
  root: string,
  folder: string,
  refused: RefusedFile[],
  list: typeof entriesIn,
): Promise<readonly Dirent[]> {
  try {
    return await list(join(root, folder));
  } catch (error) {
    const why = faultOf(error);
    if (folder === '' || why === undefined) throw error;
    refused.push({
      file: folder,
      why: `The folder cannot be listed: ${why}. Repair it, or leave it out of the source.`,
    });
    return [];
  }
}
