// Downloads the pages of MiniWoB++ into a folder. The folder appears when it is complete: files are unpacked and checked beside it first.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { Clock } from '../../../core/clock.ts';
import { messageOf } from '../../../core/errors.ts';
import { exists } from '../../../core/existing-file.ts';
import { fetchArchive } from './archive.ts';
import { tarFiles } from './tar.ts';

export interface MiniwobSource {
  /** A tar archive, compressed with gzip, of the project's repository. */
  readonly url: string;
  /** SHA-256 over the lines "SHA-256 NAME" of the kept files, sorted by name. */
  readonly digest: string;
}

/** The digest is that of the files in the repository at the tag; Git hosts may compress one archive in different ways. */
export const MINIWOB_SOURCE: MiniwobSource = {
  url: 'https://github.com/Farama-Foundation/miniwob-plusplus/archive/refs/tags/v1.0.tar.gz',
  digest: '0d00ca93ed6df00489e878d7eab6effa076fecea2fdd5e5f37708a7f01f269b5',
};

/** The archive of version 1.0 has less than 10 MB, with 11 MB in it. */
const MAX_ARCHIVE_BYTES = 64 * 2 ** 20;
const MAX_FILES_BYTES = 128 * 2 ** 20;

export interface DownloadOptions {
  readonly source: MiniwobSource;
  readonly folder: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Rejects if the folder exists. */
export async function downloadMiniwob({ source, folder, clock, signal }: DownloadOptions): Promise<void> {
  if (await exists(folder))
    throw new RangeError(`${folder} exists. Remove it, or choose another folder with --to.`);
  const part = `${folder}.part`;
  const [archive, unpacked] = [join(part, 'archive.tar.gz'), join(part, 'unpacked')];
  await mkdir(part, { recursive: true });
  await fetchArchive({ url: source.url, file: archive, maxBytes: MAX_ARCHIVE_BYTES, clock, signal });
  try {
    await rm(unpacked, { recursive: true, force: true });
    const digest = await unpackMiniwob(archive, unpacked);
    if (digest !== source.digest)
      throw new RangeError(
        `The digest of its files is ${digest} instead of ${source.digest}. Download it again; if the digest stays the same, report it.`,
      );
  } catch (error) {
    // The next call starts with a new archive.
    await rm(part, { recursive: true, force: true });
    throw new Error(`The archive of ${source.url} is not used: ${messageOf(error)}`, { cause: error });
  }
  await rename(unpacked, folder);
  await rm(part, { recursive: true, force: true });
}

/** Returns the digest of the files. */
async function unpackMiniwob(archive: string, folder: string): Promise<string> {
  const lines = new Map<string, string>();
  let bytes = 0;
  const compressed = createReadStream(archive);
  const chunks = createGunzip();
  compressed.on('error', error => chunks.destroy(error)).pipe(chunks);
  for await (const file of tarFiles(chunks)) {
    bytes += file.bytes.length;
    if (bytes > MAX_FILES_BYTES)
      throw new RangeError(
        `It unpacks to more than ${MAX_FILES_BYTES} bytes. Download it again; if that repeats, report it.`,
      );
    const name = keptName(file.name);
    if (name === undefined) continue;
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.bytes);
    lines.set(name, `${createHash('sha256').update(file.bytes).digest('hex')} ${name}\n`);
  }
  const sorted = [...lines].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
  return createHash('sha256').update(sorted.join('')).digest('hex');
}

/**
 * The name below the user's folder; undefined for files that are not needed, such as the saved pages of airlines. Throws for a name that
 * leads out of the folder.
 */
export function keptName(name: string): string | undefined {
  const [, ...parts] = name.split('/');
  if (parts.some(part => part === '' || part === '.' || part === '..' || /[\\:\0]/.test(part)))
    throw new RangeError(`It contains a file with the unsafe name ${JSON.stringify(name)}.`);
  const path = parts.join('/');
  if (path === 'LICENSE') return path;
  const [, below] = /^miniwob\/(html\/(?!flight\/).+)$/.exec(path) ?? [];
  return below;
}
