// Channels behind a port keep the laws of embedded channels.

import { fork } from 'node:child_process';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { version } from '../../runtime/core/ids.ts';
import { ChannelClosed } from '../../runtime/fabric/channels.ts';
import { EmbeddedRegister } from '../../runtime/fabric/embedded/register.ts';
import { embeddedFabric } from '../../runtime/fabric/embedded-fabric.ts';
import { FabricConnection, remoteFabric } from '../../runtime/fabric/remote/client.ts';
import { serveChannels, serveFabric } from '../../runtime/fabric/remote/server.ts';
import { batched } from '../../runtime/rpc/batched-port.ts';
import { childPort } from '../../runtime/rpc/child-port.ts';
import type { Port } from '../../runtime/rpc/port.ts';
import { bundled } from '../bundle-entry.ts';
import { closeAll, embeddedChannels, remoteChannels } from './channels.ts';
import type { ChannelOrder } from './child.ts';
import { channelLaws } from './contract.ts';
import { channelPair, MemoryPort } from './ports.ts';

const served = (client: Port, server: Port) => {
  const channels = embeddedChannels();
  serveChannels(channels, server);
  return {
    ...remoteChannels(client).channels,
    close: async () => closeAll(channels),
  };
};

channelLaws('over a port in memory', async () => {
  const { client, server } = MemoryPort.pair();
  return served(client, server);
});

channelLaws('over a message channel', async () => {
  const { client, server, close } = channelPair();
  onTestFinished(close);
  return served(client, server);
});

let child: ReturnType<typeof fork>;
beforeAll(async () => {
  const entry = await bundled(new URL('./child.ts', import.meta.url));
  child = fork(entry, { serialization: 'advanced', execArgv: [] });
  child.setMaxListeners(0);
});
afterAll(() => child.kill());

let opened = 0;
channelLaws('over a process', async () => {
  opened += 1;
  const name = `channels ${opened}`;
  const orders = childPort(child, 'orders');
  const send = (order: ChannelOrder) =>
    new Promise<void>(resolve => {
      orders.receive(answer => answer === name && resolve());
      orders.send(order);
    });
  await send({ act: 'open', name });
  const { channels } = remoteChannels(batched(childPort(child, name)));
  return { ...channels, close: () => send({ act: 'close', name }) };
});

const fabrics = (client: Port, server: Port) => {
  const here = embeddedFabric();
  serveFabric(here, server);
  return { here, there: remoteFabric(client) };
};

test('a fabric has all of its channels on the other side, and bytes stay bytes', async () => {
  const { client, server, close } = channelPair();
  onTestFinished(close);
  const { here, there } = fabrics(client, server);
  expect(Object.keys(there).sort()).toEqual(Object.keys(here).sort());
  const weights = { version: version(3), blob: Uint8Array.of(1, 2, 255) };
  await there.weights.set(weights);
  expect(await here.weights.get()).toEqual(weights);
  expect(await there.weights.get()).toEqual(weights);
  expect((await there.weights.get())?.blob).toBeInstanceOf(Uint8Array);
});

test('leaving gives back taken items and ends readers; the fabric continues for others', async () => {
  const [one, other] = [MemoryPort.pair(), MemoryPort.pair()];
  const { here, there } = fabrics(one.client, one.server);
  serveFabric(here, other.server);
  const stays = remoteFabric(other.client);
  await here.needs.set({ a: 1 });
  await there.lessons.put({ sort: 'grounding', kind: 'first', steps: [] });
  const taker = there.lessons.taker();
  await taker.take();
  const waiting = expect(taker.take()).rejects.toBeInstanceOf(ChannelClosed);
  const reading = [there.needs.watch(), there.commands.read(0), there.events.listen()].map(async each => {
    let count = 0;
    for await (const _ of each) count += 1;
    return count;
  });
  const put = there.lessons.put({ sort: 'grounding', kind: 'second', steps: [] });
  await Promise.all([there.close(), there.close()]);
  await waiting;
  await put;
  expect(await Promise.all(reading)).toEqual([1, 0, 0]);
  expect(await here.lessons.depth()).toEqual({ waiting: 2, taken: 0 });
  const again = stays.lessons.taker();
  expect([(await again.take()).item.kind, (await again.take()).item.kind]).toEqual(['first', 'second']);
  await expect(there.needs.get()).rejects.toThrow(/'needs.get' .*has left the fabric/);
  await expect(there.lessons.taker().take()).rejects.toBeInstanceOf(ChannelClosed);
});

test('an error keeps its name and its message', async () => {
  const { client, server } = MemoryPort.pair();
  const channels = embeddedChannels();
  channels.register.set = () => Promise.reject(new RangeError('numbers end at 9'));
  channels.log.append = () => Promise.reject('no room');
  serveChannels(channels, server);
  const { register, log } = remoteChannels(client).channels;
  await expect(register.set(10)).rejects.toMatchObject({ name: 'RangeError', message: 'numbers end at 9' });
  await expect(log.append('a')).rejects.toMatchObject({ name: 'Error', message: 'no room' });
});

test('a value that cannot be cloned is an error, in a call and in a reply', async () => {
  const { client, server } = MemoryPort.pair();
  const register = new EmbeddedRegister<unknown>('anything');
  serveChannels({ register }, server);
  const remote = new FabricConnection(client).register<unknown>('register');
  await expect(remote.set(() => 1)).rejects.toMatchObject({ name: 'DataCloneError' });
  await register.set(() => 1);
  await expect(remote.get()).rejects.toMatchObject({ name: 'DataCloneError' });
  await remote.set(2);
  expect(await remote.get()).toBe(2);
});

test('an unknown channel is an error with its name', async () => {
  const { client, server } = MemoryPort.pair();
  serveChannels({}, server);
  const { queue, register, log, topic } = remoteChannels(client).channels;
  topic.publish(1);
  await expect(queue.put(1)).rejects.toThrow("work queue 'queue'");
  await expect(queue.taker().take()).rejects.toThrow(/'queue' is closed/);
  await expect(register.get()).rejects.toThrow("no register 'register'");
  await expect(log.append('a')).rejects.toThrow("no log 'log'");
  await expect(topic.listen()[Symbol.asyncIterator]().next()).rejects.toThrow("'topic' has ended");
});
