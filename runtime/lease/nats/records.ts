// One record per piece of work, in a bucket of a NATS server. A record changes only from the revision that its writer has seen, so it decides
// whose lease is valid, whatever the server delivers or repeats.

import type { JetStreamClient } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { isWrongRevision } from './calls.ts';
import { tokenOfId } from './streams.ts';

/** Leased also after `ttlMs`, until somebody claims the work. */
export type LeaseState = 'leased' | 'returned' | 'completed';

export interface LeaseRecord {
  readonly state: LeaseState;
  readonly attempt: number;
  /** Earlier attempts that their holders returned as untouched; of a record that is returned, also this one. */
  readonly untouched: number;
  /** Unique, so that a writer recognises its own write after a lost reply. */
  readonly claim: string;
}

export interface StoredRecord {
  readonly record: LeaseRecord;
  readonly revision: number;
  /** The last write, by the clock of the server. */
  readonly writtenMs: number;
}

/** Before the first claim. */
export const NO_REVISION = 0;
/** Ids have no '/'. */
const CLOCK_KEY = '/clock';

export class LeaseRecords {
  readonly #bucket: Promise<KV>;

  constructor(js: JetStreamClient, bucket: string) {
    this.#bucket = new Kvm(js).open(bucket, { allow_direct: true });
  }

  async read(id: string): Promise<StoredRecord | undefined> {
    const entry = await (await this.#bucket).get(tokenOfId(id));
    if (entry === null) return undefined;
    const { revision, created } = entry;
    // Hosts of an earlier version count nothing as untouched.
    const record: LeaseRecord = { untouched: 0, ...entry.json<Omit<LeaseRecord, 'untouched'>>() };
    return { record, revision, writtenMs: created.getTime() };
  }

  /** The new revision; undefined if the record has another revision than `from`. */
  async write(id: string, record: LeaseRecord, from: number): Promise<number | undefined> {
    try {
      return await (await this.#bucket).put(tokenOfId(id), JSON.stringify(record), { previousSeq: from });
    } catch (error) {
      if (isWrongRevision(error)) return undefined;
      throw error;
    }
  }

  /** The clock that stamps the records. A server of JetStream has no other way to read it. */
  async now(): Promise<number> {
    const bucket = await this.#bucket;
    await bucket.put(CLOCK_KEY, '');
    const entry = await bucket.get(CLOCK_KEY);
    return entry?.created.getTime() ?? Number.NEGATIVE_INFINITY;
  }
}
