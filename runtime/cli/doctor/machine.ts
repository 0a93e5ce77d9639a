// Checks cores, memory, the disk of the workspace, and that the machine lets us listen on a port.

import { mkdtemp, open, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Finding, ok, problem, reasonOf, sized, warning } from '../../core/finding.ts';
import { freeBytesOf } from '../../core/free-space.ts';

/** With more workers the desktops are the bottleneck. */
const MAX_WORKERS = 16;

/** One core serves the trainer. */
export function cores(count: number): Finding {
  const name = 'Cores';
  if (count < 2)
    return warning(
      name,
      '1: rollouts and the trainer share it',
      'Train for twice as many minutes, or use a machine with two cores or more.',
    );
  const workers = Math.min(MAX_WORKERS, count - 1);
  return ok(name, `${count}: 1 for the trainer, so 'rollout.workers' up to ${workers}`);
}

/** The trainer, one worker with 32 desktops, and the daemon. */
const MIN_MEMORY_BYTES = 1.5e9;
const WORKER_MEMORY_BYTES = 0.5e9;

/** `free` is undefined on systems that do not report it. */
export function memory(free: number | undefined, total: number): Finding {
  const name = 'Memory';
  const says = free === undefined ? sized(total) : `${sized(free)} free of ${sized(total)}`;
  const left = free ?? total / 2;
  if (left < MIN_MEMORY_BYTES)
    return warning(
      name,
      `${says}; training takes about ${sized(MIN_MEMORY_BYTES)}`,
      "Close other programs, or set 'environments.desktops' to 8 in dartboard.json.",
    );
  const workers = Math.min(MAX_WORKERS, 1 + Math.floor((left - MIN_MEMORY_BYTES) / WORKER_MEMORY_BYTES));
  return ok(name, `${says}: enough for ${workers === 1 ? 'one worker' : `${workers} workers`}`);
}

const MIN_DISK_BYTES = 0.2e9;
const USUAL_DISK_BYTES = 3e9;
const SLOW_SYNC_MS = 100;

export interface DiskState {
  readonly free: number;
  /** Milliseconds to write and sync one megabyte. */
  readonly sync: number;
}

export async function disk(folder: string, look: (folder: string) => Promise<DiskState>): Promise<Finding> {
  const name = 'Disk';
  try {
    const { free, sync } = await look(folder);
    const says = `${sized(free)} free; writing 1 MB takes ${Math.max(1, Math.round(sync))} ms`;
    if (free < MIN_DISK_BYTES) return problem(name, says, 'Delete old runs, or move the workspace.');
    if (free < USUAL_DISK_BYTES)
      return warning(
        name,
        says,
        "Free some space, or lower 'data.retention.mostMegabytes' in dartboard.json.",
      );
    if (sync > SLOW_SYNC_MS)
      return warning(name, `${says}, which is slow`, 'Move the workspace to a local disk.');
    return ok(name, says);
  } catch (error) {
    return problem(
      name,
      `'${folder}' cannot be written: ${reasonOf(error)}`,
      'Open a folder that you can write to.',
    );
  }
}

/** Writes a file of 1 MB and removes it. `now` is in milliseconds. */
export const diskAt =
  (now: () => number) =>
  async (folder: string): Promise<DiskState> => {
    const inside = await mkdtemp(join(folder, '.dartboard-doctor-'));
    try {
      const free = await freeBytesOf(inside);
      const file = await open(join(inside, 'megabyte'), 'w');
      try {
        const start = now();
        await file.writeFile(new Uint8Array(1e6));
        await file.sync();
        return { free, sync: now() - start };
      } finally {
        await file.close();
      }
    } finally {
      await rm(inside, { recursive: true, force: true });
    }
  };

export async function ports(listen: () => Promise<void>): Promise<Finding> {
  const name = 'Ports';
  try {
    await listen();
    return ok(name, 'can listen on 127.0.0.1');
  } catch (error) {
    return problem(
      name,
      `cannot listen on 127.0.0.1: ${reasonOf(error)}`,
      'Allow this program to listen on 127.0.0.1 in the firewall or sandbox.',
    );
  }
}

/** Listens on any free port once. */
export function listenOnce(): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => server.close(() => resolve()));
  });
}
