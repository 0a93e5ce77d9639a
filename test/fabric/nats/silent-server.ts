// As much of a NATS server as a connection needs: it answers no request.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

const INFO = { server_id: 'S', version: '2.9.10', max_payload: 1_048_576, headers: true, proto: 1 };

/** Resolves with its host and port. It ends with the test. */
export async function startSilentServer(): Promise<string> {
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
