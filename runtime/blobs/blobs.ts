// Bytes under the SHA-256 of their content: weights, screens, trajectories. They travel over HTTP between hosts, never through the broker.

import { createHash } from 'node:crypto';

/** Larger content does not exist: a screen of 4K has about 10 MB. */
export const MAX_BLOB_BYTES = 64 * 1024 * 1024;

/** The SHA-256 of the content, in 64 hexadecimal digits. */
export type BlobHash = string & { readonly brand: 'BlobHash' };

/**
 * Laws:
 * - `get` resolves to exactly the bytes that have this hash, or to undefined. It never gives other bytes.
 * - After `put` has resolved, `get` finds the bytes until they are collected. Bytes that are put again are stored once.
 * - A put that is interrupted leaves nothing behind that `get` finds.
 */
export interface Blobs {
  put(bytes: Uint8Array): Promise<BlobHash>;
  get(hash: BlobHash): Promise<Uint8Array | undefined>;
}

/** Blobs of a store that hosts reach themselves. They get an address for one transfer, which ends soon, and no keys. */
export interface BlobLinks {
  /** For exactly so many bytes. Undefined if the blob is there already. */
  linkToPut(hash: BlobHash, bytes: number): Promise<string | undefined>;
  /** Undefined if there is no such blob. */
  linkToGet(hash: BlobHash): Promise<string | undefined>;
}

/** Throws a RangeError for bytes that no store takes. */
export function requireBlobSize({ byteLength }: Uint8Array): void {
  if (byteLength > MAX_BLOB_BYTES)
    throw new RangeError(
      `A blob of ${byteLength} bytes exceeds ${MAX_BLOB_BYTES}. Use smaller screens or a smaller network.`,
    );
}

export const blobHash = (bytes: Uint8Array): BlobHash =>
  createHash('sha256').update(bytes).digest('hex') as BlobHash;

export const isBlobHash = (text: string): text is BlobHash => /^[0-9a-f]{64}$/.test(text);
