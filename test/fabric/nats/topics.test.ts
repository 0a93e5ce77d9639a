// Pictures that a joined host publishes over a slow network: the newest one is sent first. The daemon gets those of all hosts.

import type { Msg, Subscription, SubscriptionOptions } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { blobHash } from '../../../runtime/blobs/blobs.ts';
import { MemoryBlobs } from '../../../runtime/blobs/memory-blobs.ts';
import { desktopId } from '../../../runtime/core/ids.ts';
import { untilAborted } from '../../../runtime/core/run-together.ts';
import type { View } from '../../../runtime/core/view.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { MIN_BLOB_BYTES, ValueCodec } from '../../../runtime/fabric/nats/codec.ts';
import { HeardTopic, SentTopic } from '../../../runtime/fabric/nats/topics.ts';
import { ACCEPT_ALL } from './members.ts';

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

const late = view('late', 0);

/** The daemon's side. The blob of `late` arrives when the test says so. */
async function heardViews() {
  const stored = new MemoryBlobs();
  const codec = new ValueCodec(stored);
  const [hash] = (await codec.encode(late)).blobs;
  const release = new AbortController();
  let callback: SubscriptionOptions['callback'];
  const topic = new HeardTopic<View>({
    ...{ name: 'views', subject: 'views.*', guard: ACCEPT_ALL },
    broker: {
      over: new AbortController().signal,
      connection: {
        subscribe: (_, options) => {
          callback = options?.callback;
          return { unsubscribe: (): void => undefined } as Subscription;
        },
      },
    },
    codec: new ValueCodec({
      put: bytes => stored.put(bytes),
      get: async wanted => {
        if (wanted === hash) await untilAborted(release.signal);
        return stored.get(wanted);
      },
    }),
  });
  const heard: string[] = [];
  const hear = async () => {
    for await (const { event } of topic.listen()) heard.push(`${event.desktop} ${event.at}`);
  };
  void hear();
  const arrive = async (host: string, event: View) =>
    callback?.(null, { subject: `views.${host}`, data: (await codec.encode(event)).bytes } as Msg);
  /** Lets all code run that waits for settled promises. */
  const settle = () => new Promise<void>(resolve => setImmediate(resolve));
  return { arrive, heard, release: () => release.abort(), settle };
}

test('a picture that arrives late delays those of its host, and those of no other', async () => {
  const { arrive, heard, release, settle } = await heardViews();
  await arrive('tower', late);
  await arrive('tower', view('tower', 1));
  await arrive('laptop', view('laptop', 1));
  await settle();
  expect(heard).toEqual(['laptop 1']);
  release();
  await settle();
  expect(heard).toEqual(['laptop 1', 'late 0', 'tower 1']);
});

test('of too many pictures, the oldest of the host with the most are dropped', async () => {
  const { arrive, heard, release, settle } = await heardViews();
  for (const host of ['laptop', 'tower']) await arrive(host, late);
  await arrive('laptop', view('laptop', 1));
  for (let at = 1; at <= 250; at++) await arrive('tower', view('tower', at));
  release();
  await settle();
  const kept = Array.from({ length: 199 }, (_, index) => `tower ${index + 52}`);
  expect(heard.filter(each => !each.startsWith('late'))).toEqual(
    expect.arrayContaining(['laptop 1', ...kept]),
  );
  expect(heard).toHaveLength(2 + 1 + 199);
});

test('the pictures of four hosts are fetched at the same time, and those of others afterwards', async () => {
  const { arrive, heard, release, settle } = await heardViews();
  for (const host of ['a', 'b', 'c', 'd']) await arrive(host, late);
  for (const host of ['e', 'f']) await arrive(host, view(host, 1));
  await settle();
  expect(heard).toEqual([]);
  release();
  await settle();
  expect(heard.sort()).toEqual(['e 1', 'f 1', ...Array(4).fill('late 0')]);
});
