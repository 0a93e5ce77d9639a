// Images as files, so that they are built once and reach machines without a network. The suffix of the name selects the compression.

import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Duplex, PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { z } from 'zod';
import { namesIn } from '../../core/existing-file.ts';
import { BoundaryError } from '../../core/failure.ts';
import { parsedJson } from '../../core/json.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { requirePipes } from '../child-pipes.ts';
import type { DockerHost } from './host.ts';
import { lineReader } from './streams.ts';

type Compression = 'none' | 'gzip' | 'zstd';

const SUFFIXES: Readonly<Record<string, Compression>> = {
  '.tar': 'none',
  '.tar.gz': 'gzip',
  '.tgz': 'gzip',
  '.tar.zst': 'zstd',
};

/** Throws a RangeError for an unknown suffix. */
export function compressionOf(file: string): Compression {
  const [, compression] = Object.entries(SUFFIXES).find(([suffix]) => file.endsWith(suffix)) ?? [];
  if (compression !== undefined) return compression;
  throw new RangeError(`'${file}' has no known suffix. Use .tar, .tar.gz or .tar.zst.`);
}

/** Writes to a temporary name first, so that the file is complete or missing. */
export async function saveImage(host: DockerHost, tag: string, file: string): Promise<void> {
  const compression = compressionOf(file);
  const partial = `${file}.part-${process.pid}`;
  await mkdir(dirname(file), { recursive: true });
  await removeStaleParts(file);
  try {
    await pipeline(await host.save(tag), compressor(compression), createWriteStream(partial));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

const STALE_AFTER_MS = 24 * 60 * 60_000;

/** Removes old parts alone, since a process of another machine may still write its part. A part that cannot be removed stays. */
async function removeStaleParts(file: string): Promise<void> {
  const prefix = `${basename(file)}.part-`;
  for (const name of await namesIn(dirname(file)))
    if (name.startsWith(prefix) && /^[1-9]\d*$/.test(name.slice(prefix.length)))
      await removeIfStale(join(dirname(file), name)).catch(() => undefined);
}

async function removeIfStale(part: string): Promise<void> {
  const { mtimeMs } = await stat(part);
  if (Date.now() - mtimeMs > STALE_AFTER_MS) await rm(part, { force: true });
}

export async function loadImage(host: DockerHost, file: string): Promise<void> {
  // Every engine decompresses gzip; not every engine supports zstd.
  const tar = compressionOf(file) === 'zstd' ? decompressed(file) : createReadStream(file);
  // `host.load` reports an error of the file. Without this listener, an error after that call would end the process.
  tar.on('error', () => undefined);
  try {
    await followProgress(await host.load(tar), `load ${file}`, `engine ${host.name}`, () => undefined);
  } finally {
    // A load that failed has not read it to its end.
    tar.destroy();
  }
}

/** True if the program zstd is installed. */
export const hasZstd = (): Promise<boolean> =>
  new Promise(resolve => {
    const program = spawn('zstd', ['--version'], { stdio: 'ignore', timeout: 10_000 });
    program.once('error', () => resolve(false));
    program.once('close', code => resolve(code === 0));
  });

function compressor(compression: Compression): Duplex {
  if (compression === 'zstd') return zstd('-1', '-T0', '-c');
  return compression === 'gzip' ? createGzip({ level: 1 }) : new PassThrough();
}

function decompressed(file: string): Readable {
  const tar = zstd('-d', '-c');
  return createReadStream(file)
    .once('error', error => tar.destroy(error))
    .pipe(tar);
}

/** The program as a stream. A failure of the program is an error of the stream. */
function zstd(...options: readonly string[]): Duplex {
  const program = spawn('zstd', ['-q', ...options], { stdio: ['pipe', 'pipe', 'pipe'] });
  requirePipes(program, "the program 'zstd'");
  const stream = Duplex.from({ writable: program.stdin, readable: program.stdout });
  let errors = '';
  program.stderr.setEncoding('utf8').on('data', text => {
    errors += text;
  });
  program.once('error', error => {
    const isMissing = 'code' in error && error.code === 'ENOENT';
    const missing = new Error("The program 'zstd' is not installed. Install it, or use .tar.gz.");
    stream.destroy(isMissing ? missing : error);
  });
  program.once('close', code => {
    if (code !== 0) stream.destroy(new Error(`zstd: ${errors.trim() || `exit code ${code}`}`));
  });
  // A stream that fails or is given up leaves no process behind.
  stream.once('close', () => program.kill());
  return stream;
}

const progressLine = z.object({ stream: z.string().default(''), error: z.string().optional() });

const MAX_LINE_BYTES = 1 << 20;
/** Lines of the log in an error message: the engine's own error rarely has the cause. */
const ERROR_CONTEXT_LINES = 12;

/** Reads the log of a build or a load and reports each build step. Rejects with the last lines if the engine reports an error. */
export async function followProgress(
  log: Readable,
  what: string,
  thing: string,
  progress: (step: string) => void,
): Promise<void> {
  const last: string[] = [];
  const read = lineReader(MAX_LINE_BYTES, line => {
    const { stream, error } = safeParse(progressLine, parsedJson(line ?? '')).data ?? { stream: '' };
    for (const text of stream.split('\n').map(withoutControls).filter(Boolean)) {
      last.push(text);
      const step = buildStep(text);
      if (step !== undefined) progress(step);
    }
    if (error === undefined) return;
    const context = last.slice(-ERROR_CONTEXT_LINES).map(each => `\n  ${each}`);
    const message = `${what}: ${error.trim()}${context.join('')}`;
    throw new BoundaryError({ boundary: 'provider', thing, message });
  });
  for await (const piece of log) read(Buffer.from(piece));
  read(Buffer.from('\n')); // The last line may lack its end.
}

/** 'step 3 of 9: apt-get update' for 'Step 3/9 : RUN apt-get update'. */
export function buildStep(text: string): string | undefined {
  const [, number, total, command = ''] = /^Step (\d+)\/(\d+) : (.*)$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  const short = command.replace(/^RUN /, '').replaceAll(/\s+/g, ' ');
  return `step ${number} of ${total}: ${short.length > 60 ? `${short.slice(0, 59)}…` : short}`;
}

/** Removes colours and cursor movements. */
const withoutControls = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
    .replaceAll(/\u001b\[[0-9;]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f]/g, '')
    .trimEnd();
