// The puts of a joined host: few at a time, because many transfers on a slow link all exceed their deadlines. Reports a put that fails again.

import type { BlobHash, Blobs } from '../blobs/blobs.ts';
import { sentenceOf } from '../core/errors.ts';
import { Line } from '../fabric/line.ts';

/** Called after each failure of a put that is repeated. `failures` counts those in a row. */
export type PutFailed = (error: Error, failures: number) => void;

/** A store that repeats a put until it succeeds. The deadline of an attempt begins with the attempt. */
export interface PersistentBlobs extends Blobs {
  put(bytes: Uint8Array, failed?: PutFailed): Promise<BlobHash>;
}

const PUTS_AT_ONCE = 8;
/** A single failure is common, and the repetition helps. */
const REPORTED_FAILURES = 2;
const REPORTED = 'blobs';

export class PacedBlobs implements Blobs {
  readonly #distant: PersistentBlobs;
  readonly #health: (thing: string, healthy: boolean, message: string) => void;
  readonly #turns = new Line<void>();
  #underway = 0;
  /** Puts that failed repeatedly and did not succeed yet. */
  #failing = 0;

  constructor(distant: PersistentBlobs, health: (thing: string, healthy: boolean, message: string) => void) {
    this.#distant = distant;
    this.#health = health;
  }

  async put(bytes: Uint8Array): Promise<BlobHash> {
    if (this.#underway < PUTS_AT_ONCE) this.#underway += 1;
    else await this.#turns.wait();
    try {
      return await this.#reported(failed => this.#distant.put(bytes, failed));
    } finally {
      if (!this.#turns.serve()) this.#underway -= 1;
    }
  }

  /** Not paced: it is mostly of weights, which must not wait for pictures. */
  get(hash: BlobHash): Promise<Uint8Array | undefined> {
    return this.#distant.get(hash);
  }

  async #reported(put: (failed: PutFailed) => Promise<BlobHash>): Promise<BlobHash> {
    let isFailing = false;
    try {
      const hash = await put((error, failures) => {
        if (failures < REPORTED_FAILURES || isFailing) return;
        isFailing = true;
        this.#failing += 1;
        if (this.#failing === 1) this.#health(REPORTED, false, `cannot be sent: ${sentenceOf(error)}`);
      });
      if (isFailing && this.#failing === 1) this.#health(REPORTED, true, 'are sent again');
      return hash;
    } finally {
      if (isFailing) this.#failing -= 1;
    }
  }
}
