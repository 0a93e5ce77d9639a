import { expect, test } from 'vitest';
import type { BlobHash, Blobs } from '../../runtime/blobs/blobs.ts';
import { CachedBlobs } from '../../runtime/blobs/cached-blobs.ts';
import { MemoryBlobs } from '../../runtime/blobs/memory-blobs.ts';
import { blobLaws } from './contract.ts';

blobLaws('cached', async () => new CachedBlobs(new MemoryBlobs(), 1000));
blobLaws('cached without room', async () => new CachedBlobs(new MemoryBlobs(), 0));

class CountingBlobs implements Blobs {
  gets = 0;
  fails = false;
  readonly #blobs = new MemoryBlobs();

  put(bytes: Uint8Array): Promise<BlobHash> {
    return this.#blobs.put(bytes);
  }

  async get(hash: BlobHash): Promise<Uint8Array | undefined> {
    this.gets += 1;
    // Other readers come meanwhile.
    await new Promise(resolve => setImmediate(resolve));
    if (this.fails) throw new Error('The store is away.');
    return await this.#blobs.get(hash);
  }
}

test('a blob is transferred once for all readers, at the same time or later', async () => {
  const distant = new CountingBlobs();
  const blobs = new CachedBlobs(distant, 1000);
  const hash = await blobs.put(Uint8Array.of(1));
  await Promise.all([1, 2, 3].map(() => blobs.get(hash)));
  await blobs.get(hash);
  expect(distant.gets).toBe(1);
});

test('a failed transfer fails for its readers, and the next reader tries again', async () => {
  const distant = new CountingBlobs();
  const blobs = new CachedBlobs(distant, 1000);
  const hash = await blobs.put(Uint8Array.of(1));
  distant.fails = true;
  const failed = await Promise.allSettled([blobs.get(hash), blobs.get(hash)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  distant.fails = false;
  expect(await blobs.get(hash)).toEqual(Uint8Array.of(1));
});
