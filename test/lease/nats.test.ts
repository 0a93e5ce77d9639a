// The laws against a real server.

import { afterAll, beforeAll } from 'vitest';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { createLeaseQueue } from '../../runtime/lease/nats/streams.ts';
import { type NatsServer, startNatsServer } from '../nats-server.ts';
import { leaseLaws } from './contract.ts';
import { natsClient } from './nats-client.ts';

let server: NatsServer;
let queues = 0;

beforeAll(async () => {
  server = await startNatsServer();
});
afterAll(() => server.stop());

leaseLaws('nats', async ({ ttlMs }) => {
  const options = { name: `laws-${queues++}`, ttlMs };
  const first = await natsClient(server.url, options);
  const clients = [first];
  // It is idempotent.
  for (const _ of [1, 2]) await createLeaseQueue(first.connection, options);
  return {
    queue: first.queue,
    another: async () => {
      const client = await natsClient(server.url, options);
      clients.push(client);
      return client.queue;
    },
    pass: milliseconds => systemClock.sleep(milliseconds),
    close: async () => {
      await Promise.all(clients.map(({ connection }) => connection.close()));
    },
  };
});
