// An append-only file of JSON lines. An append resolves once it is synced; concurrent appends share a sync. Opening the file removes an
// incomplete last line that a crash left.

import { dirname } from 'node:path';
import { type Disk, type DiskFile, nodeDisk } from '../../core/disk.ts';
import { parsedJson } from '../../core/json.ts';
import { makeDurableFolder } from './durable.ts';
import { OWNER_ONLY_FILE } from './places.ts';

interface Waiting {
  readonly line: Buffer;
  readonly resolve: (end: number) => void;
  readonly reject: (reason: unknown) => void;
}

export class Journal {
  readonly #path: string;
  readonly #file: DiskFile;
  /** Length of the synced whole lines. */
  #length: number;
  #waiting: Waiting[] = [];
  #round: Promise<void> | undefined;
  #torn: Error | undefined;

  private constructor(path: string, file: DiskFile, length: number) {
    this.#path = path;
    this.#file = file;
    this.#length = length;
  }

  /** `cut` is the incomplete last line that was removed, usually ''. */
  static async open(
    path: string,
    disk: Disk = nodeDisk,
  ): Promise<{ readonly journal: Journal; readonly cut: string }> {
    await makeDurableFolder(dirname(path), disk);
    const file = await disk.open(path, 'a+', OWNER_ONLY_FILE);
    try {
      const size = await file.size();
      const { whole, torn } = await lastWhole(file, size);
      if (whole < size) {
        await file.truncate(whole);
        await file.sync();
      }
      // A new file has a name only in memory.
      await disk.syncFolder(dirname(path));
      return { journal: new Journal(path, file, whole), cut: torn };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Resolves with the end offset of the line. */
  append(record: object): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: Buffer.from(`${JSON.stringify(record)}\n`), resolve, reject });
      this.#round ??= this.#rounds();
    });
  }

  /** Closes the file after all pending appends. */
  async close(): Promise<void> {
    while (this.#round !== undefined) await this.#round;
    await this.#file.close();
  }

  async #rounds(): Promise<void> {
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const round = this.#waiting.splice(0);
      try {
        let end = this.#length;
        await this.#write(Buffer.concat(round.map(({ line }) => line)));
        for (const { line, resolve } of round) {
          end += line.length;
          resolve(end);
        }
      } catch (error) {
        for (const { reject } of round) reject(error);
      }
    }
    this.#round = undefined;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#torn !== undefined) throw this.#torn;
    try {
      await this.#file.append(bytes);
      await this.#file.sync();
      this.#length += bytes.length;
    } catch (error) {
      // An incomplete line must not be followed by others.
      await this.#file.truncate(this.#length).catch((cause: unknown) => {
        this.#torn = new Error(
          `Cannot append to '${this.#path}': it may end in an incomplete line. Restart Dartboard to repair it.`,
          { cause },
        );
      });
      throw error;
    }
  }
}

const BLOCK = 1 << 16;
const NEWLINE = 0x0a;

/** The end of the last complete JSON line, and the text after it. */
async function lastWhole(
  file: DiskFile,
  size: number,
): Promise<{ readonly whole: number; readonly torn: string }> {
  let tail = Buffer.alloc(0);
  for (let start = size; start > 0; ) {
    const length = Math.min(BLOCK, start);
    start -= length;
    tail = Buffer.concat([await file.read(length, start), tail]);
    const end = tail.lastIndexOf(NEWLINE) + 1;
    const begin = end === 0 ? 0 : end > 1 ? tail.lastIndexOf(NEWLINE, end - 2) + 1 : 0;
    // The tail must contain the whole last line.
    if (start > 0 && begin === 0) continue;
    const whole = parsedJson(tail.toString('utf8', begin, end)) !== undefined ? end : begin;
    return { whole: start + whole, torn: tail.toString('utf8', whole) };
  }
  return { whole: 0, torn: '' };
}
