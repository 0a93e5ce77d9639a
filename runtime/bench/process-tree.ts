// The processes below another one, and what the system knows of each. Linux only.

import { readdir, readFile } from 'node:fs/promises';

/** A process and all its descendants; none on other systems. */
export async function processTree(root: number): Promise<readonly number[]> {
  if (process.platform !== 'linux') return [];
  const parents = new Map<number, number | undefined>();
  for (const name of await readdir('/proc'))
    if (/^\d+$/.test(name))
      parents.set(Number(name), procField('PPid', await readProc(Number(name), 'status')));
  const isDescendant = (pid: number | undefined): boolean =>
    pid === root || (pid !== undefined && pid > 0 && isDescendant(parents.get(pid)));
  return [...parents.keys()].filter(isDescendant);
}

/** The number in a line such as 'Pss:   5432 kB'. */
export function procField(key: string, text: string): number | undefined {
  const digits = new RegExp(`^${key}:\\s*(\\d+)`, 'm').exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Empty for a process that has ended or that this user may not read. */
export const readProc = (
  pid: number,
  file: 'status' | 'stat' | 'smaps_rollup' | 'cmdline',
): Promise<string> => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
