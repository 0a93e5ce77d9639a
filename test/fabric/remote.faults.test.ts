// Work in transit when the connection breaks or a call is aborted.

import { expect, test } from 'vitest';
import { ChannelClosed, type Taker } from '../../runtime/fabric/channels.ts';
import { serveChannels } from '../../runtime/fabric/remote/server.ts';
import { embeddedChannels, remoteChannels } from './channels.ts';
import { MemoryPort, type Pair } from './ports.ts';

const here = () => {
  const channels = embeddedChannels();
  const connected = () => {
    const pair: Pair = MemoryPort.pair();
    serveChannels(channels, pair.server);
    const { channels: remote, leave } = remoteChannels(pair.client);
    return { ...remote, leave, pair };
  };
  return { ...channels, connected };
};

/** Delivers all messages in transit. */
const turn = () => new Promise<void>(resolve => setImmediate(resolve));

test('taken items return to their position when the connection breaks', async () => {
  const { queue, connected } = here();
  for (const item of [0, 1, 2, 3]) await queue.put(item);
  const { queue: remote, pair } = connected();
  const [one, other] = [remote.taker(), remote.taker()];
  const held = [await one.take(), await other.take(), await one.take()];
  await held[1]?.acknowledge();
  pair.cut();
  const taker = queue.taker();
  const items = [await taker.take(), await taker.take(), await taker.take()];
  expect(items.map(({ item, attempt }) => [item, attempt])).toEqual([
    [0, 2],
    [2, 2],
    [3, 1],
  ]);
  await expect(held[0]?.acknowledge()).rejects.toBeInstanceOf(ChannelClosed);
  expect(await queue.depth()).toEqual({ waiting: 0, taken: 3 });
});

test('pending takes reject when the connection breaks, and receive no item', async () => {
  const { queue, connected } = here();
  const { queue: remote, pair } = connected();
  const waiting = remote.taker().take(new AbortController().signal);
  await turn();
  pair.cut();
  await expect(waiting).rejects.toMatchObject({
    name: 'ChannelClosed',
    message: /'queue.take' has no answer/,
  });
  await queue.put(1);
  expect(await queue.depth()).toEqual({ waiting: 1, taken: 0 });
});

test('an item that was sent and did not arrive returns to the queue', async () => {
  const { queue, connected } = here();
  const { queue: remote, pair } = connected();
  await queue.put(1);
  pair.client.hold();
  const given = expect(remote.taker().take()).rejects.toBeInstanceOf(ChannelClosed);
  await turn();
  expect(await queue.depth()).toEqual({ waiting: 0, taken: 1 });
  pair.cut();
  await given;
  expect(await queue.depth()).toEqual({ waiting: 1, taken: 0 });
});

test('a put that was not acknowledged rejects, whether it arrived or not', async () => {
  const { queue, connected } = here();
  const [lost, done] = [connected(), connected()];
  lost.pair.server.hold();
  done.pair.client.hold();
  const puts = [lost.queue.put(1), done.queue.put(2)];
  const settled = Promise.allSettled(puts);
  await turn();
  lost.pair.cut();
  done.pair.cut();
  for (const each of await settled) expect(each).toMatchObject({ reason: { name: 'ChannelClosed' } });
  expect((await queue.taker().tryTake())?.item).toBe(2);
  expect(await queue.depth()).toEqual({ waiting: 0, taken: 1 });
});

test('after the break every call rejects, and publishing has no effect', async () => {
  const { pair, queue, register, log, topic } = here().connected();
  const taker = queue.taker();
  pair.cut();
  topic.publish(1);
  await taker.close();
  const calls = [queue.put(1), queue.taker().take(), queue.depth(), register.set(1), log.append('a')];
  for (const each of await Promise.allSettled(calls)) {
    expect(each).toMatchObject({ reason: { name: 'ChannelClosed' } });
  }
});

test('a connection that has ended before the first call is an error', async () => {
  const pair = MemoryPort.pair();
  pair.cut();
  const { queue } = remoteChannels(pair.client).channels;
  await expect(queue.put(1)).rejects.toBeInstanceOf(ChannelClosed);
});

const REASON = new Error('enough');

test.each(['before the request', 'while it waits', 'while the item is in transit'] as const)(
  'a take that is aborted %s leaves the item in its position',
  async when => {
    const { queue, connected } = here();
    const { queue: remote, pair } = connected();
    const stop = new AbortController();
    if (when !== 'while it waits') for (const item of [1, 2]) await queue.put(item);
    if (when === 'before the request') pair.server.hold();
    if (when === 'while the item is in transit') pair.client.hold();
    const given = expect(remote.taker().take(stop.signal)).rejects.toBe(REASON);
    await turn();
    stop.abort(REASON);
    await given;
    pair.server.release();
    await turn();
    pair.client.release();
    await turn();
    if (when === 'while it waits') for (const item of [1, 2]) await queue.put(item);
    expect(await queue.depth()).toEqual({ waiting: 2, taken: 0 });
    const taker = queue.taker();
    expect([(await taker.take()).item, (await taker.take()).item]).toEqual([1, 2]);
  },
);

test('a take that is aborted in the same turn as it is served takes nothing', async () => {
  const { queue, connected } = here();
  const { queue: remote, pair } = connected();
  const stop = new AbortController();
  const given = expect(remote.taker().take(stop.signal)).rejects.toBe(REASON);
  await turn();
  pair.server.hold();
  stop.abort(REASON);
  await given;
  // The abort arrives after the item, and before the taker could act.
  void queue.put(1);
  pair.server.release();
  await turn();
  expect(await queue.depth()).toEqual({ waiting: 1, taken: 0 });
});

test('an abort after the take does not give the item back', async () => {
  const { queue, connected } = here();
  const { queue: remote } = connected();
  await queue.put(1);
  const stop = new AbortController();
  const { acknowledge } = await remote.taker().take(stop.signal);
  stop.abort(REASON);
  await turn();
  expect(await queue.depth()).toEqual({ waiting: 0, taken: 1 });
  await acknowledge();
  expect(await queue.depth()).toEqual({ waiting: 0, taken: 0 });
});

test('an item in transit to a taker that closes has one owner', async () => {
  const { queue, connected } = here();
  const { queue: remote, pair } = connected();
  await queue.put(1);
  const taker = remote.taker();
  pair.client.hold();
  const [taking, trying] = [taker.take(), taker.tryTake()].map(each =>
    expect(each).rejects.toMatchObject({ name: 'ChannelClosed', message: /'queue' was closed/ }),
  );
  await turn();
  const closed = taker.close();
  await turn();
  expect((await queue.taker().take()).item).toBe(1);
  pair.client.release();
  await Promise.all([taking, trying, closed]);
});

test('an item in transit to a side that leaves has one owner', async () => {
  const { queue, connected } = here();
  const { queue: remote, pair, leave } = connected();
  await queue.put(1);
  pair.client.hold();
  const taking = expect(remote.taker().take()).rejects.toBeInstanceOf(ChannelClosed);
  await turn();
  const left = leave();
  await turn();
  expect((await queue.taker().take()).item).toBe(1);
  pair.client.release();
  await Promise.all([taking, left]);
});

test('leaving waits for the replies to earlier calls', async () => {
  const { queue, connected } = here();
  const { queue: remote, leave } = connected();
  const put = queue.put.bind(queue);
  let doneSlowly: () => void = () => undefined;
  queue.put = async item => {
    await new Promise<void>(resolve => {
      doneSlowly = resolve;
    });
    await put(item);
  };
  const done = remote.put(1);
  const left = leave();
  await turn();
  doneSlowly();
  await Promise.all([done, left]);
  expect(await queue.depth()).toEqual({ waiting: 1, taken: 0 });
});

test('a connection that breaks while nothing can be given back does not end the process', async () => {
  const { queue, connected } = here();
  const given: Error[] = [];
  const taker = queue.taker.bind(queue);
  queue.taker = () => ({
    ...boundTaker(taker()),
    close: async () => {
      const error = new Error('The broker is away.');
      given.push(error);
      throw error;
    },
  });
  const { queue: remote, pair } = connected();
  await queue.put(1);
  await remote.taker().take();
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  pair.cut();
  await turn();
  await turn();
  process.off('unhandledRejection', note);
  expect(given).toHaveLength(1);
  expect(unhandled).toEqual([]);
});

const boundTaker = (taker: Taker<number>): Taker<number> => ({
  take: signal => taker.take(signal),
  tryTake: () => taker.tryTake(),
  close: () => taker.close(),
});

test('a side that leaves ends, although the other side cannot give back what it holds', async () => {
  const { client, server } = MemoryPort.pair();
  const channels = embeddedChannels();
  const { queue } = channels;
  const taker = () => {
    const each = queue.taker();
    return {
      take: (signal?: AbortSignal) => each.take(signal),
      tryTake: () => each.tryTake(),
      close: () => Promise.reject(new Error('The broker is closed.')),
    };
  };
  const stuck = { put: (item: number) => queue.put(item), depth: () => queue.depth(), taker };
  serveChannels({ ...channels, queue: stuck }, server);
  const { channels: remote, leave } = remoteChannels(client);
  const waiting = remote.queue
    .taker()
    .take()
    .catch((error: unknown) => error);
  await turn();
  await expect(leave()).rejects.toThrow('The broker is closed.');
  expect(await waiting).toBeInstanceOf(ChannelClosed);
});
