// Writes TensorBoard event files. Each record is one write and is synced, so that a killed process leaves complete records. A part of a
// record that a failed write left is removed: TensorBoard stops at it. Each start of a run has its own file; TensorBoard merges them.

import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { crc32c } from '../../core/crc.ts';
import { type Disk, type DiskFile, nodeDisk } from '../../core/disk.ts';
import { OWNER_ONLY_FILE, OWNER_ONLY_FOLDER } from '../../data/files/places.ts';
import { RecordAppender } from '../../data/files/record-appender.ts';
import type { Scalars } from './metrics.ts';

export class EventFile {
  readonly path: string;
  readonly #file: DiskFile;
  readonly #appender = new RecordAppender();

  private constructor(path: string, file: DiskFile) {
    this.path = path;
    this.#file = file;
  }

  /** A new file, named by the time (milliseconds since 1970). */
  static async create(folder: string, now: number, disk: Disk = nodeDisk): Promise<EventFile> {
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    const start = String(Math.floor(now / 1000)).padStart(10, '0');
    for (let number = 0; ; number++) {
      const path = join(folder, `events.out.tfevents.${start}.dartboard.${number}`);
      try {
        await (await open(path, 'ax', OWNER_ONLY_FILE)).close();
        const events = new EventFile(path, await disk.open(path, 'a+', OWNER_ONLY_FILE));
        await events.#write(eventAt(now).tag(3, WireType.LengthDelimited).string('brain.Event:2'));
        return events;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      }
    }
  }

  /** Leaves out numbers that are not finite as 32-bit floats: TensorBoard's charts end at them. */
  async append(now: number, step: number, numbers: Scalars): Promise<void> {
    const floats = Object.entries(numbers).map(([name, value]) => [name, Math.fround(value)] as const);
    const finite = floats.filter(([, value]) => Number.isFinite(value));
    if (finite.length === 0) return;
    const event = eventAt(now).tag(2, WireType.Varint).int64(step).tag(5, WireType.LengthDelimited).fork();
    for (const [name, value] of finite) {
      event.tag(1, WireType.LengthDelimited).fork();
      event.tag(1, WireType.LengthDelimited).string(name).tag(2, WireType.Bit32).float(value).join();
    }
    await this.#write(event.join());
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** Writes a TFRecord: the length and its checksum, the bytes and theirs. */
  async #write(event: BinaryWriter): Promise<void> {
    const bytes = event.finish();
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(bytes.length));
    const record = Buffer.concat([length, checksum(length), bytes, checksum(bytes)]);
    await this.#appender.append(this.#file, record);
  }
}

const eventAt = (now: number): BinaryWriter => new BinaryWriter().tag(1, WireType.Bit64).double(now / 1000);

/** TFRecord masks checksums, since the checksum of bytes that contain checksums is weak. */
function checksum(bytes: Uint8Array): Buffer {
  const crc = crc32c(bytes);
  const masked = Buffer.alloc(4);
  masked.writeUInt32LE((((crc >>> 15) | (crc << 17)) + 0xa282_ead8) >>> 0);
  return masked;
}
