// Memory of this process and all its descendants, sampled while something runs. Linux only. A page that several processes share
// counts once, in parts (proportional set size); without that number the resident set size is used.

import { basename } from 'node:path';
import { sum } from '../core/sum.ts';
import { processTree, procField, readProc } from './process-tree.ts';

/** Reading the proportional set size takes about 30 ms of processor time per gigabyte. */
const INTERVAL_MS = 2000;

export interface MemorySample {
  /** Seconds since the start. */
  readonly seconds: number;
  /** By name of the process. */
  readonly megabytes: Readonly<Record<string, number>>;
}

/** The name of the measuring process in samples. */
export const THIS_PROCESS = 'this process';

export interface MemoryMeasured<T> {
  readonly result: T;
  /** The peak; undefined where the system does not report memory. */
  readonly megabytes: number | undefined;
  readonly samples: readonly MemorySample[];
}

export async function withMemory<T>(
  work: () => Promise<T>,
  intervalMs = INTERVAL_MS,
): Promise<MemoryMeasured<T>> {
  const samples: MemorySample[] = [];
  const from = performance.now();
  const sample = async () => {
    const megabytes = await memoryByProcess(process.pid);
    if (Object.keys(megabytes).length > 0)
      samples.push({ seconds: (performance.now() - from) / 1000, megabytes });
  };
  // One sample at a time, however long it takes.
  let sampling: Promise<void> | undefined;
  const next = () => {
    sampling ??= sample().finally(() => {
      sampling = undefined;
    });
    return sampling;
  };
  await next();
  const timer = setInterval(() => void next(), intervalMs);
  try {
    const result = await work();
    await sampling;
    await next();
    const megabytes = samples.length > 0 ? Math.max(...samples.map(memoryTotal)) : undefined;
    return { result, megabytes, samples };
  } finally {
    clearInterval(timer);
  }
}

export const memoryTotal = ({ megabytes }: MemorySample): number => sum(Object.values(megabytes));

/** Megabytes per hour, by a least-squares line; NaN with fewer than two samples. */
export function growthPerHour(samples: readonly MemorySample[]): number {
  const points = samples.map(sample => ({ x: sample.seconds, y: memoryTotal(sample) }));
  const mean = (of: 'x' | 'y') => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [x, y] = [mean('x'), mean('y')];
  const variance = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  const covariance = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  return samples.length < 2 ? Number.NaN : (3600 * covariance) / variance;
}

const ALL = ['Pss'] as const;
/** Without the pages of files. Each has a part of them, which grows when another program that maps the same files ends. */
export const OWN = ['Pss_Anon', 'Pss_Shmem'] as const;

export async function memoryByProcess(
  root: number,
  kinds: readonly string[] = ALL,
): Promise<Readonly<Record<string, number>>> {
  const sums: Record<string, number> = {};
  for (const pid of await processTree(root)) {
    const name = pid === root ? THIS_PROCESS : programName(await readProc(pid, 'cmdline'));
    const proportional = await readProc(pid, 'smaps_rollup');
    const found = kinds.flatMap(kind => procField(kind, proportional) ?? []);
    const kilobytes =
      found.length === kinds.length ? sum(found) : procField('VmRSS', await readProc(pid, 'status'));
    if (name !== undefined && kilobytes !== undefined) sums[name] = (sums[name] ?? 0) + kilobytes / 1024;
  }
  return sums;
}

const SCRIPT = /\.[cm]?[jt]s$/;

/** The script of a process, or its program and its kind; undefined if it has ended. */
export function programName(commandLine: string): string | undefined {
  // Processes of a browser rewrite their command line, and separate its words by spaces.
  const words = commandLine.split(/\0| (?=--)/).filter(Boolean);
  const name = words.find(word => SCRIPT.test(word)) ?? words[0];
  const [, kind] = /--type=([\w-]+)/.exec(commandLine) ?? [];
  if (name === undefined) return undefined;
  return [basename(name).replace(SCRIPT, ''), ...(kind === undefined ? [] : [kind])].join(' ');
}
