// The calls of a disk that durable files are made of. They are passed in, so that a simulation can fail, and lose power, between any two.

import {
  closeSync,
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  openSync,
  read,
  renameSync,
  writeFile,
} from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { namesIn } from './existing-file.ts';

export interface DiskFile {
  size(): Promise<number>;
  /** Shorter at the end of the file. */
  read(length: number, at: number): Promise<Buffer>;
  /** A failed append may have written a part. */
  append(bytes: Uint8Array): Promise<void>;
  truncate(length: number): Promise<void>;
  /** Resolves once the content would survive a power failure. The name of a new file survives only with its folder. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Disk {
  /** 'w' creates or empties the file, 'a+' creates it or keeps its content. */
  open(path: string, flags: 'w' | 'a+', mode: number): Promise<DiskFile>;
  read(path: string): Promise<Uint8Array>;
  /** The names in a folder; none if there is no such folder. */
  names(path: string): Promise<readonly string[]>;
  /** Replaces an existing file atomically. */
  rename(from: string, to: string): Promise<void>;
  /** A missing file is no error. */
  remove(path: string): Promise<void>;
  /** Also creates the folders above it. Returns the topmost folder that it created, if any. */
  makeFolder(path: string, mode: number): Promise<string | undefined>;
  /** Resolves once the names in the folder would survive a power failure. */
  syncFolder(path: string): Promise<void>;
}

const [readInto, written, dataSynced, synced] = [
  promisify(read),
  promisify(writeFile),
  promisify(fdatasync),
  promisify(fsync),
];

/**
 * Writes and syncs run in the thread pool. Opening, closing and renaming are synchronous: they only change memory, and a round trip to the
 * thread pool takes several times as long, dozens of times per second.
 */
export const nodeDisk: Disk = {
  open: async (path, flags, mode) => new NodeFile(openSync(path, flags, mode)),
  read: path => readFile(path),
  names: namesIn,
  rename: async (from, to) => renameSync(from, to),
  remove: path => rm(path, { force: true }),
  makeFolder: (path, mode) => mkdir(path, { recursive: true, mode }),
  // Windows has no such call, and makes renames durable by itself.
  syncFolder: async path => {
    if (process.platform === 'win32') return;
    const folder = openSync(path, 'r');
    try {
      await synced(folder);
    } finally {
      closeSync(folder);
    }
  },
};

class NodeFile implements DiskFile {
  readonly #file: number;

  constructor(file: number) {
    this.#file = file;
  }

  async size(): Promise<number> {
    return fstatSync(this.#file).size;
  }

  async read(length: number, at: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await readInto(this.#file, bytes, 0, length, at);
    return bytes.subarray(0, bytesRead);
  }

  append(bytes: Uint8Array): Promise<void> {
    return written(this.#file, bytes);
  }

  async truncate(length: number): Promise<void> {
    ftruncateSync(this.#file, length);
  }

  sync(): Promise<void> {
    return dataSynced(this.#file);
  }

  async close(): Promise<void> {
    closeSync(this.#file);
  }
}
