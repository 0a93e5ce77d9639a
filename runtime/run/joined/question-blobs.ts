// The blobs of one question of a joined host, up to the size of a real question. A short message can refer to many large blobs.

import type { BlobHash, Blobs } from '../../blobs/blobs.ts';

/** A profile shows a model at most five screens, and one of 4K has about 10 MB. */
const MAX_QUESTION_BYTES = 64 * 1024 * 1024;

export class QuestionBlobs implements Blobs {
  readonly #blobs: Blobs;
  #left = MAX_QUESTION_BYTES;
  /** Blobs are read one after another: the size of each is known only when it is in memory. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  put(bytes: Uint8Array): Promise<BlobHash> {
    return this.#blobs.put(bytes);
  }

  get(hash: BlobHash): Promise<Uint8Array | undefined> {
    const read = this.#last.then(() => this.#read(hash));
    this.#last = read;
    return read;
  }

  async #read(hash: BlobHash): Promise<Uint8Array | undefined> {
    const bytes = await this.#blobs.get(hash);
    this.#left -= bytes?.byteLength ?? 0;
    if (this.#left < 0)
      throw new RangeError(
        `The blobs of a question have more than ${MAX_QUESTION_BYTES} bytes; the last one is ${hash}. Show the model fewer or smaller screens.`,
      );
    return bytes;
  }
}
