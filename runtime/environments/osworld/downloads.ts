// The files that OSWorld's tasks name by address: from a folder that mirrors them, or from the network, kept in a folder.

import { createHash } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, normalize, relative, sep } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../core/errors.ts';
import { bytesIn, textIn } from '../../core/existing-file.ts';
import { parsedJson } from '../../core/json.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { taskError } from '../task-function.ts';

export interface FileDownloads {
  fetch(url: string): Promise<Uint8Array>;
}

/** Resolves with the bytes behind an address, or rejects with the reason. */
export type Network = (url: string) => Promise<Uint8Array>;

interface DownloadOptions {
  /** Has the file of `https://HOST/PATH` at HOST/PATH. Files with a query are named in its `urls.json`, by address. */
  readonly mirror?: string | undefined;
  /** Keeps what the network gave, by the hash of its address. */
  readonly folder: string;
  /** Undefined if the network may not be used. */
  readonly network?: Network | undefined;
}

export class KeptDownloads implements FileDownloads {
  readonly #options: DownloadOptions;
  readonly #running = new Map<string, Promise<Uint8Array>>();

  constructor(options: DownloadOptions) {
    this.#options = options;
  }

  /** Requests for one address at the same time share one download. */
  fetch(url: string): Promise<Uint8Array> {
    const running = this.#running.get(url);
    if (running !== undefined) return running;
    const download = this.#fetch(url).finally(() => this.#running.delete(url));
    this.#running.set(url, download);
    return download;
  }

  async #fetch(url: string): Promise<Uint8Array> {
    const { mirror, folder, network } = this.#options;
    if (!URL.canParse(url)) throw downloadError(url, 'it is not an address. Correct the task');
    const mirrored = mirror === undefined ? undefined : await mirroredFile(mirror, url);
    if (mirrored !== undefined) return mirrored;
    const path = join(folder, createHash('sha256').update(url).digest('hex'));
    const kept = await bytesIn(path);
    if (kept !== undefined) return kept;
    if (network === undefined)
      throw downloadError(url, 'the folder of mirrored files does not have it. Add it, or allow the network');
    const bytes = await network(url);
    await mkdir(folder, { recursive: true });
    const part = `${path}.part-${process.pid}`;
    try {
      // On the disk before the rename: otherwise a power failure can leave an empty file, which would be kept.
      await writeFile(part, bytes, { flush: true });
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    return bytes;
  }
}

export const downloadError = (url: string, reason: string) =>
  taskError('download', `cannot download ${url}: ${reason.replace(/\.?$/, '.')}`, 'provider');

async function mirroredFile(mirror: string, url: string): Promise<Uint8Array | undefined> {
  const path = await mirroredPath(mirror, url);
  if (path === undefined) return undefined;
  try {
    return await bytesIn(join(mirror, path));
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_MIRRORED.includes(error.code)) return undefined;
    throw downloadError(url, messageOf(error));
  }
}

/** The mirror has a folder there, or a file in place of a folder, or cannot have a file with such a name. */
const NOT_MIRRORED: readonly unknown[] = ['EISDIR', 'ENOTDIR', 'ENAMETOOLONG'];

/** Where the mirror has the file of an address, if it has it: relative to the mirror. Undefined for a path that leads out of it. */
export async function mirroredPath(mirror: string, url: string): Promise<string | undefined> {
  const { host, pathname } = new URL(url);
  const named = (await namedFiles(mirror))[url];
  const path = normalize(named ?? join(host, decoded(pathname)));
  const [first] = relative(mirror, join(mirror, path)).split(sep);
  return first === '' || first === '..' ? undefined : path;
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname; // It has a percent sign that encodes nothing.
  }
}

/** Of a mirror. */
export const ADDRESSES_FILE = 'urls.json';

const names = z.record(z.string(), z.string());

async function namedFiles(mirror: string): Promise<Readonly<Record<string, string>>> {
  const file = join(mirror, ADDRESSES_FILE);
  const text = await textIn(file);
  if (text === undefined) return {};
  const parsed = safeParse(names, parsedJson(text));
  if (parsed.success) return parsed.data;
  throw taskError(
    'mirror',
    `${file} does not map addresses to files. Write { "https://…": "file in the mirror" }.`,
    'provider',
  );
}
