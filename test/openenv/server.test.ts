// The OpenEnv server over real sockets: HTTP, sessions of WebSockets, and the limits against clients that hang, flood or vanish.

import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { FAILED_TOKENS_WINDOW_MS, MAX_FAILED_TOKENS } from '../../runtime/core/failed-tokens.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import {
  type OpenEnvServer,
  type OpenEnvServerOptions,
  startOpenEnvServer,
} from '../../runtime/openenv/server.ts';
import { MAX_SILENT_PINGS, MAX_WAITING_MESSAGES, PING_INTERVAL_MS } from '../../runtime/openenv/socket.ts';
import { PATIENCE } from '../patience.ts';
import { type TestDesktopsOptions, testDesktops } from './desktops.ts';

const TOKEN = 'a-token-for-tests';
const IDLE_MS = 600_000;

const servers: OpenEnvServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
});

async function serving(
  desktops: TestDesktopsOptions = {},
  more: Partial<Pick<OpenEnvServerOptions, 'host' | 'token'>> = {},
) {
  const { options, pool } = testDesktops({ clock: systemClock, ...desktops });
  const server = await startOpenEnvServer({ ...options, kind: 'pocket', port: 0, idleMs: IDLE_MS, ...more });
  servers.push(server);
  return { server, pool, url: server.url, free: () => pool.counts().free };
}

class Client {
  readonly socket: WebSocket;
  readonly replies: { type: string; data: Record<string, unknown> }[] = [];
  readonly closed: Promise<readonly [number, string]>;

  constructor(
    url: string,
    options: { readonly autoPong?: boolean; readonly headers?: Record<string, string> } = {},
  ) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, options);
    this.socket.on('message', data => this.replies.push(JSON.parse(String(data))));
    this.closed = new Promise(resolve =>
      this.socket.once('close', (code, reason) => resolve([code, String(reason)])),
    );
  }

  async ask(message: unknown) {
    if (this.socket.readyState === WebSocket.CONNECTING) await once(this.socket, 'open');
    const count = this.replies.length;
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    await vi.waitFor(() => expect(this.replies.length).toBe(count + 1), PATIENCE);
    return this.replies[count];
  }
}

const get = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, init);
  return { status: response.status, body: await response.json() };
};
const post = (url: string, body: string) => get(url, { method: 'POST', body });

test('the documents of the interface are served as JSON', async () => {
  const { url } = await serving();
  expect(await get(`${url}/health`)).toEqual({ status: 200, body: { status: 'healthy' } });
  expect(await get(`${url}/metadata`)).toMatchObject({
    body: { name: 'dartboard-pocket', description: expect.stringContaining('seven applications') },
  });
  expect(await get(`${url}/schema`)).toMatchObject({ body: { action: {}, observation: {}, state: {} } });
  expect(await get(`${url}/openapi.json`)).toMatchObject({ body: { info: { version: '1.0.0' } } });
  expect(await get(`${url}/state`)).toMatchObject({ body: { episode_id: null, step_count: 0 } });
  expect(await post(`${url}/mcp`, '{}')).toMatchObject({ status: 200, body: { jsonrpc: '2.0' } });
});

test('a reset over HTTP returns an observation and gives the desktop back; a step over HTTP has no episode', async () => {
  const { url, server, free } = await serving();
  const { status, body } = await post(`${url}/reset`, '{"seed":1}');
  expect({ status, body }).toMatchObject({ status: 200, body: { done: false, observation: { width: 320 } } });
  expect([server.activeSessions, free()]).toEqual([0, 1]);
  expect(await post(`${url}/step`, '{"action":{"kind":"wait"}}')).toMatchObject({ status: 409 });
});

test.each([
  ['/reset', 422, '{"seed":-1}'],
  ['/reset', 422, 'no JSON'],
  ['/reset', 422, '[]'],
  ['/step', 422, '{"action":{"kind":"wait","x":1}}'],
  ['/step', 422, '{}'],
  ['/reset', 413, 'x'.repeat(2_000_000)],
  ['/nothing', 404, ''],
  ['/health', 405, ''],
])('a bad POST %s has the status %i and a detail', async (path, status, body) => {
  const { url } = await serving();
  expect(await post(`${url}${path}`, body)).toMatchObject({ status, body: { detail: expect.anything() } });
});

test('a session plays over its WebSocket, and returns its desktop when it closes', async () => {
  const { url, server, free } = await serving();
  const client = new Client(url);
  expect(await client.ask({ type: 'reset', data: { seed: 1 } })).toMatchObject({
    type: 'observation',
    data: { done: false },
  });
  expect(await client.ask({ type: 'step', data: { kind: 'wait' } })).toMatchObject({ type: 'observation' });
  expect(await client.ask({ type: 'state' })).toMatchObject({ type: 'state', data: { step_count: 1 } });
  expect(await client.ask('{')).toMatchObject({ type: 'error', data: { code: 'INVALID_JSON' } });
  expect(await client.ask({ type: 'dance' })).toMatchObject({
    type: 'error',
    data: { code: 'UNKNOWN_TYPE' },
  });
  expect(free()).toBe(0);
  client.socket.send('{"type":"close"}');
  expect(await client.closed).toEqual([1000, '']);
  await vi.waitFor(() => expect([server.activeSessions, free()]).toEqual([0, 1]), PATIENCE);
});

test('a client without room learns it from the reply to its first message', async () => {
  const { url } = await serving();
  const [first, second] = [new Client(url), new Client(url)];
  await first.ask({ type: 'reset' });
  expect(await second.ask({ type: 'reset' })).toMatchObject({
    type: 'error',
    data: { code: 'CAPACITY_REACHED', active_sessions: 1, max_sessions: 1 },
  });
  expect(await second.closed).toEqual([1013, expect.any(String)]);
  expect(await first.ask({ type: 'state' })).toMatchObject({ type: 'state' });
});

test('messages that are sent without waiting are answered in order, and too many of them end the session', async () => {
  const { url, free } = await serving();
  const client = new Client(url);
  await client.ask({ type: 'reset', data: { seed: 1 } });
  for (let count = 0; count < 10; count++)
    client.socket.send(count % 2 ? '{"type":"state"}' : '{"type":"step","data":{"kind":"wait"}}');
  await vi.waitFor(() => expect(client.replies.length).toBe(11), PATIENCE);
  expect(
    client.replies
      .slice(1)
      .map(({ type }) => type)
      .join(),
  ).toBe(Array.from({ length: 5 }, () => 'observation,state').join());
  for (let count = 0; count < 20 * MAX_WAITING_MESSAGES; count++)
    client.socket.send('{"type":"step","data":{"code":"import time"}}');
  expect(await client.closed).toEqual([1008, expect.any(String)]);
  await vi.waitFor(() => expect(free()).toBe(1), PATIENCE);
});

test('a message that is too large ends the session', async () => {
  const { url, free } = await serving();
  const client = new Client(url);
  await client.ask({ type: 'reset' });
  client.socket.send('x'.repeat(2_000_000));
  expect(await client.closed).toEqual([1009, expect.any(String)]);
  await vi.waitFor(() => expect(free()).toBe(1), PATIENCE);
});

test('a client that vanishes in the middle of a step loses its desktop after the step', async () => {
  let proceed = (): void => undefined;
  const acting = new Promise<void>(resolve => {
    proceed = resolve;
  });
  let isActing = false;
  const { url, server, free } = await serving({
    before: () => {
      isActing = true;
      return acting;
    },
  });
  const client = new Client(url);
  await client.ask({ type: 'reset' });
  client.socket.send('{"type":"step","data":{"kind":"wait"}}');
  await vi.waitFor(() => expect(isActing).toBe(true), PATIENCE);
  client.socket.terminate();
  await client.closed;
  expect([server.activeSessions, free()]).toEqual([1, 0]);
  proceed();
  await vi.waitFor(() => expect([server.activeSessions, free()]).toEqual([0, 1]), PATIENCE);
});

test('a session without messages is ended, with the reason', async () => {
  const clock = new VirtualClock();
  const { url, free } = await serving({ clock });
  const client = new Client(url);
  await client.ask({ type: 'reset' });
  await clock.run(IDLE_MS - 1);
  await client.ask({ type: 'state' });
  await clock.run(2 * IDLE_MS - 2);
  expect(client.socket.readyState).toBe(WebSocket.OPEN);
  await clock.run(3 * IDLE_MS);
  expect(await client.closed).toEqual([1000, expect.stringContaining('idle')]);
  await vi.waitFor(() => expect(free()).toBe(1), PATIENCE);
});

test('a client that answers no ping is ended', async () => {
  const clock = new VirtualClock();
  const { url, free } = await serving({ clock });
  const client = new Client(url, { autoPong: false });
  await client.ask({ type: 'reset' });
  await clock.run(clock.now() + MAX_SILENT_PINGS * PING_INTERVAL_MS);
  expect(free()).toBe(0);
  await clock.run(clock.now() + 2 * PING_INTERVAL_MS);
  expect(await client.closed).toEqual([1006, expect.any(String)]);
  await vi.waitFor(() => expect(free()).toBe(1), PATIENCE);
});

test('a page of a browser cannot connect', async () => {
  const { url } = await serving();
  const client = new Client(url, { headers: { Origin: 'http://evil.example' } });
  const [error] = await once(client.socket, 'error');
  expect(String(error)).toContain('403');
});

test('other addresses than those of this machine need a token, which the path or a header carries', async () => {
  await expect(serving({}, { host: '0.0.0.0' })).rejects.toThrow(/--host 0\.0\.0\.0.*--token/);
  const { url, server } = await serving({}, { host: '0.0.0.0', token: TOKEN });
  const bare = `http://127.0.0.1:${server.port}`;
  expect(url).toBe(`http://0.0.0.0:${server.port}/t/${TOKEN}`);
  expect(await get(`${bare}/health`)).toMatchObject({ status: 401 });
  expect(await get(`${bare}/t/${TOKEN}/health`)).toMatchObject({ status: 200 });
  expect(await get(`${bare}/health`, { headers: { Authorization: `Bearer ${TOKEN}` } })).toMatchObject({
    status: 200,
  });
  const client = new Client(`${bare}/t/${TOKEN}`);
  expect(await client.ask({ type: 'state' })).toMatchObject({ type: 'state' });
  const [error] = await once(new Client(bare).socket, 'error');
  expect(String(error)).toContain('401');
});

test('an address that sends wrong tokens waits for a second', async () => {
  const clock = new VirtualClock();
  const { server } = await serving({ clock }, { host: '0.0.0.0', token: TOKEN });
  const bare = `http://127.0.0.1:${server.port}`;
  for (let tries = 0; tries < MAX_FAILED_TOKENS; tries += 1)
    expect(await get(`${bare}/t/x/health`)).toMatchObject({ status: 401 });
  expect(await get(`${bare}/t/${TOKEN}/health`)).toMatchObject({ status: 429 });
  await clock.run(clock.now() + FAILED_TOKENS_WINDOW_MS);
  expect(await get(`${bare}/t/${TOKEN}/health`)).toMatchObject({ status: 200 });
});

test('the server closes in the middle of an episode, and returns the desktop', async () => {
  const { url, server, free } = await serving();
  const client = new Client(url);
  await client.ask({ type: 'reset' });
  await server.close();
  expect(await client.closed).toEqual([1001, expect.any(String)]);
  expect([server.activeSessions, free()]).toEqual([0, 1]);
});

test('a client of JSON-RPC that reads no replies is disconnected, and its replies are not kept', async () => {
  const { url } = await serving();
  const socket = new WebSocket(`${url.replace('http', 'ws')}/mcp`);
  await once(socket, 'open');
  const closed = once(socket, 'close');
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'tools/list', id: 1 }));
  expect(JSON.parse(String((await once(socket, 'message'))[0]))).toMatchObject({ id: 1, error: {} });
  socket.pause();
  for (let count = 0; count < 20_000; count += 1)
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'm'.repeat(400), id: count }));
  socket.resume();
  expect((await closed)[0]).toBe(1008);
});
