// Bytes under the SHA-256 of their content: weights, screens, trajectories. They travel over HTTP between hosts, never through the broker.

import { createHash } from 'node:crypto';

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

export const blobHash = (bytes: Uint8Array): BlobHash =>
  createHash('sha256').update(bytes).digest('hex') as BlobHash;

export const isBlobHash = (text: string): text is BlobHash => /^[0-9a-f]{64}$/.test(text);
