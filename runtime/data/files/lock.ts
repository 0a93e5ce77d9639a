// One process at a time keeps a folder: two would cut each other's lines. Whoever died without letting go does not hold it.

import { readFile, rm, writeFile } from 'node:fs/promises';

export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/** Gives what lets go of it again. */
export async function lock(path: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await writeFile(path, `${process.pid}\n`, { flag: 'wx' });
      return () => rm(path, { force: true });
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''));
    if (isAlive(holder)) {
      throw new FolderInUse(
        `The process ${holder} keeps this folder: end it first, or delete '${path}' if it is none of Dartboard's.`,
      );
    }
    await rm(path, { force: true });
  }
}

/** A new process may have the number of the one that died: its own does not count. */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 1 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
