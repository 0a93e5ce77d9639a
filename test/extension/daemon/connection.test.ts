import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { DaemonConnection } from '../../../extension/daemon/connection.ts';
import { DAEMON } from '../daemon-fixture.ts';

/** A server that accepts connections and sends nothing: neither a welcome nor a pong. */
async function silentServer(): Promise<number> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false });
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

test('a daemon that does not respond is lost, even before its welcome', async () => {
  const port = await silentServer();
  const closed = new Promise<readonly [string, string]>(resolve => {
    const listener = {
      welcomed: () => undefined,
      message: () => undefined,
      frame: () => undefined,
      closed: (cause: string, reason: string) => resolve([cause, reason]),
    };
    new DaemonConnection({ ...DAEMON, port }, 'a test', listener, 5);
  });
  expect(await closed).toEqual(['lost', expect.stringMatching(/pid 7.*did not respond/)]);
});
