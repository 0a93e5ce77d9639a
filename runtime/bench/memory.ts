// How much memory a piece of work takes: that of this process and of all below it, added up, looked at now and then. Linux tells
// it; elsewhere nothing is known. Counted is the proportional set: a page that several processes share counts once, in parts. Where
// only the resident set is told, that is taken, and what is shared counts once for each.

import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** Milliseconds. A look takes some 30 of the processor for each gigabyte, for the kernel goes through all pages, and some for each process there is. */
const LOOK_EVERY = 2000;

/** What processes of one name have together. */
export interface MemorySample {
  /** Since it began. */
  readonly seconds: number;
  readonly megabytes: Readonly<Record<string, number>>;
}

/** What samples call the process that looks. */
export const THIS_PROCESS = 'this process';

export interface Measured<T> {
  readonly result: T;
  /** At most; undefined where nothing is known. */
  readonly megabytes: number | undefined;
  readonly samples: readonly MemorySample[];
}

export async function withMemory<T>(work: () => Promise<T>, every = LOOK_EVERY): Promise<Measured<T>> {
  const samples: MemorySample[] = [];
  const from = performance.now();
  let looking: Promise<void> | undefined;
  const look = async () => {
    const megabytes = await megabytesBelow(process.pid);
    if (Object.keys(megabytes).length > 0)
      samples.push({ seconds: (performance.now() - from) / 1000, megabytes });
  };
  // One at a time, however long it takes.
  const next = () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  await next();
  const timer = setInterval(() => void next(), every);
  try {
    const result = await work();
    await looking;
    await next();
    const all = samples.map(total);
    return { result, megabytes: all.length > 0 ? Math.max(...all) : undefined, samples };
  } finally {
    clearInterval(timer);
  }
}

export const total = ({ megabytes }: MemorySample): number =>
  Object.values(megabytes).reduce((sum, each) => sum + each, 0);

/** Megabytes an hour by which something grows: the slope of the straight line with the least squares. NaN of fewer than two samples. */
export function growthAnHour(samples: readonly MemorySample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const [x, y] = [samples.map(({ seconds }) => seconds), samples.map(total)];
  const [middle, level] = [mean(x), mean(y)];
  const spread = x.reduce((sum, each) => sum + (each - middle) ** 2, 0);
  const together = x.reduce((sum, each, index) => sum + (each - middle) * ((y[index] ?? level) - level), 0);
  return samples.length < 2 ? Number.NaN : (3600 * together) / spread;
}

/** Of a process and all below it, by name; nothing where nothing is known. */
async function megabytesBelow(root: number): Promise<Readonly<Record<string, number>>> {
  if (process.platform !== 'linux') return {};
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc'))
    if (/^\d+$/.test(name)) parents.set(Number(name), field('PPid', await told(name, 'status')) ?? 0);
  const isBelow = (pid: number): boolean => pid === root || (pid > 0 && isBelow(parents.get(pid) ?? 0));
  const sums: Record<string, number> = {};
  for (const pid of [...parents.keys()].filter(isBelow)) {
    const name = pid === root ? THIS_PROCESS : nameIn(await told(`${pid}`, 'cmdline'));
    const megabytes = await megabytesOf(`${pid}`);
    if (name !== undefined && megabytes > 0) sums[name] = (sums[name] ?? 0) + megabytes;
  }
  return sums;
}

async function megabytesOf(pid: string): Promise<number> {
  const kilobytes =
    field('Pss', await told(pid, 'smaps_rollup')) ?? field('VmRSS', await told(pid, 'status')) ?? 0;
  return kilobytes / 1024;
}

/** Of a line such as "Pss:   5432 kB". */
function field(key: string, text: string): number | undefined {
  const found = new RegExp(`^${key}:\\s*(\\d+)`, 'm').exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The script that a process runs, or else its program; undefined for one that is gone. */
function nameIn(commandLine: string): string | undefined {
  const words = commandLine.split('\0').filter(Boolean);
  const named = words.find(word => SCRIPT.test(word)) ?? words[0];
  return named === undefined ? undefined : basename(named).replace(SCRIPT, '');
}

const SCRIPT = /\.[cm]?[jt]s$/;

/** Empty for one that is gone meanwhile, or that tells nobody. */
async function told(pid: string, what: 'status' | 'smaps_rollup' | 'cmdline'): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return '';
  }
}
