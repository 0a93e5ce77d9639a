// A lock file that gives one process exclusive use of a folder, such as a run folder. It names its holder. The lock of a dead local process
// is stale. Processes of other machines or containers cannot be observed; their lock is valid while they touch the file (heartbeat).

import { rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { textIn } from '../../core/existing-file.ts';
import { parsedJson } from '../../core/json.ts';
import { identityOf, type LocalProcess, processStatus } from '../../core/process-identity.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { processIdentity } from '../../protocol/process-identity.ts';
import { OWNER_ONLY_FILE } from './places.ts';

const holder = processIdentity.extend({
  /** Milliseconds since 1970. */
  since: z.number(),
});

export type LockHolder = z.infer<typeof holder>;

/** Interval of heartbeats, and the time without one after which a remote holder counts as dead. */
const HEARTBEAT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 60_000;
/** Time after which a process that clears a stale lock counts as dead, and the interval between checks. */
const CLEARING_TIMEOUT_MS = 10_000;
const CLEARING_POLL_MS = 10;

export class FolderInUseError extends Error {
  override readonly name = 'InUse';
}

export class FolderLock {
  readonly #file: string;
  readonly #what: string;
  readonly #machine: LocalProcess;
  readonly #onLost: ((message: string) => void) | undefined;
  /** The content of the lock file while this object holds the lock. */
  #content: string | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  /**
   * `what` names the folder in errors, for example 'this run'. `onLost` is called when the lock file is no longer that of this object: a
   * process that was suspended for longer than the limit counts as dead on other machines.
   */
  constructor(file: string, what: string, machine: LocalProcess, onLost?: (message: string) => void) {
    this.#file = file;
    this.#what = what;
    this.#machine = machine;
    this.#onLost = onLost;
  }

  /** Rejects with InUse while another process holds it, or this one already does. */
  async take(now: number): Promise<void> {
    const content = `${JSON.stringify({ ...identityOf(this.#machine), since: now } satisfies LockHolder)}\n`;
    for (;;) {
      try {
        await writeFile(this.#file, content, { flag: 'wx', mode: OWNER_ONLY_FILE });
        this.#content = content;
        this.#heartbeat = setInterval(() => void this.#beat(content), HEARTBEAT_MS).unref();
        return;
      } catch (error) {
        if (!exists(error)) {
          // A full disk leaves an empty file.
          if ((await textIn(this.#file)) === '') await rm(this.#file, { force: true });
          throw error;
        }
      }
      const found = await this.#found();
      if (found.kind === 'held')
        throw new FolderInUseError(inUse(this.#what, found.by, this.#file, this.#machine));
      if (found.kind === 'stale') await this.#clear(found.text);
    }
  }

  /** Never rejects. */
  async #beat(content: string): Promise<void> {
    try {
      const found = await textIn(this.#file);
      // Released meanwhile, or the heartbeat before has reported the loss.
      if (this.#content !== content) return;
      if (found === content) {
        const now = new Date();
        await utimes(this.#file, now, now);
        return;
      }
      this.#content = undefined;
      clearInterval(this.#heartbeat);
      this.#onLost?.(lost(this.#what, found, this.#file));
    } catch {
      // The folder cannot be read at the moment. The next heartbeat tries again.
    }
  }

  /** Has no effect if the lock is not held. */
  async release(): Promise<void> {
    const content = this.#content;
    this.#content = undefined;
    clearInterval(this.#heartbeat);
    // The file may have been removed, and another process may hold the lock.
    if (content !== undefined && (await textIn(this.#file)) === content)
      await rm(this.#file, { force: true });
  }

  /** The current holder, if any. */
  async holder(): Promise<LockHolder | undefined> {
    const found = await this.#found();
    return found.kind === 'held' ? found.by : undefined;
  }

  /** Whether the holder of the lock is dead. */
  async isStale(): Promise<boolean> {
    return (await this.#found()).kind === 'stale';
  }

  async #found(): Promise<
    | { readonly kind: 'free' }
    | { readonly kind: 'held'; readonly by: LockHolder | undefined }
    | { readonly kind: 'stale'; readonly text: string }
  > {
    const text = await textIn(this.#file);
    if (text === undefined) return { kind: 'free' };
    // A process creates the file before it writes its name. An old empty file means that it died in between.
    if (text === '' && !(await isOlder(this.#file, CLEARING_TIMEOUT_MS)))
      return { kind: 'held', by: undefined };
    const by = safeParse(holder, parsedJson(text)).data;
    return by !== undefined && (await this.#isAlive(by)) ? { kind: 'held', by } : { kind: 'stale', text };
  }

  /** Process ids are reused, so this process's own id counts only if this object holds the lock. */
  async #isAlive(by: LockHolder): Promise<boolean> {
    const status = processStatus(by, this.#machine);
    if (status === 'elsewhere') return !(await isOlder(this.#file, SILENCE_TIMEOUT_MS));
    return by.pid === this.#machine.pid ? this.#content !== undefined : status === 'running';
  }

  /**
   * Removes the stale lock with the given content. A second lock file serialises this: otherwise a slower process could remove a lock that
   * was taken meanwhile.
   */
  async #clear(text: string): Promise<void> {
    const clearing = `${this.#file}.clearing`;
    try {
      await writeFile(clearing, '', { flag: 'wx', mode: OWNER_ONLY_FILE });
    } catch (error) {
      if (!exists(error)) throw error;
      // Clearing is immediate, so an old file belongs to a killed process.
      if (await isOlder(clearing, CLEARING_TIMEOUT_MS)) await rm(clearing, { force: true });
      return await sleep(CLEARING_POLL_MS);
    }
    try {
      if ((await textIn(this.#file)) === text) await rm(this.#file, { force: true });
    } finally {
      await rm(clearing, { force: true });
    }
  }
}

function inUse(what: string, by: LockHolder | undefined, file: string, { place }: LocalProcess): string {
  if (by === undefined)
    return `Another process is locking ${what}. Try again. If there is no such process, delete '${file}'.`;
  const since = `${what} since ${new Date(by.since).toISOString()}`;
  return by.place === place
    ? `The process ${by.pid} has held ${since}. Stop it, or delete '${file}' if the process is not part of Dartboard.`
    : `The process ${by.pid} of another machine or container (${by.place}) has held ${since}. Stop it there. If it crashed, try again in a minute.`;
}

function lost(what: string, text: string | undefined, file: string): string {
  const by = safeParse(holder, parsedJson(text ?? '')).data;
  const how =
    by === undefined ? 'was deleted or overwritten' : `belongs to the process ${by.pid} of '${by.place}' now`;
  return `This process has lost its lock of ${what}: '${file}' ${how}. Stop this process, and start it again when no other one uses the folder.`;
}

/** Whether the last modification is at least this old; false for a missing file. */
const isOlder = (file: string, milliseconds: number): Promise<boolean> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs >= milliseconds,
    () => false,
  );

const exists = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';
