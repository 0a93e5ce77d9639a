// The channels over a real broker keep the laws of all channels: those of the daemon alone, and queues between the daemon and a joined host.

import { afterAll, beforeAll } from 'vitest';
import type { Log, Register, Topic, WorkQueue } from '../../../runtime/fabric/channels.ts';
import { type NatsServer, startNatsServer } from '../../nats-server.ts';
import { channelLaws, queueLaws } from '../contract.ts';
import { ofTest, testRun } from './members.ts';

let server: NatsServer;
beforeAll(async () => {
  server = await startNatsServer();
});
afterAll(() => server.stop());

channelLaws('a daemon with orders', async () => {
  const daemon = await testRun({ servers: [server.url] }).daemon();
  return {
    queue: ofTest<WorkQueue<number>>(daemon.orders),
    register: ofTest<Register<number>>(daemon.weights),
    log: ofTest<Log<string>>(daemon.commands),
    topic: ofTest<Topic<number>>(daemon.events),
    close: () => daemon.close(),
  };
});

queueLaws('a daemon and the orders of a host', async () => {
  const run = testRun({ servers: [server.url] });
  const [daemon, host] = [await run.daemon(), await run.host()];
  const [put, taken] = [ofTest<WorkQueue<number>>(daemon.orders), ofTest<WorkQueue<number>>(host.orders)];
  return {
    queue: { put: item => put.put(item), taker: () => taken.taker(), depth: () => taken.depth() },
    close: async () => {
      await host.close();
      await daemon.close();
    },
  };
});
