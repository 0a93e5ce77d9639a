// A log of JSON lines with buffered writes. It keeps at most two files, the current and the previous one, so that a long run does not fill
// the disk.

import { appendFile, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from '../../core/errors.ts';
import { OWNER_ONLY_FILE } from './places.ts';
import { renameWithRetry } from './rename-retry.ts';

/** File size at rotation: about a hundred thousand decisions. */
const MAX_FILE_BYTES = 32_000_000;
/** Buffered lines while the disk cannot be written. Beyond this the oldest are dropped, to bound memory. */
const MAX_BUFFERED_LINES = 50_000;

export const olderPlace = (path: string): string => path.replace(/(\.[^.]*)?$/, '.older$1');

export class RotatingLog<Entry> {
  readonly #path: string;
  readonly #maxBytes: number;
  #buffer: string[] = [];
  /** Size of the current file; undefined before the first write. */
  #bytes: number | undefined;
  /** Whether the file may end in an incomplete line, after a crash or a failed write. */
  #mayBeTorn = true;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, maxBytes = MAX_FILE_BYTES) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  note(entry: Entry): void {
    this.#buffer.push(`${JSON.stringify(entry)}\n`);
    if (this.#buffer.length > MAX_BUFFERED_LINES) this.#buffer.shift();
  }

  /** Resolves once all buffered records are in the file. If it rejects, the records stay buffered for the next call. */
  flush(): Promise<void> {
    const written = this.#writing.then(() => this.#write());
    // The caller gets the error; the next write starts in any case.
    this.#writing = written.catch(() => undefined);
    return written;
  }

  async #write(): Promise<void> {
    const lines = this.#buffer;
    if (lines.length === 0) return;
    this.#buffer = [];
    try {
      this.#bytes ??= await sizeOf(this.#path);
      const text = Buffer.from(`${this.#mayBeTorn && this.#bytes > 0 ? '\n' : ''}${lines.join('')}`);
      if (this.#bytes > 0 && this.#bytes + text.length > this.#maxBytes) {
        await renameWithRetry(this.#path, olderPlace(this.#path));
        this.#bytes = 0;
      }
      await mkdir(dirname(this.#path), { recursive: true });
      await appendFile(this.#path, text, { mode: OWNER_ONLY_FILE });
      this.#bytes += text.length;
      this.#mayBeTorn = false;
    } catch (error) {
      this.#mayBeTorn = true;
      this.#bytes = undefined;
      this.#buffer = [...lines, ...this.#buffer].slice(-MAX_BUFFERED_LINES);
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
