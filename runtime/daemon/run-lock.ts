// One process at a time trains a run: a file in its folder names who. Whoever died without letting go, or was ended with the machine,
// holds it no longer.

import { readFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import * as z from 'zod';

const holder = z.strictObject({
  pid: z.int().min(1),
  /** Which start of the machine it was. */
  boot: z.string(),
  /** Milliseconds since 1970. */
  since: z.number(),
});

export type Holder = z.infer<typeof holder>;

/** Who asks, and how it knows whether others are still there. */
export interface Machine {
  readonly pid: number;
  readonly boot: string;
  isAlive(pid: number): boolean;
}

export const thisMachine: Machine = { pid: process.pid, boot: bootId(), isAlive };

export class RunInUse extends Error {
  override readonly name = 'RunInUse';
}

export class RunLock {
  readonly #file: string;
  readonly #machine: Machine;
  #isHeld = false;

  constructor(file: string, machine: Machine) {
    this.#file = file;
    this.#machine = machine;
  }

  /** Rejects with RunInUse while another process holds it, or this one already does. */
  async take(now: number): Promise<void> {
    const { pid, boot } = this.#machine;
    const mine: Holder = { pid, boot, since: now };
    for (;;) {
      try {
        await writeFile(this.#file, `${JSON.stringify(mine)}\n`, { flag: 'wx' });
        this.#isHeld = true;
        return;
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error;
      }
      const found = await this.#found();
      if (found.kind === 'held') throw new RunInUse(inUse(found.by, this.#file));
      if (found.kind === 'stale') await this.#clear(found.text);
    }
  }

  /** What is not held is let go of as well. */
  async release(): Promise<void> {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    await rm(this.#file, { force: true });
  }

  /** Who holds it just now, if anybody does. */
  async holder(): Promise<Holder | undefined> {
    const found = await this.#found();
    return found.kind === 'held' ? found.by : undefined;
  }

  /** Whether somebody left it behind who is gone. */
  async isStale(): Promise<boolean> {
    return (await this.#found()).kind === 'stale';
  }

  async #found(): Promise<
    | { readonly kind: 'free' }
    | { readonly kind: 'held'; readonly by: Holder | undefined }
    | { readonly kind: 'stale'; readonly text: string }
  > {
    const text = await textOf(this.#file);
    if (text === undefined) return { kind: 'free' };
    // Whoever takes it makes the file first, and writes into it then.
    if (text === '') return { kind: 'held', by: undefined };
    const by = holderIn(text);
    return by !== undefined && this.#isThere(by) ? { kind: 'held', by } : { kind: 'stale', text };
  }

  /** A new process may have the number of one that died: its own counts only where it took the lock itself. */
  #isThere({ pid, boot }: Holder): boolean {
    if (!sameBoot(boot, this.#machine.boot)) return false;
    return pid === this.#machine.pid ? this.#isHeld : this.#machine.isAlive(pid);
  }

  /** Only the one that was found: between two looks somebody else may have cleared it and taken the lock. */
  async #clear(text: string): Promise<void> {
    const aside = `${this.#file}.${this.#machine.pid}`;
    try {
      await rename(this.#file, aside);
    } catch (error) {
      if (isCode(error, 'ENOENT')) return;
      throw error;
    }
    if ((await textOf(aside)) === text) await rm(aside, { force: true });
    else await rename(aside, this.#file);
  }
}

const inUse = (by: Holder | undefined, file: string): string =>
  by === undefined
    ? `Another process takes this run just now: try again, or delete '${file}' if there is none.`
    : `The process ${by.pid} has held this run since ${new Date(by.since).toISOString()}: stop it first, or delete '${file}' if that process is none of Dartboard's.`;

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function holderIn(text: string): Holder | undefined {
  try {
    return holder.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Linux names each start; elsewhere it is known by its time, which moves a little when the clock is set. */
function bootId(): string {
  if (process.platform === 'linux') return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return String(Math.round(Date.now() / 1000 - uptime()));
}

const CLOCK_MOVES = 600;

function sameBoot(one: string, other: string): boolean {
  if (one === other) return true;
  const isTime = /^\d+$/.test(one) && /^\d+$/.test(other);
  return isTime && Math.abs(Number(one) - Number(other)) < CLOCK_MOVES;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is somebody else's, and there.
    return isCode(error, 'EPERM');
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
