// Keeps records as lines that are appended now and then: whoever notes one need not wait for a disk. Two files at most, the older one
// under another name, so that a long run does not fill the disk: the oldest records go.

import { appendFile, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from '../../core/errors.ts';
import { renameWithRetry } from './rename-retry.ts';

/** Bytes of a file before it makes place for the next: some hundred thousand decisions. */
const MOST_BYTES = 32_000_000;
/** Lines that wait for a disk that cannot be written; then the oldest go, or a full disk would fill the memory too. */
const MOST_WAITING = 50_000;

export const olderPlace = (path: string): string => path.replace(/(\.[^.]*)?$/, '.older$1');

export class RotatingLog<Noted> {
  readonly #path: string;
  readonly #mostBytes: number;
  #waiting: string[] = [];
  /** Of the present file; undefined before it was looked at. */
  #bytes: number | undefined;
  /** Whether what stands at the end of the file may be half a line: after a crash, or a write that failed. */
  #mayBeTorn = true;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, mostBytes = MOST_BYTES) {
    this.#path = path;
    this.#mostBytes = mostBytes;
  }

  note(noted: Noted): void {
    this.#waiting.push(`${JSON.stringify(noted)}\n`);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
  }

  /** Resolves once all that was noted is in the file; where it rejects, nothing is lost, and the next call tries again. */
  flush(): Promise<void> {
    const written = this.#writing.then(() => this.#write());
    this.#writing = written.catch(() => undefined);
    return written;
  }

  async #write(): Promise<void> {
    const lines = this.#waiting;
    if (lines.length === 0) return;
    this.#waiting = [];
    try {
      this.#bytes ??= await sizeOf(this.#path);
      const text = Buffer.from(`${this.#mayBeTorn && this.#bytes > 0 ? '\n' : ''}${lines.join('')}`);
      if (this.#bytes > 0 && this.#bytes + text.length > this.#mostBytes) {
        await renameWithRetry(this.#path, olderPlace(this.#path));
        this.#bytes = 0;
      }
      await mkdir(dirname(this.#path), { recursive: true });
      await appendFile(this.#path, text);
      this.#bytes += text.length;
      this.#mayBeTorn = false;
    } catch (error) {
      this.#mayBeTorn = true;
      this.#bytes = undefined;
      this.#waiting = [...lines, ...this.#waiting].slice(-MOST_WAITING);
      throw error;
    }
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
