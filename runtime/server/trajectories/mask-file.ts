// Reads masks.jsonl of a run: which steps of each group trained. The file grows during a run, so this keeps the offsets of lines and reads
// the new part before each answer. A rotated log has two files.

import { type FileHandle, open } from 'node:fs/promises';
import * as z from 'zod';
import type { EntropyMask } from '../../core/batch.ts';
import { isMissing } from '../../core/errors.ts';
import type { GroupId } from '../../core/ids.ts';
import { batchId, groupId, trajectoryId } from '../../core/ids.ts';
import { olderPlace } from '../../data/files/rotating-log.ts';

interface LinePlace {
  readonly at: number;
  readonly length: number;
}

const CHUNK_BYTES = 1 << 20;
const LINE_END = 0x0a;

const entropyMask: z.ZodType<EntropyMask> = z.object({
  batch: z.string().transform(batchId),
  group: z.string().transform(groupId),
  threshold: z.number(),
  steps: z.array(z.object({ uncertainty: z.number(), kept: z.boolean() })),
  rollouts: z
    .array(
      z.object({ trajectory: z.string().transform(trajectoryId), steps: z.int(), advantage: z.number() }),
    )
    .exactOptional(),
});

/** Both files of a run. */
export class MaskFiles {
  readonly #present: MaskFile;
  readonly #older: MaskFile;

  constructor(path: string) {
    this.#present = new MaskFile(path);
    this.#older = new MaskFile(olderPlace(path));
  }

  /** Undefined when the group has not trained. */
  async of(group: GroupId): Promise<EntropyMask | undefined> {
    return (await this.#present.of(group)) ?? (await this.#older.of(group));
  }
}

class MaskFile {
  readonly #path: string;
  readonly #places = new Map<string, LinePlace>();
  /** The offset of the first unread line. */
  #end = 0;
  /** The inode of the file that was read so far. */
  #inode: number | undefined;
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
      return entropyMask.parse(JSON.parse(line.toString()));
    } finally {
      await file.close();
    }
  }

  async #readOn(file: FileHandle): Promise<void> {
    // The file was rotated or replaced.
    const { ino, size: bytes } = await file.stat();
    if (ino !== this.#inode || bytes < this.#end) {
      this.#end = 0;
      this.#places.clear();
    }
    this.#inode = ino;
    let size = CHUNK_BYTES;
    for (;;) {
      const chunk = Buffer.alloc(size);
      const { bytesRead } = await file.read(chunk, 0, size, this.#end);
      const read = chunk.subarray(0, bytesRead);
      const whole = read.lastIndexOf(LINE_END) + 1;
      this.#note(read.subarray(0, whole), this.#end);
      this.#end += whole;
      if (bytesRead < size) return;
      // A line is longer than the chunk.
      if (whole === 0) size *= 2;
    }
  }

  #note(lines: Buffer, from: number): void {
    let at = 0;
    while (at < lines.length) {
      const end = lines.indexOf(LINE_END, at);
      const group = groupIn(lines.toString('latin1', at, Math.min(end, at + MAX_NAMES_LENGTH)));
      if (group !== undefined) this.#places.set(group, { at: from + at, length: end - at });
      at = end + 1;
    }
  }
}

/** The names of batch and group come first in a line. */
const MAX_NAMES_LENGTH = 400;
const groupIn = (line: string): string | undefined => /"group":"([^"]+)"/.exec(line)?.[1];
