// Lost, repeated and late messages, restarts of the server, and queues that end, against a real server.

import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { expect, onTestFinished, test } from 'vitest';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { LeaseLost, LeaseQueueClosed } from '../../runtime/lease/lease.ts';
import { createLeaseQueue, leaseNames } from '../../runtime/lease/nats/streams.ts';
import { NatsLeaseQueue } from '../../runtime/lease/nats.ts';
import { startNatsServer } from '../nats-server.ts';
import { PATIENCE } from '../patience.ts';
import { bytes } from './contract.ts';
import { FaultyLink } from './faulty-link.ts';
import { expectLawful, playHistory } from './history.ts';
import { natsClient } from './nats-client.ts';

const LONG_MS = 600_000;
const NAME = 'faults';

async function opened(ttlMs = LONG_MS) {
  const server = await startNatsServer();
  onTestFinished(() => server.stop());
  const options = { name: NAME, ttlMs };
  const client = async (url = server.url) => {
    const made = await natsClient(url, options);
    onTestFinished(() => made.connection.close());
    return made;
  };
  const linked = async () => {
    const link = await FaultyLink.open(server.port);
    onTestFinished(() => link.close());
    return { ...(await client(link.url)), link };
  };
  const daemon = await client();
  await createLeaseQueue(daemon.connection, options);
  return { server, daemon, client, linked };
}

const NOTHING = { waiting: 0, leased: 0 };

test('leases and waiting claims survive a server that is killed and started again', async () => {
  const { server, daemon, client } = await opened();
  const other = await client();
  for (const id of ['a', 'b']) await daemon.queue.put(id, bytes(id));
  const [a, b] = [await daemon.queue.claim(), await daemon.queue.claim()];
  const waiting = other.queue.claim();
  await server.kill();
  const completed = a.complete();
  await server.restart();
  await completed;
  await b.heartbeat();
  await b.fail();
  expect(await waiting).toMatchObject({ id: 'b', attempt: 2 });
  await (await waiting).complete();
  await daemon.queue.put('a', bytes('a'));
  expect(await daemon.queue.tryClaim()).toBeUndefined();
  expect((await daemon.queue.count()).waiting).toBe(0);
});

test('a record of a host of an earlier version counts nothing as untouched', async () => {
  const { daemon } = await opened();
  await daemon.queue.put('a', bytes('a'));
  const bucket = await new Kvm(jetstream(daemon.connection)).open(leaseNames(NAME).bucket);
  const record = { state: 'returned', attempt: 3, claim: 'earlier', holder: 'tower' };
  await bucket.put('a', JSON.stringify(record));
  expect(await daemon.queue.claim()).toMatchObject({ id: 'a', attempt: 4, untouched: 0 });
});

test('calls whose replies are lost are repeated, and count once', async () => {
  const { daemon, linked } = await opened();
  const { queue, link } = await linked();
  const withLostReply = async <T>(request: string, call: () => Promise<T>): Promise<T> => {
    const held = link.holdRepliesTo(request);
    const result = call();
    await held;
    // Enough for the server to perform it. Otherwise the request is lost too, and the result is the same.
    await systemClock.sleep(100);
    link.cut();
    link.release();
    return result;
  };
  const { stream, bucket } = leaseNames(NAME);
  const record = `PUB $KV.${bucket}.a `;
  await withLostReply(`PUB ${stream}.a `, () => queue.put('a', bytes('a')));
  expect(await daemon.queue.count()).toEqual({ waiting: 1, leased: 0 });
  const lease = await withLostReply(record, () => queue.claim());
  expect(lease.attempt).toBe(1);
  await withLostReply(record, () => lease.heartbeat());
  await withLostReply(record, () => lease.fail());
  const again = await daemon.queue.claim();
  expect(again.attempt).toBe(2);
  await expect(lease.complete()).rejects.toBeInstanceOf(LeaseLost);
  await again.fail();
  const last = await queue.claim();
  await withLostReply(record, () => last.complete());
  await expect.poll(() => daemon.queue.tryClaim(), PATIENCE).toBeUndefined();
  await expect.poll(() => daemon.queue.count(), PATIENCE).toEqual(NOTHING);
});

test('a lease survives messages of its work that are delivered too early', async () => {
  const { daemon, client } = await opened();
  const { connection, queue } = await client();
  await daemon.queue.put('a', bytes('a'));
  const lease = await daemon.queue.claim();
  const { stream, consumer } = leaseNames(NAME);
  for (let time = 0; time < 3; time++) {
    // As if the notice of an earlier lease arrived now: the server does not compare deliveries.
    await connection.request(`$JS.ACK.${stream}.${consumer}.1.1.1.0.0`, '-NAK');
    expect(await queue.tryClaim()).toBeUndefined();
    await lease.heartbeat();
  }
  await lease.complete();
  expect(await queue.tryClaim()).toBeUndefined();
  expect(await queue.count()).toEqual(NOTHING);
});

test('completed work that arrives again in the stream is removed', async () => {
  const { daemon } = await opened();
  const { connection, queue } = daemon;
  await queue.put('a', bytes('a'));
  await (await queue.claim()).complete();
  await jetstream(connection).publish(`${NAME}.a`, bytes('a'));
  expect(await queue.count()).toEqual({ waiting: 1, leased: 0 });
  expect(await queue.tryClaim()).toBeUndefined();
  expect(await queue.count()).toEqual(NOTHING);
});

test('a put waits while the queue is full', async () => {
  const { daemon } = await opened();
  const { connection, queue } = daemon;
  const manager = await jetstreamManager(connection);
  await manager.streams.update(NAME, { max_bytes: 100_000 });
  await queue.put('a', new Uint8Array(60_000));
  let isPut = false;
  const put = queue.put('b', new Uint8Array(60_000)).then(() => {
    isPut = true;
  });
  await systemClock.sleep(500);
  expect(isPut).toBe(false);
  await (await queue.claim()).complete();
  await put;
  expect((await queue.claim()).id).toBe('b');
});

test('a server without room for records is reported, and the claim goes on when there is some', async () => {
  const { daemon } = await opened();
  const { connection } = daemon;
  const reports: (string | undefined)[] = [];
  const queue = new NatsLeaseQueue({
    ...{ connection, name: NAME, ttlMs: LONG_MS, clock: systemClock },
    report: error => reports.push(error?.message),
  });
  const { streams } = await jetstreamManager(connection);
  const records = `KV_${leaseNames(NAME).bucket}`;
  const { max_bytes } = (await streams.info(records)).config;
  await streams.update(records, { max_bytes: 100 });
  await queue.put('a', bytes('a'));
  const claim = queue.claim();
  await expect.poll(() => reports.length, PATIENCE).toBe(1);
  expect(reports[0]).toMatch(
    /^The broker stores nothing for the queue 'faults': .* Check its log and its disk\.$/,
  );
  await streams.update(records, { max_bytes });
  expect((await claim).id).toBe('a');
  expect(reports.slice(1)).toEqual([undefined]);
});

test('every call rejects when the queue is removed', async () => {
  const { daemon, client } = await opened();
  const { queue } = await client();
  await daemon.queue.put('a', bytes('a'));
  const lease = await queue.claim();
  const waiting = expect(queue.claim()).rejects.toBeInstanceOf(LeaseQueueClosed);
  const manager = await jetstreamManager(daemon.connection);
  const { stream, bucket } = leaseNames(NAME);
  for (const each of [stream, `KV_${bucket}`]) await manager.streams.delete(each);
  await waiting;
  const calls = [lease.complete(), queue.put('b', bytes('b')), queue.tryClaim(), queue.count()];
  for (const each of await Promise.allSettled(calls))
    expect(each).toMatchObject({ status: 'rejected', reason: expect.any(LeaseQueueClosed) });
});

test('every call rejects when the connection is closed', async () => {
  const { daemon } = await opened();
  const { connection, queue } = daemon;
  await queue.put('a', bytes('a'));
  const lease = await queue.claim();
  const waiting = expect(queue.claim()).rejects.toBeInstanceOf(LeaseQueueClosed);
  await connection.flush();
  await connection.close();
  await waiting;
  const calls = [
    lease.heartbeat(),
    lease.fail(),
    queue.put('b', bytes('b')),
    queue.tryClaim(),
    queue.count(),
  ];
  for (const each of await Promise.allSettled(calls))
    expect(each).toMatchObject({ status: 'rejected', reason: expect.any(LeaseQueueClosed) });
});

test('a claim is aborted while the server is away', async () => {
  const { server, daemon } = await opened();
  const stop = new AbortController();
  const waiting = daemon.queue.claim(stop.signal);
  await daemon.connection.flush();
  await server.kill();
  stop.abort('enough');
  await expect(waiting).rejects.toBe('enough');
  await expect(daemon.queue.claim(stop.signal)).rejects.toBe('enough');
});

const TTL_MS = 1500;
const PIECES = 25;
const CLIENTS = 4;

test.each([1, 2, 3])('history %i is lawful', async seed => {
  const random = seeded(`nats leases ${seed}`);
  const { server, daemon, linked } = await opened(TTL_MS);
  const clients = await Promise.all(Array.from({ length: CLIENTS }, linked));
  let isOver = false;
  const chaos = async (own = random.fork('chaos')): Promise<void> => {
    while (!isOver) {
      await systemClock.sleep(100 + own.int(500));
      const { link } = clients[own.int(CLIENTS)] ?? (await linked());
      const kind = own.int(10);
      if (kind < 3) link.cut();
      else if (kind < 7) {
        link.hold(own.next() < 0.5 ? 'requests' : 'replies');
        await systemClock.sleep(own.int(2 * TTL_MS));
        if (own.next() < 0.5) link.cut();
        link.release();
      } else if (kind < 9) {
        server.pause();
        await systemClock.sleep(own.int(2 * TTL_MS));
        server.resume();
      } else {
        await server.kill();
        await systemClock.sleep(own.int(TTL_MS));
        await server.restart();
      }
    }
  };
  const playing = playHistory({
    ...{ clients: clients.map(({ queue }) => queue), random, pieces: PIECES },
    now: () => performance.now(),
    pass: milliseconds => systemClock.sleep(milliseconds),
  }).finally(() => {
    isOver = true;
  });
  const [deeds] = await Promise.all([playing, chaos()]);
  expectLawful(deeds, PIECES, TTL_MS);
  // A killed server sends some completed work again. It is removed on the way.
  for (let time = 0; time < 3; time++) {
    expect(await daemon.queue.tryClaim()).toBeUndefined();
    await systemClock.sleep(TTL_MS);
  }
  expect((await daemon.queue.count()).waiting).toBe(0);
});
