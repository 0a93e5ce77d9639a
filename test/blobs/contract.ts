// The laws of blobs (runtime/blobs/blobs.ts), as a suite for every implementation.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Blobs, blobHash } from '../../runtime/blobs/blobs.ts';

const contents = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 12 });

/** `make` creates an empty store with room for everything. */
export function blobLaws(name: string, make: () => Promise<Blobs>): void {
  test(`${name}: what was put is found under its hash, also when it is put several times and at the same time`, async () => {
    await fc.assert(
      fc.asyncProperty(contents, async all => {
        const blobs = await make();
        const twice = [...all, ...all];
        const hashes = await Promise.all(twice.map(bytes => blobs.put(bytes)));
        expect(hashes).toEqual(twice.map(bytes => blobHash(bytes)));
        for (const bytes of all) expect(await blobs.get(blobHash(bytes))).toEqual(expectBytes(bytes));
      }),
      { numRuns: 30 },
    );
  });

  test(`${name}: nothing is found under a hash that was not put`, async () => {
    const blobs = await make();
    await blobs.put(Uint8Array.of(1));
    expect(await blobs.get(blobHash(Uint8Array.of(2)))).toBeUndefined();
  });

  test(`${name}: a caller that changes its array afterwards does not change the blob`, async () => {
    const blobs = await make();
    const bytes = Uint8Array.of(1, 2, 3);
    const hash = await blobs.put(bytes);
    bytes.fill(9);
    expect(await blobs.get(hash)).toEqual(expectBytes(Uint8Array.of(1, 2, 3)));
  });
}

/** Stores may return a Buffer, which is a Uint8Array that equals none for the matcher. */
const expectBytes = (bytes: Uint8Array) => ({
  asymmetricMatch: (found: unknown) =>
    found instanceof Uint8Array && Buffer.from(bytes).equals(Buffer.from(found)),
  toString: () => `the bytes ${[...bytes].join(' ')}`,
});
