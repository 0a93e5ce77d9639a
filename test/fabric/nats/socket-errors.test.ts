// A socket that is lost while the client writes to it: the error of the write is no uncaught exception, which would end the process.

import type { Socket } from 'node:net';
import type { NatsConnection } from '@nats-io/transport-node';
import { expect, onTestFinished, test } from 'vitest';
import { connectTo } from '../../../runtime/fabric/nats/connection.ts';
import { startSilentServer } from './silent-server.ts';

interface Internals {
  readonly protocol: {
    readonly transport: {
      readonly socket: Socket;
      _closed(error: undefined, internal: boolean): Promise<void>;
    };
  };
}

test('a write that fails after the client has left the socket ends nothing', async () => {
  const connection: NatsConnection = await connectTo({ servers: [await startSilentServer()] }, 'test');
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
