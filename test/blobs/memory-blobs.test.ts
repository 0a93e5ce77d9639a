import { expect, test } from 'vitest';
import { blobHash } from '../../runtime/blobs/blobs.ts';
import { MemoryBlobs } from '../../runtime/blobs/memory-blobs.ts';
import { blobLaws } from './contract.ts';

blobLaws('memory', async () => new MemoryBlobs());

test('beyond the bound, what was not used for the longest time leaves first', async () => {
  const blobs = new MemoryBlobs(10);
  const [a, b, c] = await Promise.all([1, 2, 3].map(value => blobs.put(new Uint8Array(4).fill(value))));
  if (a === undefined || b === undefined || c === undefined) throw new Error('Three blobs were put.');
  expect(await blobs.get(a)).toBeUndefined();
  expect(await blobs.get(b)).toBeDefined();
  await blobs.put(new Uint8Array(4).fill(4));
  // It was used after c.
  expect(await blobs.get(b)).toBeDefined();
  expect(await blobs.get(c)).toBeUndefined();
});

test('a blob that exceeds the bound alone is not kept, and the bytes of the others are counted right', async () => {
  const blobs = new MemoryBlobs(10);
  const large = new Uint8Array(11);
  await blobs.put(large);
  expect(await blobs.get(blobHash(large))).toBeUndefined();
  const [one, other] = await Promise.all([1, 2].map(value => blobs.put(new Uint8Array(5).fill(value))));
  expect(one && (await blobs.get(one))).toBeDefined();
  expect(other && (await blobs.get(other))).toBeDefined();
});
