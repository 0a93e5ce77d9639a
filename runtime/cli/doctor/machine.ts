// Whether this machine is enough: cores, memory, the disk of the workspace, a port to listen on.

import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Finding, ok, reasonOf, sized, trouble, warning } from '../../core/finding.ts';

/** Beyond this, desktops and not cores are what there is too little of. */
const MOST_WORKERS = 16;

/** One core is for the trainer. */
export function cores(count: number): Finding {
  const name = 'Cores';
  if (count < 2)
    return warning(
      name,
      'one: rollouts and the trainer share it, and each gets half',
      'Train for twice as many minutes, or use a machine with two cores or more.',
    );
  const workers = Math.min(MOST_WORKERS, count - 1);
  return ok(name, `${count}: 1 for the trainer, so 'rollout.workers' up to ${workers}`);
}

/** What the trainer and one worker with 32 desktops take, with room for the rest of the program. */
const NEEDED_MEMORY = 1.5e9;
const MEMORY_OF_WORKER = 0.5e9;

/** `free` is undefined where a system does not tell. */
export function memory(free: number | undefined, total: number): Finding {
  const name = 'Memory';
  const says = free === undefined ? sized(total) : `${sized(free)} free of ${sized(total)}`;
  const left = free ?? total / 2;
  if (left < NEEDED_MEMORY)
    return warning(
      name,
      `${says}; training takes about ${sized(NEEDED_MEMORY)}`,
      "Close other programs, or set 'environments.desktops' to 8 in dartboard.json.",
    );
  const workers = Math.min(MOST_WORKERS, 1 + Math.floor((left - NEEDED_MEMORY) / MEMORY_OF_WORKER));
  return ok(name, `${says}: enough for ${workers === 1 ? 'one worker' : `${workers} workers`}`);
}

const LEAST_DISK = 0.2e9;
const USUAL_DISK = 3e9;
const SLOW_SYNC = 100;

export interface Disk {
  readonly free: number;
  /** Milliseconds until a megabyte is surely on it. */
  readonly sync: number;
}

export async function disk(folder: string, look: (folder: string) => Promise<Disk>): Promise<Finding> {
  const name = 'Disk';
  try {
    const { free, sync } = await look(folder);
    const says = `${sized(free)} free; a megabyte is kept in ${Math.max(1, Math.round(sync))} ms`;
    if (free < LEAST_DISK) return trouble(name, says, 'Make room: delete old runs, or move the workspace.');
    if (free < USUAL_DISK)
      return warning(name, says, "Make room, or lower 'data.retention.mostMegabytes' in dartboard.json.");
    if (sync > SLOW_SYNC)
      return warning(name, `${says}, which is slow`, 'Move the workspace to a disk of this machine.');
    return ok(name, says);
  } catch (error) {
    return trouble(
      name,
      `'${folder}' cannot be written: ${reasonOf(error)}`,
      'Open a folder that is yours to write.',
    );
  }
}

/** Leaves nothing behind. `now` is in milliseconds. */
export const diskAt =
  (now: () => number) =>
  async (folder: string): Promise<Disk> => {
    const inside = await mkdtemp(join(folder, '.dartboard-doctor-'));
    try {
      const { bavail, bsize } = await statfs(inside);
      const file = await open(join(inside, 'megabyte'), 'w');
      try {
        const start = now();
        await file.writeFile(new Uint8Array(1e6));
        await file.sync();
        return { free: bavail * bsize, sync: now() - start };
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
    return ok(name, 'programs of this machine can be listened to on 127.0.0.1');
  } catch (error) {
    return trouble(
      name,
      `127.0.0.1 cannot be listened on: ${reasonOf(error)}`,
      'Allow this program to listen on 127.0.0.1, in the firewall or the sandbox that it runs in.',
    );
  }
}

/** On any free port, and ends again. */
export function listenOnce(): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => server.close(() => resolve()));
  });
}
