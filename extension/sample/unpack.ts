// Unpacks the sample run of the extension into VS Code's storage folder, apart from the user's runs. Several windows share this folder, also
// with different versions of the extension. So each archive has a folder of its own, named by its hash.

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { namesIn } from '../../runtime/core/existing-file.ts';

/** The name of the recorded run; the script that records it uses the same name. */
export const SAMPLE_RUN = 'sample';
/** A file with the SHA-256 of the archive: written last and deleted first, so that only a complete folder has it. */
const ORIGIN_FILE = 'origin';
/** Also the name in earlier versions, without a hash. */
const SAMPLE_FOLDER = /^sample(-[0-9a-f]{8})?$/;
const UNFINISHED = 'sample.unfinished';
/** Nobody unpacks for so long. */
const MAX_UNPACKING_MS = 3_600_000;

/** Resolves with the folder of the sample. Unpacks once per archive. */
export async function unpackSample(archive: string, storage: string): Promise<string> {
  const bytes = await readFile(archive);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const folder = join(storage, `sample-${hash.slice(0, 8)}`);
  if (await isComplete(folder)) return folder;
  await mkdir(storage, { recursive: true });
  const unfinished = await mkdtemp(join(storage, `${UNFINISHED}-`));
  try {
    for (const [name, content] of Object.entries(unzipSync(bytes))) {
      const file = join(unfinished, ...name.split('/'));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    await writeFile(join(unfinished, ORIGIN_FILE), `${hash}\n`);
    await moveInto(folder, unfinished);
  } finally {
    await deleteFolder(unfinished);
  }
  return folder;
}

async function moveInto(folder: string, unfinished: string): Promise<void> {
  try {
    await rename(unfinished, folder);
  } catch {
    // Another window was faster, or a deletion failed halfway.
    if (await isComplete(folder)) return;
    await deleteSample(folder);
    await rename(unfinished, folder);
  }
}

export const isComplete = (folder: string): Promise<boolean> =>
  stat(join(folder, ORIGIN_FILE)).then(
    () => true,
    () => false,
  );

/** The folders of all archives that were unpacked. */
export const samplesIn = async (storage: string): Promise<readonly string[]> =>
  (await namesIn(storage)).filter(name => SAMPLE_FOLDER.test(name)).map(name => join(storage, name));

export async function deleteSample(folder: string): Promise<void> {
  await deleteFolder(join(folder, ORIGIN_FILE));
  await deleteFolder(folder);
}

/** Retries, because a daemon that has just exited may still hold files open on Windows. */
const deleteFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

export interface SampleUse {
  /** This window uses it. */
  readonly folder: string;
  /** Whether a daemon serves a folder. Another window may use it then. */
  readonly isServed: (folder: string) => Promise<boolean>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Deletes what other versions of the extension, and windows that ended while they unpacked, left. Skips what cannot be deleted now. */
export async function deleteUnusedSamples(
  storage: string,
  { folder, isServed, now }: SampleUse,
): Promise<void> {
  const remove = async (path: string, isUsed: (path: string) => Promise<boolean>) => {
    if (!(await isUsed(path))) await deleteSample(path);
  };
  const isUnpacking = async (path: string) => now - (await stat(path)).mtimeMs < MAX_UNPACKING_MS;
  const others = (await samplesIn(storage)).filter(each => each !== folder);
  const unfinished = (await namesIn(storage)).filter(name => name.startsWith(UNFINISHED));
  await Promise.allSettled([
    ...others.map(each => remove(each, isServed)),
    ...unfinished.map(name => remove(join(storage, name), isUnpacking)),
  ]);
}
