// masks.jsonl of a run: what became of each group's steps in training. Grows while somebody looks, so only where the groups' lines are
// is remembered, and what was added is read before each answer. There are two of them at most: what is older is in another file.

import { type FileHandle, open } from 'node:fs/promises';
import type { EntropyMask } from '../../core/batch.ts';
import { isMissing } from '../../core/errors.ts';
import type { GroupId } from '../../core/ids.ts';
import { olderPlace } from '../../data/files/rotating-log.ts';

interface Place {
  readonly at: number;
  readonly length: number;
}

const CHUNK = 1 << 20;
const LINE_END = 0x0a;

/** Both files of a run. */
export class Masks {
  readonly #present: MaskFile;
  readonly #older: MaskFile;

  constructor(path: string) {
    this.#present = new MaskFile(path);
    this.#older = new MaskFile(olderPlace(path));
  }

  /** Undefined where the group has not trained. */
  async of(group: GroupId): Promise<EntropyMask | undefined> {
    return (await this.#present.of(group)) ?? (await this.#older.of(group));
  }
}

class MaskFile {
  readonly #path: string;
  readonly #places = new Map<string, Place>();
  /** Where the first line begins that was not read yet. */
  #end = 0;
  /** Which file it was that was read so far. */
  #number: number | undefined;
  #before: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  of(group: GroupId): Promise<EntropyMask | undefined> {
    const answer = this.#before.then(() => this.#of(group));
    this.#before = answer.catch(() => undefined);
    return answer;
  }

  async #of(group: GroupId): Promise<EntropyMask | undefined> {
    const file = await open(this.#path).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (file === undefined) return undefined;
    try {
      await this.#readOn(file);
      const place = this.#places.get(group);
      if (place === undefined) return undefined;
      const line = Buffer.alloc(place.length);
      await file.read(line, 0, line.length, place.at);
      // Written whole by this program.
      return JSON.parse(line.toString()) as EntropyMask;
    } finally {
      await file.close();
    }
  }

  async #readOn(file: FileHandle): Promise<void> {
    // Another file of the same name, or one that was made anew.
    const { ino, size: bytes } = await file.stat();
    if (ino !== this.#number || bytes < this.#end) {
      this.#end = 0;
      this.#places.clear();
    }
    this.#number = ino;
    let size = CHUNK;
    for (;;) {
      const chunk = Buffer.alloc(size);
      const { bytesRead } = await file.read(chunk, 0, size, this.#end);
      const read = chunk.subarray(0, bytesRead);
      const whole = read.lastIndexOf(LINE_END) + 1;
      this.#note(read.subarray(0, whole), this.#end);
      this.#end += whole;
      if (bytesRead < size) return;
      // A line that is longer than a chunk.
      if (whole === 0) size *= 2;
    }
  }

  #note(lines: Buffer, from: number): void {
    let at = 0;
    while (at < lines.length) {
      const end = lines.indexOf(LINE_END, at);
      const group = groupIn(lines.toString('latin1', at, Math.min(end, at + LONGEST_NAMES)));
      if (group !== undefined) this.#places.set(group, { at: from + at, length: end - at });
      at = end + 1;
    }
  }
}

/** Both names stand first, and neither is long. */
const LONGEST_NAMES = 400;
const groupIn = (line: string): string | undefined => /"group":"([^"]+)"/.exec(line)?.[1];
