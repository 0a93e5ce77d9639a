// Pictures that a joined host publishes over a slow network: the newest one is sent first.

import { expect, test } from 'vitest';
import { blobHash } from '../../../runtime/blobs/blobs.ts';
import { MemoryBlobs } from '../../../runtime/blobs/memory-blobs.ts';
import { desktopId } from '../../../runtime/core/ids.ts';
import type { View } from '../../../runtime/core/view.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { MIN_BLOB_BYTES, ValueCodec } from '../../../runtime/fabric/nats/codec.ts';
import { SentTopic } from '../../../runtime/fabric/nats/topics.ts';

/** Each blob takes a second. */
function slowTopic<T>(keyOf?: (event: T) => string) {
  const clock = new VirtualClock();
  const stored = new MemoryBlobs();
  const slow = {
    put: async (bytes: Uint8Array) => {
      await clock.sleep(1000);
      await stored.put(bytes);
      return blobHash(bytes);
    },
    get: stored.get.bind(stored),
  };
  const messages: Uint8Array[] = [];
  const topic = new SentTopic<T>({
    ...{ name: 'views', subject: 'views' },
    broker: {
      ...{ isUp: true, over: new AbortController().signal },
      connection: { publish: (_, bytes) => void (bytes instanceof Uint8Array && messages.push(bytes)) },
    },
    codec: new ValueCodec(slow),
    ...(keyOf !== undefined && { keyOf }),
  });
  const sent = () =>
    Promise.all(messages.map(async bytes => (await new ValueCodec(stored).decode(bytes)) as T));
  return { topic, clock, sent };
}

const view = (desktop: string, at: number): View => ({
  ...{ desktop: desktopId(desktop), size: 'whole', use: 'playing', at },
  picture: new Uint8Array(MIN_BLOB_BYTES).fill(at),
});

test('of 500 pictures of one desktop, the newest is sent after at most two transfers', async () => {
  const { topic, clock, sent } = slowTopic<View>(({ desktop }) => desktop);
  for (let at = 0; at < 500; at++) topic.publish(view('d0', at));
  await clock.run(2001);
  expect((await sent()).map(({ at }) => at)).toEqual([0, 499]);
  await clock.run(1_000_000);
  expect(await sent()).toHaveLength(2);
});

test('the newest picture of each desktop is sent, although others publish more', async () => {
  const { topic, clock, sent } = slowTopic<View>(({ desktop }) => desktop);
  for (let at = 0; at < 100; at++) topic.publish(view(at === 10 ? 'd1' : 'd0', at));
  await clock.run(10_000);
  expect((await sent()).map(({ desktop, at }) => `${desktop} ${at}`)).toEqual(['d0 0', 'd0 99', 'd1 10']);
});

test('events without a key are sent in order, and the oldest beyond a thousand are dropped', async () => {
  const { topic, clock, sent } = slowTopic<number>();
  for (let event = 0; event < 1200; event++) topic.publish(event);
  await clock.run(10_000);
  expect(await sent()).toEqual([0, ...Array.from({ length: 1000 }, (_, index) => index + 200)]);
});
