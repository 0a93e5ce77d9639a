// The processes of a run whose faults are planned: those below its daemon, each with its command line. Linux only.

import { basename } from 'node:path';
import { processTree, readProc } from '../../process-tree.ts';
import type { Victim } from './plan.ts';

export interface RunningProcess {
  readonly pid: number;
  /** Its program and arguments, separated by NUL. */
  readonly command: string;
}

/** Without the process itself, and without those that have ended and are not reaped yet: they have no command line. */
export async function processesBelow(root: number): Promise<readonly RunningProcess[]> {
  const pids = (await processTree(root)).filter(pid => pid !== root);
  const found = await Promise.all(pids.map(async pid => ({ pid, command: await readProc(pid, 'cmdline') })));
  return found.filter(({ command }) => command !== '');
}

/** Its pid belongs to no other program meanwhile. */
export const isStillRunning = async ({ pid, command }: RunningProcess): Promise<boolean> =>
  (await readProc(pid, 'cmdline')) === command;

export async function killIfRunning(one: RunningProcess): Promise<void> {
  if (!(await isStillRunning(one))) return;
  try {
    process.kill(one.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** The candidates for this victim; none for a victim that is no process below the daemon. */
export function victimsAmong(all: readonly RunningProcess[], victim: Victim): readonly RunningProcess[] {
  return all.filter(({ command }) => {
    const words = command.split('\0');
    // Processes of pages have a type.
    if (victim === 'browser')
      return words.includes('--remote-debugging-pipe') && !words.some(word => word.startsWith('--type='));
    return words.some(word => basename(word) === `${victim}.js`);
  });
}
