// A question of a joined host costs the daemon a bounded amount of memory, whatever its message refers to.

import { expect, test } from 'vitest';
import { MemoryBlobs } from '../../../runtime/blobs/memory-blobs.ts';
import { MAX_MESSAGE_BYTES, ValueCodec } from '../../../runtime/fabric/nats/codec.ts';
import { asking } from '../../../runtime/run/joined/host-desks.ts';
import { pictureOf, requestOf } from '../host/question-path.ts';

const LARGE = new Uint8Array(24 * 1024 * 1024);

function opened() {
  const reads = { now: 0, most: 0, all: 0 };
  const blobs = {
    put: () => Promise.reject(new Error('Nothing is put.')),
    get: async () => {
      reads.all += 1;
      reads.now += 1;
      reads.most = Math.max(reads.most, reads.now);
      await new Promise(resolve => setImmediate(resolve));
      reads.now -= 1;
      return LARGE;
    },
  };
  const passed: unknown[] = [];
  const desk = {
    ask: async (_: string, question: unknown) => {
      passed.push(question);
      return undefined;
    },
  };
  const ask = (bytes: Uint8Array) => asking(desk, blobs)('tower', bytes, new AbortController().signal);
  return { ask, reads, passed };
}

test('the blobs of a question are read one after another, up to 64 MB', async () => {
  const pictures = Array.from({ length: 100 }, (_, number) => pictureOf(number));
  const { messages, sampling, session } = requestOf('episode', pictures);
  const images = Object.fromEntries(pictures.map(({ sha256, png }) => [sha256, png]));
  const question = { id: 'q1', ask: { kind: 'complete', messages, sampling, session, images } };
  const { bytes } = await new ValueCodec(new MemoryBlobs()).encode(question);
  const { ask, reads, passed } = opened();
  await expect(ask(bytes)).rejects.toThrow(
    /blobs of a question have more than 67108864 bytes.*fewer or smaller/,
  );
  expect(reads).toEqual({ now: 0, most: 1, all: 3 });
  expect(passed).toEqual([]);
});

test('a question with its images in the message is refused', async () => {
  const { bytes } = await new ValueCodec(undefined).encode({ id: 'q1', ask: LARGE });
  const { ask } = opened();
  await expect(ask(bytes)).rejects.toThrow(
    `A question has ${bytes.length} bytes of at most ${MAX_MESSAGE_BYTES}.`,
  );
});
