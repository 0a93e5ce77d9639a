// Writes TensorBoard event files. Each record is one write and is synced, so that a killed process leaves complete records. Each start of a
// run has its own file; TensorBoard merges them.

import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_ONLY_FILE, OWNER_ONLY_FOLDER } from '../../data/files/places.ts';
import { crc32c, masked } from './crc32c.ts';
import { filled, joined, scalarEvent, versionEvent } from './event.ts';
import type { Scalars } from './metrics.ts';

export class EventFile {
  readonly path: string;
  readonly #file: FileHandle;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /** A new file, named by the time (milliseconds since 1970). */
  static async create(folder: string, now: number): Promise<EventFile> {
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    const start = String(Math.floor(now / 1000)).padStart(10, '0');
    for (let number = 0; ; number++) {
      const path = join(folder, `events.out.tfevents.${start}.dartboard.${number}`);
      try {
        const events = new EventFile(path, await open(path, 'ax', OWNER_ONLY_FILE));
        await events.#write(versionEvent(now / 1000));
        return events;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      }
    }
  }

  /** Leaves out non-finite numbers, at which TensorBoard's charts end. */
  async append(now: number, step: number, numbers: Scalars): Promise<void> {
    const finite = Object.entries(numbers).filter(([, value]) => Number.isFinite(value));
    if (finite.length > 0) await this.#write(scalarEvent(now / 1000, step, Object.fromEntries(finite)));
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #write(event: Uint8Array): Promise<void> {
    await this.#file.appendFile(framed(event));
    await this.#file.datasync();
  }
}

/** A TFRecord: the length and its checksum, the bytes and theirs. */
function framed(bytes: Uint8Array): Uint8Array {
  const length = filled(8, view => view.setBigUint64(0, BigInt(bytes.length), true));
  const checksum = (of: Uint8Array) => filled(4, view => view.setUint32(0, masked(crc32c(of)), true));
  return joined([length, checksum(length), bytes, checksum(bytes)]);
}
