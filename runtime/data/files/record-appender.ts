// Appends records to a file, each whole or not at all. A failed append may leave a part of its record, for example on a full disk. The part
// is removed before the next append, so that no record is merged with it.

import type { DiskFile } from '../../core/disk.ts';

export class RecordAppender {
  /** After a failed append: the length of the whole records. */
  #whole: number | undefined;

  /** Resolves once the record is durable. */
  async append(file: DiskFile, record: Uint8Array): Promise<void> {
    await this.repair(file);
    const whole = await file.size();
    try {
      await file.append(record);
      await file.sync();
    } catch (error) {
      this.#whole = whole;
      throw error;
    }
  }

  /** Removes the part that a failed append left. Every reader of the file calls it first. */
  async repair(file: DiskFile): Promise<void> {
    if (this.#whole === undefined) return;
    if ((await file.size()) > this.#whole) await file.truncate(this.#whole);
    this.#whole = undefined;
  }
}
