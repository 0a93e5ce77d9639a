// The resources of a process and all its descendants: memory, open files and sockets, threads, processes. Linux only.

import { readdir } from 'node:fs/promises';
import { sum } from '../../../core/sum.ts';
import { memoryByProcess, OWN } from '../../memory.ts';
import { processTree, procField, readProc } from '../../process-tree.ts';
import { median } from '../../report.ts';

export interface Resources {
  /** Megabytes by the name of the process, without the pages of files. */
  readonly memory: Readonly<Record<string, number>>;
  readonly megabytes: number;
  readonly descriptors: number;
  readonly threads: number;
  readonly processes: number;
}

export async function resourcesBelow(root: number): Promise<Resources> {
  const pids = await processTree(root);
  const statuses = await Promise.all(pids.map(pid => readProc(pid, 'status')));
  const memory = await memoryByProcess(root, OWN);
  return {
    memory,
    megabytes: sum(Object.values(memory)),
    descriptors: sum(await Promise.all(pids.map(descriptorsOf))),
    threads: sum(statuses.map(status => procField('Threads', status) ?? 0)),
    processes: statuses.filter(status => status !== '').length,
  };
}

/** 0 for a process that has ended. */
const descriptorsOf = async (pid: number): Promise<number> =>
  (await readdir(`/proc/${pid}/fd`).catch(() => [])).length;

/** From the second to the last quarter of the samples, between their medians: the first quarter starts up, and single samples vary. */
export function growthOf(samples: readonly number[]): number {
  const quarter = (index: number) =>
    median(samples.slice((index * samples.length) / 4, ((index + 1) * samples.length) / 4));
  return samples.length < 4 ? Number.NaN : quarter(3) - quarter(1);
}
