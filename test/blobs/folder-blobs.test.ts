import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type BlobHash, blobHash } from '../../runtime/blobs/blobs.ts';
import { FolderBlobs } from '../../runtime/blobs/folder-blobs.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { temporaryFolder } from '../temporary.ts';
import { blobLaws } from './contract.ts';

const NONE: ReadonlySet<BlobHash> = new Set();
const MINUTE_MS = 60_000;

async function opened({ maxBytes = 1000, maxAgeMs = 10 * MINUTE_MS } = {}) {
  const folder = join(temporaryFolder('blobs'), 'blobs');
  const clock = new VirtualClock();
  const blobs = await FolderBlobs.open({ folder, maxBytes, maxAgeMs, clock });
  return { folder, clock, blobs, pass: (ms: number) => clock.run(clock.now() + ms) };
}

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile())
    .map(({ name }) => name);

const filled = (value: number, length = 400): Uint8Array => new Uint8Array(length).fill(value);

blobLaws('folder', async () => (await opened({ maxBytes: 1e6 })).blobs);

test('an earlier process leaves nothing that is found', async () => {
  const { folder, clock, blobs } = await opened();
  const hash = await blobs.put(filled(1));
  const next = await FolderBlobs.open({ folder, maxBytes: 1000, maxAgeMs: MINUTE_MS, clock });
  expect(await next.get(hash)).toBeUndefined();
  expect(await filesIn(folder)).toEqual([]);
});

test('a blob that was damaged or removed on the disk is not found, and can be put again', async () => {
  const { folder, blobs } = await opened();
  for (const harm of [(file: string) => writeFile(file, 'other'), (file: string) => rm(file)]) {
    const hash = await blobs.put(filled(1));
    await harm(join(folder, hash.slice(0, 2), hash));
    expect(await blobs.get(hash)).toBeUndefined();
    await blobs.put(filled(1));
    expect(Buffer.from((await blobs.get(hash)) ?? '').equals(filled(1))).toBe(true);
  }
});

test('a put that fails leaves nothing behind', async () => {
  const { folder, blobs } = await opened();
  const hash = blobHash(filled(1));
  // A file in the place of the blob's folder.
  await writeFile(join(folder, hash.slice(0, 2)), '');
  await expect(blobs.put(filled(1))).rejects.toThrow();
  expect(await blobs.get(hash)).toBeUndefined();
  await rm(join(folder, hash.slice(0, 2)));
  await blobs.put(filled(1));
  expect(await filesIn(folder)).toEqual([hash]);
});

test('collection removes what was not used for too long, and its file', async () => {
  const { folder, blobs, pass } = await opened();
  const [old, read, again] = [await blobs.put(filled(1, 4)), await blobs.put(filled(2, 4)), filled(3, 4)];
  await blobs.put(again);
  await pass(8 * MINUTE_MS);
  await blobs.get(read);
  await blobs.put(again);
  await pass(8 * MINUTE_MS);
  expect(blobs.collect(NONE)).toBe(1);
  expect(await blobs.get(old)).toBeUndefined();
  expect([...(await filesIn(folder))].sort()).toEqual([read, blobHash(again)].sort());
});

test('beyond the bound, collection removes what was not used for the longest time', async () => {
  const { blobs } = await opened();
  const [first, second, third] = [
    await blobs.put(filled(1)),
    await blobs.put(filled(2)),
    await blobs.put(filled(3)),
  ];
  await blobs.get(first);
  expect(blobs.collect(NONE)).toBe(1);
  expect(await blobs.get(second)).toBeUndefined();
  expect(await blobs.get(first)).toBeDefined();
  expect(await blobs.get(third)).toBeDefined();
});

test('a file that cannot be removed is an error when the others are removed, and is removed later unless it was put again', async () => {
  for (const isPutAgain of [false, true]) {
    const { folder, blobs } = await opened({ maxBytes: 0 });
    const first = await blobs.put(filled(1));
    await blobs.put(filled(2));
    // A folder is not removed as a file.
    const file = join(folder, first.slice(0, 2), first);
    await rm(file);
    await mkdir(file);
    expect(() => blobs.collect(NONE)).toThrow(first);
    expect(await filesIn(folder)).toEqual([]);
    await rm(file, { recursive: true });
    if (isPutAgain) await blobs.put(filled(1));
    else await writeFile(file, filled(1));
    expect(blobs.collect(new Set([first]))).toBe(0);
    expect(await filesIn(folder)).toEqual(isPutAgain ? [first] : []);
  }
});

test('what must be kept stays, at any age and beyond the bound', async () => {
  const { blobs, pass } = await opened();
  const kept = await blobs.put(filled(1, 2000));
  const other = await blobs.put(filled(2));
  await pass(100 * MINUTE_MS);
  expect(blobs.collect(new Set([kept]))).toBe(1);
  expect(await blobs.get(kept)).toBeDefined();
  expect(await blobs.get(other)).toBeUndefined();
  expect(blobs.collect(NONE)).toBe(1);
});

test('a blob that is collected while it is put or read is either found or can be put again', async () => {
  const { blobs } = await opened({ maxBytes: 0 });
  for (let round = 0; round < 50; round += 1) {
    const hash = await blobs.put(filled(1));
    const reading = blobs.get(hash);
    blobs.collect(NONE);
    const again = blobs.put(filled(1));
    await Promise.all([reading, again]);
    expect(await blobs.get(hash)).toBeDefined();
  }
});

test('closing removes the folder', async () => {
  const { folder, blobs } = await opened();
  await blobs.put(filled(1));
  await blobs.close();
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});
