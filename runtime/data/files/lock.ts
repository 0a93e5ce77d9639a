// One process at a time has a folder, such as that of a run: a file in it names who. Whoever died without letting go, or was ended with the
// machine, holds it no longer. A process of a container, or of another machine, is not seen from here: it holds it as long as it touches the
// file now and then.

import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { identityOf, type LocalProcess, processStatus } from '../../core/process-identity.ts';
import { processIdentity } from '../../protocol/process-identity.ts';

const holder = processIdentity.extend({
  /** Milliseconds since 1970. */
  since: z.number(),
});

export type LockHolder = z.infer<typeof holder>;

/** Milliseconds between two signs of life, and after the last of them until nobody is there any more. */
const HEARTBEAT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 60_000;
/** Milliseconds after which what clears a lock is gone itself, and between two looks at it. */
const CLEARING_TIMEOUT_MS = 10_000;
const CLEARING_POLL_MS = 10;

export class FolderInUseError extends Error {
  override readonly name = 'InUse';
}

export class FolderLock {
  readonly #file: string;
  readonly #what: string;
  readonly #machine: LocalProcess;
  /** What it wrote, while it has it. */
  #mine: string | undefined;
  #signs: NodeJS.Timeout | undefined;

  /** `what` is what errors call that which is held: 'this run'. */
  constructor(file: string, what: string, machine: LocalProcess) {
    this.#file = file;
    this.#what = what;
    this.#machine = machine;
  }

  /** Rejects with InUse while another process holds it, or this one already does. */
  async take(now: number): Promise<void> {
    const mine = `${JSON.stringify({ ...identityOf(this.#machine), since: now } satisfies LockHolder)}\n`;
    for (;;) {
      try {
        await writeFile(this.#file, mine, { flag: 'wx' });
        this.#mine = mine;
        this.#signs = setInterval(() => touch(this.#file), HEARTBEAT_MS).unref();
        return;
      } catch (error) {
        if (!isCode(error, 'EEXIST')) {
          // A full disk leaves the file, and nothing in it.
          if ((await textOf(this.#file)) === '') await rm(this.#file, { force: true });
          throw error;
        }
      }
      const found = await this.#found();
      if (found.kind === 'held')
        throw new FolderInUseError(inUse(this.#what, found.by, this.#file, this.#machine));
      if (found.kind === 'stale') await this.#clear(found.text);
    }
  }

  /** What is not held is let go of as well. */
  async release(): Promise<void> {
    const mine = this.#mine;
    this.#mine = undefined;
    clearInterval(this.#signs);
    // Somebody may have removed it, and another taken it since.
    if (mine !== undefined && (await textOf(this.#file)) === mine) await rm(this.#file, { force: true });
  }

  /** Who holds it just now, if anybody does. */
  async holder(): Promise<LockHolder | undefined> {
    const found = await this.#found();
    return found.kind === 'held' ? found.by : undefined;
  }

  /** Whether somebody left it behind who is gone. */
  async isStale(): Promise<boolean> {
    return (await this.#found()).kind === 'stale';
  }

  async #found(): Promise<
    | { readonly kind: 'free' }
    | { readonly kind: 'held'; readonly by: LockHolder | undefined }
    | { readonly kind: 'stale'; readonly text: string }
  > {
    const text = await textOf(this.#file);
    if (text === undefined) return { kind: 'free' };
    // Whoever takes it makes the file first, and writes into it then; unless it was ended in between.
    if (text === '' && !(await isOlder(this.#file, CLEARING_TIMEOUT_MS)))
      return { kind: 'held', by: undefined };
    const by = holderIn(text);
    return by !== undefined && (await this.#isThere(by)) ? { kind: 'held', by } : { kind: 'stale', text };
  }

  /** A new process may have the number of one that died: its own counts only where it took the lock itself. */
  async #isThere(by: LockHolder): Promise<boolean> {
    const where = processStatus(by, this.#machine);
    if (where === 'elsewhere') return !(await isOlder(this.#file, SILENCE_TIMEOUT_MS));
    return by.pid === this.#machine.pid ? this.#mine !== undefined : where === 'running';
  }

  /**
   * Only the one that was found, and one process at a time: of two that look at it and remove it, the second would remove what somebody has
   * taken in between.
   */
  async #clear(text: string): Promise<void> {
    const clearing = `${this.#file}.clearing`;
    try {
      await writeFile(clearing, '', { flag: 'wx' });
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
      // It takes no time, unless whoever did it was killed at that very moment.
      if (await isOlder(clearing, CLEARING_TIMEOUT_MS)) await rm(clearing, { force: true });
      return await sleep(CLEARING_POLL_MS);
    }
    try {
      if ((await textOf(this.#file)) === text) await rm(this.#file, { force: true });
    } finally {
      await rm(clearing, { force: true });
    }
  }
}

function inUse(what: string, by: LockHolder | undefined, file: string, { place }: LocalProcess): string {
  if (by === undefined)
    return `Another process takes ${what} just now: try again, or delete '${file}' if there is none.`;
  const since = `has held ${what} since ${new Date(by.since).toISOString()}`;
  return by.place === place
    ? `The process ${by.pid} ${since}: stop it first, or delete '${file}' if that process is none of Dartboard's.`
    : `The process ${by.pid} of another machine or container (${by.place}) ${since}: stop it there. Where it is gone without a word, try again in a minute.`;
}

/** Where it is gone somebody else sees to it. */
function touch(file: string): void {
  const now = new Date();
  utimes(file, now, now).catch(() => undefined);
}

/** Whether it was not touched for so many milliseconds; not so where it is gone. */
const isOlder = (file: string, milliseconds: number): Promise<boolean> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs >= milliseconds,
    () => false,
  );

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function holderIn(text: string): LockHolder | undefined {
  try {
    return holder.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
