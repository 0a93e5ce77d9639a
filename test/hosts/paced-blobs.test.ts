// The blobs of a joined host on a slow link: few puts at a time, each picture once, and reports of transfers that fail.

import { expect, test } from 'vitest';
import { blobHash } from '../../runtime/blobs/blobs.ts';
import { MemoryBlobs } from '../../runtime/blobs/memory-blobs.ts';
import { PutOnce } from '../../runtime/blobs/put-once.ts';
import { retry } from '../../runtime/core/retry.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { MIN_BLOB_BYTES, ValueCodec } from '../../runtime/fabric/nats/codec.ts';
import { PacedBlobs, type PersistentBlobs } from '../../runtime/hosts/paced-blobs.ts';
import { blobLaws } from '../blobs/contract.ts';

const unreported = () => undefined;

blobLaws('paced', async () => new PacedBlobs(new MemoryBlobs(), unreported));

/** Each attempt takes a second. Those of bytes that begin with a number in `failing` fail. */
function slowStore() {
  const clock = new VirtualClock();
  const state = { attempts: 0, underway: 0, most: 0, failing: new Set<number>(), isCutOff: false };
  const attempt = async (bytes: Uint8Array) => {
    state.attempts += 1;
    state.underway += 1;
    state.most = Math.max(state.most, state.underway);
    await clock.sleep(1000);
    state.underway -= 1;
    if (state.failing.has(bytes[0] ?? 0)) throw new Error('The link is too slow.');
    return blobHash(bytes);
  };
  const absent = async () => {
    if (state.isCutOff) throw new Error('The link is down.');
    return undefined;
  };
  const store: PersistentBlobs = {
    put: (bytes, failed = unreported) => retry(() => attempt(bytes), { clock, failed }),
    get: (_, failed = unreported) => retry(absent, { clock, failed }),
  };
  const reports: string[] = [];
  const blobs = new PacedBlobs(store, (thing, healthy, message) =>
    reports.push(`${healthy ? 'well' : 'ill'}: ${thing} ${message}`),
  );
  return { blobs, clock, state, reports };
}

test('of 200 different and 50 equal pictures, at most eight are sent at a time, and each once', async () => {
  const { blobs, clock, state, reports } = slowStore();
  const pictures = Array.from({ length: 250 }, (_, index) =>
    new Uint8Array(MIN_BLOB_BYTES).fill(Math.min(index, 200)),
  );
  const codec = new ValueCodec(new PutOnce(blobs, clock, 60_000));
  const encoded = Promise.all([codec.encode(pictures), codec.encode(pictures)]);
  await clock.run(60_000);
  for (const each of await encoded) expect(each.blobs).toHaveLength(201);
  expect([state.attempts, state.most]).toEqual([201, 8]);
  expect(reports).toEqual([]);
});

test('a put that fails repeatedly is reported once, and again when nothing fails', async () => {
  const { blobs, clock, state, reports } = slowStore();
  state.failing = new Set([1, 2]);
  const puts = [1, 2, 3].map(number => blobs.put(Uint8Array.of(number)));
  await clock.run(2500);
  expect(reports).toEqual([]);
  await clock.run(100_000);
  const report = 'ill: blobs cannot be sent: The link is too slow.';
  expect(reports).toEqual([report]);
  state.failing = new Set([2]);
  await clock.run(200_000);
  expect(reports).toEqual([report]);
  state.failing = new Set();
  await clock.run(400_000);
  await Promise.all(puts);
  expect(reports).toEqual([report, 'well: blobs are sent again']);
});

test('gets that fail repeatedly are reported once, and again when nothing fails', async () => {
  const { blobs, clock, state, reports } = slowStore();
  state.isCutOff = true;
  const gets = [1, 2].map(number => blobs.get(blobHash(Uint8Array.of(number))));
  await clock.run(500);
  expect(reports).toEqual([]);
  await clock.run(100_000);
  const report = 'ill: blobs cannot be fetched: The link is down.';
  expect(reports).toEqual([report]);
  state.isCutOff = false;
  await clock.run(200_000);
  await Promise.all(gets);
  expect(reports).toEqual([report, 'well: blobs are fetched again']);
});
