// How much memory a piece of work takes at most: that of this process and of all below it, added up, looked at every second. Linux
// tells it; elsewhere nothing is known. What processes share counts once for each of them.

import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds. */
const LOOK_EVERY = 1000;

export async function withPeak<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly megabytes: number | undefined }> {
  let megabytes: number | undefined;
  const look = () => {
    const now = megabytesBelow(process.pid);
    if (now > 0) megabytes = Math.max(now, megabytes ?? 0);
  };
  look();
  const timer = setInterval(look, LOOK_EVERY);
  try {
    const result = await work();
    look();
    return { result, megabytes };
  } finally {
    clearInterval(timer);
  }
}

/** With the process itself; 0 where nothing is known. */
function megabytesBelow(pid: number): number {
  const all = processes();
  const below = (of: number): number =>
    all
      .filter(({ parent }) => parent === of)
      .reduce((sum, child) => sum + child.megabytes + below(child.pid), 0);
  return (all.find(each => each.pid === pid)?.megabytes ?? 0) + below(pid);
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly megabytes: number;
}

function processes(): readonly Process[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      const status = statusOf(name);
      if (status === undefined) return [];
      const field = (key: string) => Number(new RegExp(`^${key}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      return [{ pid: Number(name), parent: field('PPid'), megabytes: field('VmRSS') / 1024 }];
    });
}

/** Undefined for one that is gone meanwhile. */
function statusOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return undefined;
  }
}
