// Connections whose TLS handshake does not succeed.

import { once } from 'node:events';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { refuseMalformed } from '../../runtime/core/http-refusal.ts';
import { certifyServer, createAuthority } from '../../runtime/hosts/certificates.ts';

const HANDSHAKE_TIMEOUT_MS = 100;

async function listening() {
  const { certificate, key } = certifyServer(createAuthority(Date.now()), ['127.0.0.1'], Date.now());
  const server = createServer({ cert: certificate, key, handshakeTimeout: HANDSHAKE_TIMEOUT_MS });
  refuseMalformed(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const connections = promisify((back: (error: Error | null, count: number) => void) =>
    server.getConnections(back),
  );
  const opened = async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return { server, connections, opened };
}

test.each([
  ['says nothing', () => Buffer.alloc(0)],
  ['begins a handshake and stops', () => Buffer.from([0x16, 3, 1, 2, 0, 1])],
  ['speaks HTTP without TLS', () => Buffer.from('GET / HTTP/1.1\r\n\r\n')],
])('a connection that %s is closed, and does not keep the server from closing', async (_, bytes) => {
  const { server, connections, opened } = await listening();
  const failed = once(server, 'tlsClientError');
  const socket = await opened();
  socket.write(bytes());
  await failed;
  await expect.poll(connections).toBe(0);
  server.close();
  await once(server, 'close');
});
