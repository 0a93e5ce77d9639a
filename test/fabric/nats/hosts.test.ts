// A daemon and joined hosts over a real broker: what crosses, in which direction, and what does not. A broker that disappears or forgets, and
// messages that nobody can read.

import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type BlobHash, blobHash, MAX_BLOB_BYTES } from '../../../runtime/blobs/blobs.ts';
import { MemoryBlobs } from '../../../runtime/blobs/memory-blobs.ts';
import { runId } from '../../../runtime/core/ids.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import {
  ChannelClosed,
  type Log,
  type Register,
  type Topic,
  type WorkQueue,
} from '../../../runtime/fabric/channels.ts';
import { EpochOver } from '../../../runtime/fabric/nats/broker.ts';
import { MIN_BLOB_BYTES } from '../../../runtime/fabric/nats/codec.ts';
import { BrokerNames, newEpoch } from '../../../runtime/fabric/nats/names.ts';
import type { NatsFabric } from '../../../runtime/fabric/nats/nats.ts';
import { removeOlderEpochs } from '../../../runtime/fabric/nats/streams.ts';
import { leaseNames } from '../../../runtime/lease/nats/streams.ts';
import { type NatsServer, startNatsServer } from '../../nats-server.ts';
import { PATIENCE } from '../../patience.ts';
import { ofTest, testRun } from './members.ts';

let server: NatsServer;
beforeAll(async () => {
  server = await startNatsServer();
});
afterAll(() => server.stop());

const access = () => ({ servers: [server.url] });

const channels = (fabric: NatsFabric) => ({
  fabric,
  orders: ofTest<WorkQueue<string>>(fabric.orders),
  results: ofTest<WorkQueue<unknown>>(fabric.trajectories),
  lessons: ofTest<WorkQueue<string>>(fabric.lessons),
  weights: ofTest<Register<unknown>>(fabric.weights),
  rates: ofTest<Register<unknown>>(fabric.rates),
  commands: ofTest<Log<string>>(fabric.commands),
  events: ofTest<Topic<string>>(fabric.events),
});

async function opened(run = testRun(access())) {
  const daemon = channels(await run.daemon());
  return { run, daemon, host: channels(await run.host()) };
}

async function read<T>(count: number, of: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of of) if (found.push(each) === count) break;
  return found;
}

describe('what crosses', () => {
  test('a host takes orders, and its results reach the daemon in order, however large', async () => {
    const { daemon, host } = await opened();
    await daemon.orders.put('play');
    const taken = await host.orders.taker().take();
    const results = [new Uint8Array(3), new Uint8Array(MIN_BLOB_BYTES), 'x'.repeat(100_000)];
    for (const result of results) await host.results.put({ of: taken.item, result });
    await taken.acknowledge();
    const taker = daemon.results.taker();
    for (const result of results) expect((await taker.take()).item).toEqual({ of: 'play', result });
    expect(await daemon.orders.depth()).toEqual({ waiting: 0, taken: 0 });
  });

  test('a host sees the newest value of a register, also one that was set before it joined', async () => {
    const run = testRun(access());
    const daemon = channels(await run.daemon());
    expect(daemon.fabric.referenced().size).toBe(0);
    const blob = new Uint8Array(MIN_BLOB_BYTES).fill(1);
    await daemon.weights.set({ version: 1, blob });
    const host = channels(await run.host());
    expect(await host.rates.get()).toBeUndefined();
    const watching = host.weights.watch()[Symbol.asyncIterator]();
    expect((await watching.next()).value).toEqual({ version: 1, blob });
    expect(daemon.fabric.referenced().size).toBe(1);
    for (const version of [2, 3, 4]) await daemon.weights.set({ version, blob });
    let version = 1;
    while (version < 4) {
      const { value } = await watching.next();
      expect(value.version).toBeGreaterThan(version);
      version = value.version;
    }
  });

  test('a host reads all commands with the numbers of the daemon', async () => {
    const { daemon, host } = await opened();
    await daemon.commands.append('before');
    const reading = read(3, host.commands.read(0));
    for (const entry of ['pause', 'resume']) await daemon.commands.append(entry);
    expect(await reading).toEqual(await read(3, daemon.commands.read(0)));
  });

  test('the daemon hears the events of its own modules and of all hosts, each in order', async () => {
    const { run, daemon, host } = await opened();
    const other = channels(await run.host('other'));
    const hearing = read(5, daemon.events.listen());
    for (const event of ['a1', 'a2']) host.events.publish(event);
    for (const event of ['b1', 'b2']) other.events.publish(event);
    daemon.events.publish('own');
    const heard = (await hearing).map(({ event }) => event);
    for (const by of ['a', 'b'])
      expect(heard.filter(event => event.startsWith(by))).toEqual([`${by}1`, `${by}2`]);
    expect(heard).toContain('own');
  });

  test('a host knows how many lessons wait for the trainer', async () => {
    const { daemon, host } = await opened();
    expect(await host.lessons.depth()).toEqual({ waiting: 0, taken: 0 });
    for (const lesson of ['one', 'two']) await host.lessons.put(lesson);
    await daemon.lessons.taker().take();
    await vi.waitUntil(async () => (await host.lessons.depth()).waiting === 1, PATIENCE);
    expect(await host.lessons.depth()).toEqual({ waiting: 1, taken: 1 });
  });

  test('every other use of a channel by a host is an error', async () => {
    const { fabric, orders, results, weights, commands, events } = (await opened()).host;
    for (const call of [
      () => orders.put('mine'),
      () => weights.set(1),
      () => commands.append('stop'),
      () => fabric.batches.depth(),
      () => fabric.averaged.get(),
    ])
      await expect(call()).rejects.toThrow(/joined host/);
    for (const call of [() => results.taker(), () => events.listen(), () => fabric.evaluations.taker()])
      expect(call).toThrow(/joined host/);
  });

  test('both know the time of a round trip', async () => {
    const { daemon, host } = await opened();
    for (const { fabric } of [daemon, host]) expect(await fabric.roundTripMs()).toBeGreaterThanOrEqual(0);
  });
});

describe('a broker that disappears', () => {
  test('what is put meanwhile arrives once, and what waits goes on', async () => {
    const { run, daemon, host } = await opened();
    const arriving = daemon.results.taker();
    await host.results.put(0);
    await arriving.take();
    const [order, commands, watching] = [
      host.orders.taker().take(),
      read(1, host.commands.read(0)),
      host.rates.watch()[Symbol.asyncIterator](),
    ];
    const rates = watching.next();
    await server.kill();
    await vi.waitUntil(() => !daemon.fabric.isUp && !host.fabric.isUp, PATIENCE);
    const puts = [1, 2, 3].map(result => host.results.put(result));
    // The daemon does not wait for the broker.
    await daemon.orders.put('play');
    expect(await daemon.orders.depth()).toEqual({ waiting: 1, taken: 0 });
    await daemon.commands.append('pause');
    await daemon.rates.set({ task: 1 });
    expect(await daemon.rates.get()).toEqual({ task: 1 });
    await expect(host.fabric.roundTripMs()).rejects.toThrow(
      /^The broker at nats:\S+ does not answer\. Wait until it is back\.$/,
    );
    await vi.waitUntil(() => run.reports.length > 0, PATIENCE);
    await server.restart();
    await Promise.all(puts);
    expect((await order).item).toBe('play');
    expect((await commands)[0]?.entry).toBe('pause');
    expect((await rates).value).toEqual({ task: 1 });
    const arrived = [await arriving.take(), await arriving.take(), await arriving.take()];
    expect(new Set(arrived.map(({ item }) => item))).toEqual(new Set([1, 2, 3]));
    await host.results.put('last');
    expect((await arriving.take()).item).toBe('last');
    expect(run.reports).toEqual(
      expect.arrayContaining([
        ['the broker', false],
        ['the broker', true],
      ]),
    );
  });

  test('a host that closes meanwhile does not wait for ever', async () => {
    const own = await startNatsServer();
    try {
      const { host } = await opened(testRun({ servers: [own.url] }));
      await own.kill();
      const put = expect(host.results.put(1)).rejects.toBeInstanceOf(ChannelClosed);
      await host.fabric.close();
      await put;
    } finally {
      await own.stop();
    }
  });
});

test('a host that does not reach the broker gets a remedy for its machine, and the daemon another', async () => {
  const run = testRun({ servers: ['nats://127.0.0.1:1'] });
  await expect(run.host()).rejects.toThrow(
    /^Broker not reachable at nats:\/\/127\.0\.0\.1:1: .* firewall .*'fabric\.servers' on the daemon's machine/,
  );
  await expect(run.daemon()).rejects.toThrow(/'dartboard up'/);
});

describe('a result', () => {
  test('that waits for the broker longer than the store keeps its blobs arrives', async () => {
    const own = await startNatsServer();
    try {
      let collected = 0;
      let store = new MemoryBlobs();
      const puts: number[] = [];
      const blobs = {
        put: (bytes: Uint8Array) => {
          puts.push(collected);
          return store.put(bytes);
        },
        get: (hash: BlobHash) => store.get(hash),
      };
      const clock = { ...systemClock, now: () => systemClock.now() + 11 * 60_000 * collected };
      const run = testRun({ servers: [own.url] }, undefined, blobs, clock);
      const { daemon, host } = await opened(run);
      await own.kill();
      const result = { order: 'o1', picture: new Uint8Array(MIN_BLOB_BYTES) };
      const put = host.results.put(result);
      await vi.waitUntil(() => puts.length === 1, PATIENCE);
      collected = 1;
      store = new MemoryBlobs();
      await own.restart();
      await put;
      expect((await daemon.results.taker().take()).item).toEqual(result);
      expect(puts).toEqual([0, 1]);
    } finally {
      await own.stop();
    }
  });

  test('whose blob is missing, or that contains no value, is removed and reported', async () => {
    const missing = { put: async (bytes: Uint8Array) => blobHash(bytes), get: async () => undefined };
    const { run, daemon, host } = await opened(testRun(access(), undefined, missing));
    await host.results.put({ order: 'o1', picture: new Uint8Array(MIN_BLOB_BYTES) });
    const names = new BrokerNames({ run: runId('a.run_1'), epoch: run.epoch });
    const other = await connect({ servers: server.url });
    other.publish(names.put('trajectories', 'x'), 'nonsense');
    await other.flush();
    await other.close();
    await host.results.put('good');
    expect((await daemon.results.taker().take()).item).toBe('good');
    expect(run.reports).toEqual([
      ["the channel 'trajectories'", false],
      ['trajectories of x', false],
    ]);
  });

  test('that no message can carry arrives as a broken episode', async () => {
    const { run, daemon, host } = await opened();
    const played = {
      ...{ id: 'o1.1', order: 'o1', steps: [new Uint8Array(MAX_BLOB_BYTES + 1)], images: ['one'] },
      ...{ frames: { kind: 'png', images: [new Uint8Array(3)] }, outcome: { kind: 'judged' } },
    };
    await host.results.put(played);
    expect((await daemon.results.taker().take()).item).toEqual({
      ...{ id: 'o1.1', order: 'o1', steps: [], frames: { kind: 'png', images: [] } },
      outcome: {
        kind: 'broken',
        failure: expect.objectContaining({ message: expect.stringContaining('67108865 bytes') }),
      },
    });
    expect(run.reports).toEqual([['trajectories', false]]);
  });
});

describe('orders that hosts have completed', () => {
  test('are found once, after their results have arrived, and no others', async () => {
    const { daemon, host } = await opened();
    expect(await daemon.fabric.completedOrders()).toEqual([]);
    for (const order of ['played', 'dropped', 'returned', 'playing', 'waiting'])
      await daemon.orders.put(order);
    const taker = host.orders.taker();
    const [played, dropped, returned] = [await taker.take(), await taker.take(), await taker.take()];
    await taker.take();
    for (let result = 0; result < 200; result += 1) await host.results.put(result);
    await played.acknowledge();
    await dropped.acknowledge();
    await returned.giveBack();
    expect(await daemon.fabric.completedOrders()).toEqual(['played', 'dropped']);
    expect(await daemon.results.depth()).toEqual({ waiting: 200, taken: 0 });
    expect(await daemon.fabric.completedOrders()).toEqual([]);
    expect(await host.fabric.completedOrders()).toEqual([]);
  });

  test('are also those that the broker has lost', async () => {
    const { run, daemon } = await opened();
    await daemon.orders.put('lost');
    const connection = await connect({ servers: server.url });
    const { stream } = leaseNames(
      new BrokerNames({ run: runId('a.run_1'), epoch: run.epoch }).stream('orders'),
    );
    await (await jetstreamManager(connection)).streams.purge(stream);
    await connection.close();
    expect(await daemon.fabric.completedOrders()).toEqual(['lost']);
  });

  test('are not looked for while the broker is away', async () => {
    const own = await startNatsServer();
    onTestFinished(() => own.stop());
    const { run, daemon } = await opened(testRun({ servers: [own.url] }));
    await daemon.orders.put('waiting');
    await own.kill();
    await vi.waitUntil(() => run.reports.length > 0, PATIENCE);
    expect(await daemon.fabric.completedOrders()).toEqual([]);
  });
});

describe('an epoch that is over', () => {
  test('ends the hosts of a daemon that closes, and lets nobody in', async () => {
    const { run, daemon, host } = await opened();
    const taking = expect(host.orders.taker().take()).rejects.toThrow();
    const watching = host.weights.watch()[Symbol.asyncIterator]().next();
    await daemon.fabric.close();
    await vi.waitUntil(() => host.fabric.ended.aborted, PATIENCE);
    expect(host.fabric.ended.reason).toBeInstanceOf(EpochOver);
    await taking;
    expect((await watching).done).toBe(true);
    await expect(host.results.put(1)).rejects.toBeInstanceOf(EpochOver);
    await expect(run.host()).rejects.toBeInstanceOf(EpochOver);
  });

  test('rejects the first reading of a register of a host that has left', async () => {
    const { host } = await opened();
    await host.fabric.close();
    await expect(host.rates.get()).rejects.toThrow(/clos/i);
  });

  test('is removed by the next start, and those of a copy of the workspace stay', async () => {
    const [older, copied] = [await opened(), await opened(testRun(access()))];
    const [epoch, of] = [newEpoch(), runId('a.run_1')];
    const foreign = await removeOlderEpochs(access(), { run: of, epoch }, [
      { run: of, epoch: older.run.epoch },
    ]);
    const ofCopy = (await copied.daemon.fabric.streams()).filter(name => name.includes(copied.run.epoch));
    expect(ofCopy.length).toBeGreaterThan(0);
    expect(new Set(foreign)).toEqual(new Set(ofCopy));
    await vi.waitUntil(() => older.host.fabric.ended.aborted, PATIENCE);
    await copied.daemon.orders.put('play');
    expect((await copied.host.orders.taker().take()).item).toBe('play');
    // As for a broker that lost its data: the run fails, and can be resumed.
    await expect(older.daemon.orders.put('play')).rejects.toBeInstanceOf(EpochOver);
    await expect(older.daemon.orders.depth()).rejects.toThrow();
    const next = await opened(testRun(access(), epoch));
    const before = await next.daemon.fabric.streams();
    expect(before.some(name => name.includes(epoch))).toBe(true);
    expect(before.some(name => name.includes(older.run.epoch))).toBe(false);
    for (const run of ['a.run_1', 'a.run'])
      await removeOlderEpochs(access(), { run: runId(run), epoch }, [{ run: of, epoch: older.run.epoch }]);
    expect(await next.daemon.fabric.streams()).toEqual(before);
    await next.daemon.orders.put('play');
    expect((await next.host.orders.taker().take()).item).toBe('play');
  });
});

test('a message that nobody can read is reported, and the next one arrives', async () => {
  const { run, daemon, host } = await opened();
  const names = new BrokerNames({ run: runId('a.run_1'), epoch: run.epoch });
  const intruder = await connect({ servers: server.url });
  for (const channel of ['trajectories', 'lessons']) intruder.publish(names.put(channel, 'x'), 'nonsense');
  intruder.publish(names.topic('events', 'x'), 'nonsense');
  await intruder.flush();
  await intruder.close();
  await host.results.put('good');
  expect((await daemon.results.taker().take()).item).toBe('good');
  // Another stream may be read later.
  for (const channel of ['trajectories', 'lessons', 'events'])
    await expect.poll(() => run.reports).toContainEqual([`${channel} of x`, false]);
});
