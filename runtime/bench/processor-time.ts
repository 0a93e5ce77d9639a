// Processor time of this process and all its descendants. Other programs on the machine do not change it, so that the cost of a step can be
// compared between runs. Linux only.

import { sum } from '../core/sum.ts';
import { processTree, readProc } from './process-tree.ts';

/** Seconds by kind of process; a renderer of a browser is 'renderer'. Ended children count for their parent. */
export type ProcessorSeconds = Readonly<Record<string, number>>;

const NODE = 'node';
/** `man 5 proc`: the kernel reports in this unit on every architecture. */
const TICKS_PER_SECOND = 100;
/** Of the text after the name of the program: utime, stime, cutime, cstime. */
const [FROM, TO] = [11, 15];

export async function processorTime(root: number, kinds = kindOf): Promise<ProcessorSeconds> {
  const sums: Record<string, number> = {};
  for (const pid of await processTree(root)) {
    const kind = pid === root ? NODE : kinds(await readProc(pid, 'cmdline'));
    sums[kind] = (sums[kind] ?? 0) + secondsOf(await readProc(pid, 'stat'));
  }
  return sums;
}

/** From the text of `/proc/PID/stat`; 0 for a process that has ended. */
export function secondsOf(stat: string): number {
  // The name can contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return sum(fields.slice(FROM, TO).map(Number)) / TICKS_PER_SECOND;
}

/** From the text of `/proc/PID/cmdline`. */
export const kindOf = (commandLine: string): string => /--type=([\w-]+)/.exec(commandLine)?.[1] ?? 'main';

export const since = (before: ProcessorSeconds, after: ProcessorSeconds): ProcessorSeconds =>
  Object.fromEntries(Object.entries(after).map(([kind, seconds]) => [kind, seconds - (before[kind] ?? 0)]));

export const totalTime = (time: ProcessorSeconds): number => sum(Object.values(time));
