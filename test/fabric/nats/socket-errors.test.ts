// A socket that is lost while the client writes to it: the error of the write is no uncaught exception, which would end the process.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { NatsConnection } from '@nats-io/transport-node';
import { expect, onTestFinished, test } from 'vitest';
import { connectTo } from '../../../runtime/fabric/nats/connection.ts';

const INFO = { server_id: 'S', version: '2.9.10', max_payload: 1_048_576, headers: true, proto: 1 };

/** As much of a NATS server as a connection needs. */
async function startServer(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write(`INFO ${JSON.stringify(INFO)}\r\n`);
    socket.on('data', data => data.includes('PING') && socket.write('PONG\r\n'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Internals {
  readonly protocol: {
    readonly transport: {
      readonly socket: Socket;
      _closed(error: undefined, internal: boolean): Promise<void>;
    };
  };
}

test('a write that fails after the client has left the socket ends nothing', async () => {
  const connection: NatsConnection = await connectTo({ servers: [await startServer()] }, 'test');
  onTestFinished(() => connection.close());
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', note);
  onTestFinished(() => void process.off('uncaughtException', note));
  const { transport } = (connection as unknown as Internals).protocol;
  const { socket } = transport;
  socket.end();
  connection.flush().catch(() => undefined);
  await transport._closed(undefined, false);
  await new Promise<void>(resolve => socket.once('close', () => resolve()));
  expect(uncaught).toEqual([]);
  expect(socket.listenerCount('error')).toBe(1);
  // It connects again.
  await expect
    .poll(() =>
      connection.flush().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
});
