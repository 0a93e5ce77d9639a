// Files of a desktop, through its shell: archives of the engine do not reach folders that live in memory, as the home does.

import { BoundaryError } from '../../core/failure.ts';
import { quotePath } from './command.ts';
import type { ContainerShell } from './shell.ts';

export interface File {
  /** Absolute, or from the home with `~/` or nothing before it. */
  readonly path: string;
  readonly data: Uint8Array;
}

/** Bytes. */
const LARGEST = 64 << 20;
/** Bytes in one command: Linux takes arguments of 128 KB, and a third is added on the way. */
const PIECE = 60_000;

/** Writes it, with the folders that it needs, over what is there. */
export async function writeFile(shell: ContainerShell, { path, data }: File): Promise<void> {
  const word = quotePath(path);
  await written(shell, path, `mkdir -p -- "$(dirname -- ${word})" && : >${word}`);
  for (let at = 0; at < data.length; at += PIECE) {
    const text = Buffer.from(data.subarray(at, at + PIECE)).toString('base64');
    await written(shell, path, `printf %s ${text} | base64 -d >>${word}`);
  }
}

async function written(shell: ContainerShell, path: string, command: string): Promise<void> {
  const ran = await shell.run(command);
  if (ran.code !== 0) throw fault(`cannot write ${path}: ${Buffer.from(ran.errors).toString().trim()}`);
}

/** What a file holds; undefined where there is none, or what is there can be no answer: a folder, a pipe, far too much. */
export async function readFile(shell: ContainerShell, path: string): Promise<Uint8Array | undefined> {
  const word = quotePath(path);
  const ran = await shell.run(`[ -f ${word} ] && [ -r ${word} ] && exec cat -- ${word}`, { most: LARGEST });
  return ran.code === 0 && !ran.isCut ? ran.output : undefined;
}

const fault = (message: string): BoundaryError =>
  new BoundaryError({ boundary: 'task', thing: 'files', message });
