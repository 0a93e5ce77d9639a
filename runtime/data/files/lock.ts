// One process at a time has a folder, such as that of a run: a file in it names who. Whoever died without letting go, or was ended with the
// machine, holds it no longer.

import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { isThere, type Machine, presence } from '../../protocol/presence.ts';

const holder = presence.extend({
  /** Milliseconds since 1970. */
  since: z.number(),
});

export type Holder = z.infer<typeof holder>;

export class InUse extends Error {
  override readonly name = 'InUse';
}

export class Lock {
  readonly #file: string;
  readonly #what: string;
  readonly #machine: Machine;
  /** What it wrote, while it has it. */
  #mine: string | undefined;

  /** `what` is what errors call that which is held: 'this run'. */
  constructor(file: string, what: string, machine: Machine) {
    this.#file = file;
    this.#what = what;
    this.#machine = machine;
  }

  /** Rejects with InUse while another process holds it, or this one already does. */
  async take(now: number): Promise<void> {
    const { pid, boot, began } = this.#machine;
    const mine = `${JSON.stringify({ pid, boot, began, since: now } satisfies Holder)}\n`;
    for (;;) {
      try {
        await writeFile(this.#file, mine, { flag: 'wx' });
        this.#mine = mine;
        return;
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error;
      }
      const found = await this.#found();
      if (found.kind === 'held') throw new InUse(inUse(this.#what, found.by, this.#file));
      if (found.kind === 'stale') await this.#clear(found.text);
    }
  }

  /** What is not held is let go of as well. */
  async release(): Promise<void> {
    const mine = this.#mine;
    this.#mine = undefined;
    // Somebody may have removed it, and another taken it since.
    if (mine !== undefined && (await textOf(this.#file)) === mine) await rm(this.#file, { force: true });
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
  #isThere(by: Holder): boolean {
    return by.pid === this.#machine.pid ? this.#mine !== undefined : isThere(by, this.#machine);
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

const inUse = (what: string, by: Holder | undefined, file: string): string =>
  by === undefined
    ? `Another process takes ${what} just now: try again, or delete '${file}' if there is none.`
    : `The process ${by.pid} has held ${what} since ${new Date(by.since).toISOString()}: stop it first, or delete '${file}' if that process is none of Dartboard's.`;

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

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
