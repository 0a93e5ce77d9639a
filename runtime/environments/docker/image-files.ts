// Images as files, so that what takes minutes to build takes seconds the next time, and gets to machines without a network. How a
// file is packed is told by its name.

import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Duplex, PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { DockerHost } from './host.ts';
import { followProgress } from './image-log.ts';

type Packing = 'tar' | 'gzip' | 'zstd';

const ENDS: Readonly<Record<string, Packing>> = {
  '.tar': 'tar',
  '.tar.gz': 'gzip',
  '.tgz': 'gzip',
  '.tar.zst': 'zstd',
};

/** Throws a RangeError for a name that says nothing of the kind. */
export function packingOf(file: string): Packing {
  const [, packing] = Object.entries(ENDS).find(([end]) => file.endsWith(end)) ?? [];
  if (packing === undefined)
    throw new RangeError(`'${file}' does not say how it is packed: end it with .tar, .tar.gz or .tar.zst.`);
  return packing;
}

/** Under another name until it is whole. */
export async function saveImage(host: DockerHost, tag: string, file: string): Promise<void> {
  const packing = packingOf(file);
  const partial = `${file}.part-${process.pid}`;
  await mkdir(dirname(file), { recursive: true });
  try {
    await pipeline(await host.save(tag), packer(packing), createWriteStream(partial));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

export async function loadImage(host: DockerHost, file: string): Promise<void> {
  const stored = createReadStream(file);
  // Engines unpack gzip themselves; not all of them know zstd.
  const tar = packingOf(file) === 'zstd' ? unpacked(stored) : stored;
  await followProgress(await host.load(tar), `load ${file}`, `engine ${host.name}`, () => {});
}

/** Whether the program that packs best is there. */
export const hasZstd = (): Promise<boolean> =>
  new Promise(resolve => {
    const program = spawn('zstd', ['--version'], { stdio: 'ignore' });
    program.once('error', () => resolve(false));
    program.once('close', code => resolve(code === 0));
  });

function packer(packing: Packing): Duplex {
  if (packing === 'zstd') return zstd('-1', '-T0', '-c');
  return packing === 'gzip' ? createGzip({ level: 1 }) : new PassThrough();
}

function unpacked(stored: Readable): Readable {
  const whole = zstd('-d', '-c');
  stored.once('error', error => whole.destroy(error));
  return stored.pipe(whole);
}

/** The program as a stream: what it fails with is the stream's error. */
function zstd(...options: readonly string[]): Duplex {
  const program = spawn('zstd', ['-q', ...options], { stdio: ['pipe', 'pipe', 'pipe'] });
  const stream = Duplex.from({ writable: program.stdin, readable: program.stdout });
  let errors = '';
  program.stderr.setEncoding('utf8').on('data', text => {
    errors += text;
  });
  program.once('error', error => {
    const isMissing = 'code' in error && error.code === 'ENOENT';
    stream.destroy(
      isMissing ? new Error("The program 'zstd' is not here: install it, or use .tar.gz.") : error,
    );
  });
  program.once('close', code => {
    if (code !== 0) stream.destroy(new Error(`zstd: ${errors.trim() || `it ended with ${code}`}`));
  });
  return stream;
}
