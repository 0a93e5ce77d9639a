// The blobs of one epoch of a run as objects PREFIX/RUN/EPOCH/HASH of a bucket. The daemon reads and writes with its keys, and gives hosts an
// address for each transfer. It alone lists objects, removes unused ones, and at the end all of the run.

import { randomBytes } from 'node:crypto';
import { withDeadline } from '../core/deadline.ts';
import { type BlobLimits, BlobUsage } from './blob-usage.ts';
import { type BlobHash, type BlobLinks, type Blobs, blobHash } from './blobs.ts';
import { S3Bucket, type S3BucketOptions, type S3Keys, type S3Place } from './s3-bucket.ts';
import { SharedTransfers } from './shared-transfers.ts';

export interface S3StoreOptions extends S3Place, Pick<S3BucketOptions, 'wallTime'> {
  readonly prefix?: string;
  readonly keys: S3Keys;
}

export interface S3BlobsOptions extends S3StoreOptions, BlobLimits {
  /** Told when the store disappears and when it is back. */
  readonly health: (healthy: boolean, message: string) => void;
  readonly run: string;
  readonly epoch: string;
  /** Epochs of the run whose objects are removed at the start. Others may belong to a copy of the workspace. */
  readonly older: readonly string[];
}

const DEFAULT_PREFIX = 'dartboard';
const CLOSE_MS = 30_000;
/** A read can give other bytes than those of the hash: by a fault on the way, or from a host. */
const MAX_READS = 3;

/** The common beginning of the keys of an epoch. */
const keysOf = ({ run, prefix = DEFAULT_PREFIX }: S3BlobsOptions, epoch: string): string =>
  `${prefix}/${run}/${epoch}/`;

export class S3Blobs implements Blobs, BlobLinks {
  readonly #bucket: S3Bucket;
  /** Ends with a '/'. */
  readonly #ofEpoch: string;
  readonly #usage: BlobUsage;
  /** The part of `#usage` whose bytes are right. A host may never put a blob that it got an address for, or put other bytes. */
  readonly #verified = new Set<BlobHash>();
  readonly #writes = new SharedTransfers();
  readonly #removing = new Map<BlobHash, Promise<unknown>>();
  /** Collected, but perhaps still in the store: a removal failed. */
  readonly #unremoved = new Set<BlobHash>();
  readonly #over = new AbortController();
  readonly #options: S3BlobsOptions;

  private constructor(options: S3BlobsOptions) {
    this.#options = options;
    this.#bucket = new S3Bucket({ ...options, signal: this.#over.signal });
    this.#ofEpoch = keysOf(options, options.epoch);
    this.#usage = new BlobUsage(options);
  }

  /** Removes what older epochs of the run left. Rejects if the store is not as the settings say. */
  static async open(options: S3BlobsOptions): Promise<S3Blobs> {
    const blobs = new S3Blobs(options);
    await requireStore(blobs.#bucket, blobs.#ofEpoch);
    for (const epoch of options.older)
      await blobs.#bucket.remove(await blobs.#bucket.keys(keysOf(options, epoch)));
    return blobs;
  }

  async put(bytes: Uint8Array): Promise<BlobHash> {
    const hash = blobHash(bytes);
    await this.#removing.get(hash);
    if (this.#isVerified(hash)) return hash;
    await this.#writes.once(hash, () => this.#write(hash, bytes));
    return hash;
  }

  async get(hash: BlobHash): Promise<Uint8Array | undefined> {
    for (let reads = 1; this.#usage.use(hash) !== undefined; reads += 1) {
      const bytes = await this.#bucket.get(this.#keyOf(hash));
      if (bytes !== undefined && blobHash(bytes) === hash) {
        if (this.#usage.use(hash) !== undefined) this.#verified.add(hash);
        return bytes;
      }
      if (bytes === undefined || reads === MAX_READS) this.#forget(hash);
    }
    return undefined;
  }

  async linkToPut(hash: BlobHash, bytes: number): Promise<string | undefined> {
    await this.#removing.get(hash);
    // No host may replace bytes that are known to be right.
    if (this.#isVerified(hash)) return undefined;
    this.#usage.add(hash, bytes);
    return this.#bucket.link('PUT', this.#keyOf(hash), bytes);
  }

  async linkToGet(hash: BlobHash): Promise<string | undefined> {
    return this.#usage.use(hash) === undefined ? undefined : this.#bucket.link('GET', this.#keyOf(hash));
  }

  /** By the rule of BlobUsage. Returns the number of removed blobs. Where it rejects, the next one removes them. */
  async collect(kept: ReadonlySet<BlobHash>): Promise<number> {
    for (const hash of this.#usage.collect(kept)) {
      this.#verified.delete(hash);
      this.#unremoved.add(hash);
    }
    // Not those that were put again since a removal failed.
    const left = [...this.#unremoved].filter(
      hash => !this.#usage.has(hash) && !this.#writes.isUnderway(hash),
    );
    const removal = this.#bucket.remove(left.map(hash => this.#keyOf(hash)));
    // A put waits for it, whether it succeeds or not.
    const over = removal.catch(() => undefined).then(() => left.map(hash => this.#removing.delete(hash)));
    for (const hash of left) this.#removing.set(hash, over);
    await removal;
    this.#unremoved.clear();
    return left.length;
  }

  /** Removes everything of the epoch. Rejects if the store does not answer; the next start of the run then removes it. */
  async close(): Promise<void> {
    this.#over.abort(new Error('The store of blobs is closed: its run has ended.'));
    await Promise.all([this.#writes.settled(), ...this.#removing.values()]);
    const over = new AbortController();
    const { clock } = this.#options;
    const bucket = new S3Bucket({ ...this.#options, signal: over.signal });
    const removal = async () => bucket.remove(await bucket.keys(this.#ofEpoch));
    try {
      await withDeadline(removal(), { what: 'Deleting the objects of the run', ms: CLOSE_MS, clock });
    } finally {
      over.abort();
    }
  }

  #isVerified(hash: BlobHash): boolean {
    return this.#usage.use(hash) !== undefined && this.#verified.has(hash);
  }

  async #write(hash: BlobHash, bytes: Uint8Array): Promise<void> {
    await this.#bucket.put(this.#keyOf(hash), bytes);
    this.#usage.add(hash, bytes.byteLength);
    this.#verified.add(hash);
  }

  #forget(hash: BlobHash): void {
    this.#usage.remove(hash);
    this.#verified.delete(hash);
  }

  #keyOf(hash: BlobHash): string {
    return `${this.#ofEpoch}${hash}`;
  }
}

/** Puts, gets, lists and removes a small object. Rejects if one of them fails. */
async function requireStore(bucket: S3Bucket, folder: string): Promise<void> {
  const bytes = randomBytes(64);
  const key = `${folder}${blobHash(bytes)}`;
  await bucket.put(key, bytes);
  const found = await bucket.get(key);
  const keys = await bucket.keys(folder);
  await bucket.remove([key]);
  if (found === undefined || !bytes.equals(found) || !keys.includes(key))
    throw new Error(
      "The store of blobs does not return or list an object that was just put. Check that the bucket of 'fabric.blobs' is strongly consistent, and that no proxy on the way caches.",
    );
}

/** For `dartboard doctor`. Rejects if the store is not as the settings say. */
export function tryS3Store(options: S3StoreOptions & Pick<S3BlobsOptions, 'clock'>): Promise<void> {
  const { signal } = new AbortController();
  const folder = `${options.prefix ?? DEFAULT_PREFIX}/doctor/${randomBytes(8).toString('hex')}/`;
  return requireStore(new S3Bucket({ ...options, signal }), folder);
}
