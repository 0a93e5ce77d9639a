// Equal bytes are put once, until the store may have removed them.

import { expect, test } from 'vitest';
import { blobHash } from '../../runtime/blobs/blobs.ts';
import { MemoryBlobs } from '../../runtime/blobs/memory-blobs.ts';
import { PutOnce } from '../../runtime/blobs/put-once.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { blobLaws } from './contract.ts';

const KNOWN_MS = 1000;

blobLaws('put once', async () => new PutOnce(new MemoryBlobs(), new VirtualClock(), KNOWN_MS));

function counted() {
  const clock = new VirtualClock();
  const state = { puts: 0, fails: false };
  const put = async (bytes: Uint8Array) => {
    state.puts += 1;
    await clock.sleep(100);
    if (state.fails) throw new Error('refused');
    return blobHash(bytes);
  };
  const blobs = new PutOnce({ put, get: async () => undefined }, clock, KNOWN_MS);
  return { blobs, clock, state };
}
const bytes = Uint8Array.of(1, 2, 3);

test('puts at the same time and shortly after share one transfer', async () => {
  const { blobs, clock, state } = counted();
  const puts = [blobs.put(bytes), blobs.put(Uint8Array.from(bytes))];
  await clock.run(100);
  expect(await Promise.all(puts)).toEqual([blobHash(bytes), blobHash(bytes)]);
  await clock.run(100 + KNOWN_MS - 1);
  await blobs.put(bytes);
  expect(state.puts).toBe(1);
});

test('bytes are put again after a while, after they were forgotten, and after a failure', async () => {
  const { blobs, clock, state } = counted();
  const put = async () => {
    const result = blobs.put(bytes).catch((error: Error) => error.message);
    await clock.run(clock.now() + 100);
    return await result;
  };
  await put();
  await clock.run(clock.now() + KNOWN_MS);
  await put();
  expect(state.puts).toBe(2);
  blobs.forget();
  state.fails = true;
  expect(await put()).toBe('refused');
  state.fails = false;
  expect(await put()).toBe(blobHash(bytes));
  expect(state.puts).toBe(4);
});
