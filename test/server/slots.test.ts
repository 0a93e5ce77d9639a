// Connections without a token must not keep the owner out, or use up the file descriptors of the daemon.

import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { CLOSE_CODE_REJECTED } from '../../runtime/protocol/close-code.ts';
import type { DaemonServer } from '../../runtime/server/server.ts';
import { PATIENCE } from '../patience.ts';
import { Client, pagesFolder, serve } from './client.ts';
import { playedState } from './played-state.ts';
import { ScriptedRuns } from './scripted-runs.ts';

const pages = pagesFolder();
const clock = new VirtualClock();
let server: DaemonServer;
const opened: Socket[] = [];

beforeEach(async () => {
  server = await serve({ pages, runs: new ScriptedRuns(playedState(600)), clock });
});
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await server.close();
});

const openSocket = (text: string): Promise<Socket> =>
  new Promise(resolve => {
    const socket = connectTcp({ port: server.port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.write(text);
      resolve(socket);
    });
    socket.on('error', () => undefined);
    opened.push(socket);
  });

test.each([64, 400])('the owner is admitted while %i WebSockets are silent', async count => {
  const silent = Array.from({ length: count }, () => new Client(server.port));
  await Promise.allSettled(silent.map(each => each.open()));
  const owner = await Client.enter(server.port);
  expect(await owner.ask('runs.list')).toHaveProperty('result');
  for (const each of silent) each.socket.terminate();
});

test('the owner is admitted while 400 TCP connections are silent', async () => {
  await Promise.all(Array.from({ length: 400 }, () => openSocket('')));
  const owner = await Client.enter(server.port);
  expect(await owner.ask('runs.list')).toHaveProperty('result');
});

test('a client above the limit is rejected with the reason, until another one leaves', async () => {
  const clients = await Promise.all(Array.from({ length: 32 }, () => Client.enter(server.port)));
  const late = await Client.enter(server.port);
  expect(late.messages).toMatchObject([{ error: { code: 'busy' } }]);
  expect(await late.closed).toEqual({ code: CLOSE_CODE_REJECTED, reason: 'busy' });
  clients[0]?.socket.close();
  await clients[0]?.closed;
  await vi.waitFor(async () => {
    const client = await Client.enter(server.port);
    expect(await client.ask('runs.list')).toHaveProperty('result');
  }, PATIENCE);
});

test('a rejected client that ignores the close frame is cut off within a second', async () => {
  // The library for WebSockets cuts it off after 30 s by itself.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const socket = await openSocket(
    'GET /daemon HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  let received = '';
  socket.on('data', data => {
    received += data.toString('latin1');
  });
  let isOver = false;
  const over = once(socket, 'end').then(() => {
    isOver = true;
  });
  const text = Buffer.from(JSON.stringify({ id: 0, method: 'runs.list', params: {} }));
  // A masked text frame. A mask of zeros changes no byte.
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]));
  // The end of the close frame.
  while (!received.endsWith('unauthorized')) await once(socket, 'data');
  await clock.run(clock.now() + 999);
  await Client.enter(server.port);
  expect(isOver).toBe(false);
  await clock.run(clock.now() + 1);
  await over;
});

test('a refused upgrade leaves no file descriptor open when the client keeps its half', async () => {
  const descriptors = () => readdirSync('/proc/self/fd').length;
  const before = descriptors();
  const sockets = await Promise.all(
    Array.from({ length: 50 }, () =>
      openSocket(
        'GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      ),
    ),
  );
  await Promise.all(sockets.map(socket => new Promise(resolve => socket.resume().once('end', resolve))));
  // The clients' own halves stay open in this process.
  await vi.waitFor(() => expect(descriptors()).toBeLessThanOrEqual(before + 50), PATIENCE);
});
