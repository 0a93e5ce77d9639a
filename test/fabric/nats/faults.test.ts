// Lost and late replies between the members of a run and a real broker: nothing is put twice, and nothing is out of order.

import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runId } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Log, Numbered, Register, WorkQueue } from '../../../runtime/fabric/channels.ts';
import { UnfitValue } from '../../../runtime/fabric/nats/codec.ts';
import { type BrokerAccess, connectTo } from '../../../runtime/fabric/nats/connection.ts';
import { BrokerNames } from '../../../runtime/fabric/nats/names.ts';
import { FaultyLink } from '../../lease/faulty-link.ts';
import { startNatsServer } from '../../nats-server.ts';
import { PATIENCE } from '../../patience.ts';
import { ofTest, testRun } from './members.ts';

async function opened() {
  const server = await startNatsServer();
  onTestFinished(() => server.stop());
  const link = await FaultyLink.open(server.port);
  onTestFinished(() => link.close());
  return { direct: { servers: [server.url] }, faulty: { servers: [link.url] }, link };
}

/** Calls one after another, some of whose replies are lost after the broker has performed them. */
async function callAll(
  count: number,
  link: FaultyLink,
  call: (number: number) => Promise<unknown>,
): Promise<void> {
  const random = seeded('replies');
  for (let number = 0; number < count; number++) {
    const isLost = random.next() < 0.3;
    if (isLost) link.hold('replies');
    const called = call(number);
    if (isLost) {
      // The request is on its way before the link is cut.
      await new Promise(resolve => setTimeout(resolve, 20));
      link.cut();
      link.release();
    }
    await called;
  }
}

test('results whose replies are lost arrive once', async () => {
  const { direct, faulty, link } = await opened();
  const run = testRun(direct);
  const results = ofTest<WorkQueue<number>>((await run.daemon()).trajectories);
  const host = ofTest<WorkQueue<number>>((await testRun(faulty, run.epoch).host()).trajectories);
  await callAll(30, link, number => host.put(number));
  const taker = results.taker();
  for (let number = 0; number < 30; number++) expect((await taker.take()).item).toBe(number);
  expect(await results.depth()).toEqual({ waiting: 0, taken: 30 });
});

test('commands of a daemon whose replies are lost are read once, in order', async () => {
  const { direct, faulty, link } = await opened();
  const run = testRun(faulty);
  const commands = ofTest<Log<number>>((await run.daemon()).commands);
  const host = ofTest<Log<number>>((await testRun(direct, run.epoch).host()).commands);
  await callAll(30, link, number => commands.append(number));
  const read: number[] = [];
  for await (const { number, entry } of host.read(0)) {
    expect(number).toBe(entry);
    if (read.push(entry) === 30) break;
  }
  expect(read).toEqual(Array.from({ length: 30 }, (_, number) => number));
});

test('commands that the broker confirmed and then lost are written again', async () => {
  const { direct } = await opened();
  const run = testRun(direct);
  const commands = ofTest<Log<number>>((await run.daemon()).commands);
  const readBy = async (name: string) =>
    ofTest<Log<number>>((await run.host(name)).commands)
      .read(0)
      [Symbol.asyncIterator]();
  const next = async (reading: AsyncIterator<Numbered<number>>) => (await reading.next()).value;
  const early = await readBy('early');
  for (const number of [0, 1, 2]) {
    await commands.append(number);
    expect(await next(early)).toEqual({ number, entry: number });
  }
  await loseAllButFirst(direct, new BrokerNames({ run: runId('a.run_1'), epoch: run.epoch }));
  for (const number of [3, 4]) {
    await commands.append(number);
    expect(await next(early)).toEqual({ number, entry: number });
  }
  const late = await readBy('late');
  for (const number of [0, 1, 2, 3, 4]) expect(await next(late)).toEqual({ number, entry: number });
  expect(run.reports).toEqual([]);
});

/** Leaves the stream of commands as a broker does whose machine lost power before the entries were on its disk. */
async function loseAllButFirst(access: BrokerAccess, names: BrokerNames): Promise<void> {
  const connection = await connectTo(access, 'test');
  const jsm = await jetstreamManager(connection);
  const stream = names.stream('commands');
  const { config } = await jsm.streams.info(stream);
  const first = await jsm.streams.getMessage(stream, { seq: 1 });
  await jsm.streams.delete(stream);
  await jsm.streams.add(config);
  await jetstream(connection).publish(names.streamed('commands'), first?.data);
  await connection.close();
}

test('a value that the broker confirmed and then lost is written again, and hosts read it', async () => {
  const { direct, faulty, link } = await opened();
  const run = testRun(faulty);
  const daemon = await run.daemon();
  const [weights, rates] = [ofTest<Register<number>>(daemon.weights), ofTest<Register<number>>(daemon.rates)];
  const early = ofTest<Register<number>>((await testRun(direct, run.epoch).host('early')).weights);
  const reading = early.watch()[Symbol.asyncIterator]();
  for (const value of [1, 2, 3]) {
    await weights.set(value);
    expect((await reading.next()).value).toBe(value);
  }
  await rates.set(7);
  const late = async (register: 'weights' | 'rates', name: string) =>
    ofTest<Register<number>>((await testRun(direct, run.epoch).host(name))[register]).get();
  await vi.waitUntil(async () => (await late('rates', 'before')) === 7, PATIENCE);
  await loseRegisters(direct, new BrokerNames({ run: runId('a.run_1'), epoch: run.epoch }));
  // A reconnect is a pulse.
  link.cut();
  let hosts = 0;
  const isBack = async () =>
    (await late('weights', `w${++hosts}`)) === 3 && (await late('rates', `r${hosts}`)) === 7;
  await vi.waitUntil(isBack, PATIENCE);
  // Its revision is one that the early host has read under another value.
  await weights.set(4);
  for (let next = await reading.next(); next.value !== 4; next = await reading.next())
    expect(next.value).toBe(3);
});

/** Leaves the registers as a broker does that lost them. */
async function loseRegisters(access: BrokerAccess, names: BrokerNames): Promise<void> {
  const connection = await connectTo(access, 'test');
  const jsm = await jetstreamManager(connection);
  const { config } = await jsm.streams.info(names.registersStream);
  await jsm.streams.delete(names.registersStream);
  await jsm.streams.add(config);
  await connection.close();
}

test('nothing is lost or done twice while the broker is frozen for longer than a lease', async () => {
  const server = await startNatsServer();
  onTestFinished(() => server.stop());
  const run = testRun({ servers: [server.url] });
  const [daemon, host] = [await run.daemon(), await run.host()];
  const orders = ofTest<WorkQueue<string>>(daemon.orders);
  const results = ofTest<WorkQueue<number>>(host.trajectories);
  await orders.put('playing');
  const playing = await ofTest<WorkQueue<string>>(host.orders).taker().take();
  const next = ofTest<WorkQueue<string>>(host.orders).taker().take();
  server.pause();
  const puts = [1, 2, 3].map(number => results.put(number));
  await new Promise(resolve => setTimeout(resolve, 35_000));
  await orders.put('next');
  await ofTest<Register<number>>(daemon.weights).set(5);
  server.resume();
  await Promise.all(puts);
  await playing.acknowledge();
  expect((await next).item).toBe('next');
  await (await next).acknowledge();
  expect(await orders.depth()).toEqual({ waiting: 0, taken: 0 });
  const taker = ofTest<WorkQueue<number>>(daemon.trajectories).taker();
  const arrived = [await taker.take(), await taker.take(), await taker.take()].map(({ item }) => item);
  expect(arrived.toSorted()).toEqual([1, 2, 3]);
  await results.put(4);
  expect((await taker.take()).item).toBe(4);
  for await (const weights of ofTest<Register<number>>(host.weights).watch()) {
    expect(weights).toBe(5);
    break;
  }
});

test('a broker that is connected but stores nothing is reported, and the daemon does not wait for it', async () => {
  const server = await startNatsServer();
  onTestFinished(() => server.stop());
  const run = testRun({ servers: [server.url] });
  const orders = ofTest<WorkQueue<number>>((await run.daemon()).orders);
  await orders.put(1);
  const broker = (healthy: boolean): readonly [string, boolean] => ['the broker', healthy];
  const reports = () => run.reports.filter(([thing]) => thing === 'the broker');
  await server.kill();
  await expect.poll(reports).toEqual([broker(false)]);
  await server.restart({ hasStreams: false });
  await expect.poll(reports).toEqual([broker(false), broker(true), broker(false)]);
  await orders.put(2);
  expect((await orders.depth()).waiting).toBeGreaterThan(0);
  await server.kill();
  await server.restart();
  await expect.poll(reports).toEqual([broker(false), broker(true), broker(false), broker(true)]);
  const taker = orders.taker();
  expect([(await taker.take()).item, (await taker.take()).item]).toEqual([1, 2]);
});

test('an order that no message can carry is reported, also while the daemon does not wait for the broker', async () => {
  const server = await startNatsServer();
  onTestFinished(() => server.stop());
  const run = testRun({ servers: [server.url] });
  const daemon = await run.daemon();
  const orders = ofTest<WorkQueue<unknown>>(daemon.orders);
  const unfit = { play: () => undefined };
  await expect(orders.put(unfit)).rejects.toBeInstanceOf(UnfitValue);
  const ofOrders = () => run.reports.filter(([thing]) => thing === "the channel 'orders'");
  expect(ofOrders()).toEqual([]);
  await server.kill();
  await expect.poll(() => daemon.isUp).toBe(false);
  await orders.put(unfit);
  await orders.put('play');
  await server.restart();
  await expect.poll(ofOrders, PATIENCE).toEqual([["the channel 'orders'", false]]);
  expect((await orders.taker().take()).item).toBe('play');
});
