// Sends the files that the tasks of a run need and that Dartboard does not contain, as blobs, so that joined hosts have them: task files, pages
// that web tasks serve, the pages of MiniWoB++, and files that OSWorld's tasks upload or that a mirror has. The list of the files is a blob too.
//
// Law: nothing is sent that lies outside of the folders of the tasks, of MiniWoB++ and of the mirror, also behind a link.

import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, posix, relative, sep } from 'node:path';
import * as z from 'zod';
import { type BlobHash, type Blobs, isBlobHash, MAX_BLOB_BYTES } from '../../blobs/blobs.ts';
import type { Config } from '../../config/config.ts';
import { isMissing } from '../../core/errors.ts';
import type { TaskId } from '../../core/ids.ts';
import type { Task } from '../../core/task.ts';
import { ADDRESSES_FILE, mirroredPath } from '../../environments/osworld/downloads.ts';
import { localFilesOf } from '../../environments/osworld/local-files.ts';
import { folderOfTask, type Suite, taskIfPossible, trainingSeeds } from '../../environments/suite.ts';
import { isWithin } from '../../environments/web/browser/served-files.ts';
import { isMiniwobTask, MINIWOB_SERVED } from '../../environments/web/miniwob/suite.ts';
import { servedFolders } from '../../environments/web/served-folders.ts';

/** The folders of the sent files, by what they stand for. */
export const SENT_TASKS = 'tasks';
export const SENT_MIRROR = 'mirror';
export const SENT_MINIWOB = 'miniwob';
const SENT_FOLDERS = [SENT_TASKS, SENT_MIRROR, SENT_MINIWOB];

const MAX_SENT_FILES = 10_000;
const MAX_SENT_BYTES = 512 * 1024 * 1024;

/** Parts of a path on each system. None leads out of its folder. */
const isPlainPath = (path: string): boolean =>
  path.split('/').every(part => !/^\.{0,2}$|[\\\0]/.test(part)) &&
  SENT_FOLDERS.some(folder => path.startsWith(`${folder}/`));

/** The content of the blob that lists the files. */
export const sentFiles = z
  .array(
    z.strictObject({
      path: z.string().max(4096).refine(isPlainPath, 'not a path below one of the sent folders'),
      hash: z.custom<BlobHash>(value => typeof value === 'string' && isBlobHash(value)),
    }),
  )
  .max(MAX_SENT_FILES);

export interface SentTasks {
  /** Lists the files. */
  readonly list: BlobHash;
  /** With the list. */
  readonly blobs: ReadonlySet<BlobHash>;
}

interface SentTasksOptions {
  readonly config: Pick<Config, 'suite' | 'environments'>;
  readonly suite: Suite;
  readonly tasks: readonly TaskId[];
}

/** Undefined if the tasks are built in. Rejects with a RangeError for files that cannot be sent. */
export async function sendTasks(options: SentTasksOptions, blobs: Blobs): Promise<SentTasks | undefined> {
  const files = new Map<string, string>();
  for await (const { path, file } of neededFiles(options)) {
    if (!isPlainPath(path))
      throw new RangeError(
        `Another system cannot have a file with the name ${JSON.stringify(path)}. Rename it.`,
      );
    files.set(path, file);
    if (files.size > MAX_SENT_FILES)
      throw new RangeError(
        `The tasks need more than ${MAX_SENT_FILES} files. Train fewer tasks, or let them serve smaller folders.`,
      );
  }
  if (files.size === 0) return undefined;
  await requireBytes(files);
  const sent: z.infer<typeof sentFiles> = [];
  for (const [path, file] of files) sent.push({ path, hash: await blobs.put(await readFile(file)) });
  const list = await blobs.put(Buffer.from(JSON.stringify(sent)));
  return { list, blobs: new Set([list, ...sent.map(({ hash }) => hash)]) };
}

/** Before any of them is read. */
async function requireBytes(files: ReadonlyMap<string, string>): Promise<void> {
  let sum = 0;
  for (const [path, file] of files) {
    const { size } = await stat(file);
    if (size > MAX_BLOB_BYTES)
      throw new RangeError(
        `The file ${path} has ${size} bytes, and a sent file at most ${MAX_BLOB_BYTES}. Make it smaller${orDownload(path)}, or train other tasks.`,
      );
    sum += size;
    if (sum > MAX_SENT_BYTES)
      throw new RangeError(
        `The files of the tasks have more than ${MAX_SENT_BYTES} bytes together: ${path} does not fit. Train fewer tasks${orDownload(path)}, or use smaller files.`,
      );
  }
}

const orDownload = (path: string): string =>
  path.startsWith(`${SENT_MIRROR}/`) ? ', remove it from the mirror so that each host downloads it' : '';

interface NeededFile {
  /** On a host. */
  readonly path: string;
  /** On this machine: a real path. */
  readonly file: string;
}

/** A file may come several times. One that is missing is left out: its episodes break here, too. */
async function* neededFiles({ config, suite, tasks }: SentTasksOptions): AsyncGenerator<NeededFile> {
  const { files: folder } = config.suite;
  const { kind, guest, web } = config.environments;
  if (kind === 'web' && web.miniwob !== undefined && tasks.some(isMiniwobTask))
    yield* pagesIn(SENT_MINIWOB, web.miniwob, MINIWOB_SERVED);
  if (folder === undefined) return;
  const addresses = new Set<string>();
  for (const id of tasks) {
    const template = suite.template(id);
    if (folderOfTask(template) === undefined) continue;
    yield* fileIn(SENT_TASKS, folder, relative(folder, template.file ?? ''));
    if (kind === 'web')
      for (const served of new Set(instancesOf(suite, id).flatMap(servedFolders)))
        yield* pagesIn(SENT_TASKS, folder, served);
    if (kind !== 'guest') continue;
    for (const needed of instancesOf(suite, id).map(localFilesOf)) {
      for (const path of needed.uploads) yield* fileIn(SENT_TASKS, folder, path);
      for (const address of needed.addresses) addresses.add(address);
    }
  }
  if (guest.mirror !== undefined) yield* mirrored(guest.mirror, addresses);
}

/** Without those that cannot be made: their episodes break on every host. */
const instancesOf = (suite: Suite, id: TaskId): readonly Task[] =>
  trainingSeeds(suite).flatMap(number => taskIfPossible(suite, id, number) ?? []);

async function* fileIn(to: string, folder: string, path: string): AsyncGenerator<NeededFile> {
  const file = await realPathIn(folder, path);
  if (file !== undefined && (await stat(file)).isFile()) yield { path: sentPath(to, path), file };
}

async function* mirrored(mirror: string, addresses: ReadonlySet<string>): AsyncGenerator<NeededFile> {
  let hasSome = false;
  for (const address of addresses) {
    const path = URL.canParse(address) ? await mirroredPath(mirror, address) : undefined;
    if (path === undefined) continue;
    for await (const each of fileIn(SENT_MIRROR, mirror, path)) {
      hasSome = true;
      yield each;
    }
  }
  // Names the files of addresses with a query.
  if (hasSome) yield* fileIn(SENT_MIRROR, mirror, ADDRESSES_FILE);
}

/** All files below a folder that pages see. */
async function* pagesIn(to: string, folder: string, served: string): AsyncGenerator<NeededFile> {
  const root = await realPathIn(folder, served);
  if (root === undefined || !(await stat(root)).isDirectory()) return;
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(served, relative(root, entry.parentPath), entry.name);
    if (entry.isFile()) yield* fileIn(to, folder, path);
    if (!entry.isSymbolicLink()) continue;
    const target = await realPath(join(entry.parentPath, entry.name));
    // Pages do not see it.
    if (target === undefined || (target !== root && !isWithin(root, target))) continue;
    if ((await stat(target)).isDirectory())
      throw new RangeError(`The page folder ${path} is a link to a folder. Replace the link by a copy.`);
    yield* fileIn(to, folder, path);
  }
}

/** Undefined for a missing file. Rejects with a RangeError for one outside of the folder. */
async function realPathIn(folder: string, path: string): Promise<string | undefined> {
  const [root, file] = await Promise.all([
    realPath(folder),
    realPath(isAbsolute(path) ? path : join(folder, path)),
  ]);
  if (root === undefined || file === undefined) return undefined;
  if (!isAbsolute(path) && (file === root || isWithin(root, file))) return file;
  throw new RangeError(
    `The file ${path} is not in the folder ${folder}. Copy it into the folder, and name it relative to the folder.`,
  );
}

const realPath = (path: string): Promise<string | undefined> =>
  realpath(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });

const sentPath = (to: string, path: string): string => posix.join(to, ...path.split(sep));
