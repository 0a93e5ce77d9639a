// The blobs of a joined host: few puts at a time, because many transfers on a slow link all exceed their deadlines. Reports transfers that
// fail again.

import type { BlobHash, Blobs } from '../blobs/blobs.ts';
import { sentenceOf } from '../core/errors.ts';
import { FailureReport } from '../core/failure-report.ts';
import { Line } from '../fabric/line.ts';

/** Called after each failure of a transfer that is repeated. `failures` counts those in a row. */
export type TransferFailed = (error: Error, failures: number) => void;

/** A store that repeats a transfer until it succeeds. The deadline of an attempt begins with the attempt. */
export interface PersistentBlobs extends Blobs {
  put(bytes: Uint8Array, failed?: TransferFailed): Promise<BlobHash>;
  get(hash: BlobHash, failed?: TransferFailed): Promise<Uint8Array | undefined>;
}

const PUTS_AT_ONCE = 8;
/** A single failure is common, and the repetition helps. */
const REPORTED_FAILURES = 2;
const REPORTED = 'blobs';

export class PacedBlobs implements Blobs {
  readonly #distant: PersistentBlobs;
  readonly #turns = new Line<void>();
  readonly #sending: FailureReport;
  readonly #fetching: FailureReport;
  #underway = 0;

  constructor(distant: PersistentBlobs, health: (thing: string, healthy: boolean, message: string) => void) {
    this.#distant = distant;
    const reportOf = (done: string) =>
      new FailureReport(error =>
        error === undefined
          ? health(REPORTED, true, `are ${done} again`)
          : health(REPORTED, false, `cannot be ${done}: ${sentenceOf(error)}`),
      );
    this.#sending = reportOf('sent');
    this.#fetching = reportOf('fetched');
  }

  async put(bytes: Uint8Array): Promise<BlobHash> {
    if (this.#underway < PUTS_AT_ONCE) this.#underway += 1;
    else await this.#turns.wait();
    try {
      return await this.#sending.around(failing => this.#distant.put(bytes, onceRepeated(failing)));
    } finally {
      if (!this.#turns.serve()) this.#underway -= 1;
    }
  }

  /** Not paced: it is mostly of weights, which must not wait for pictures. */
  get(hash: BlobHash): Promise<Uint8Array | undefined> {
    return this.#fetching.around(failing => this.#distant.get(hash, onceRepeated(failing)));
  }
}

const onceRepeated =
  (failing: (error: Error) => void): TransferFailed =>
  (error, failures) => {
    if (failures >= REPORTED_FAILURES) failing(error);
  };
