// Requests over real sockets: what arrives, and what a broken connection becomes.

import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { httpTransport } from '../../runtime/endpoints/http-transport.ts';

const transport = httpTransport();
let server: Server | undefined;

afterEach(async () => {
  transport.close();
  server?.closeAllConnections();
  await new Promise(resolve => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
});

async function listen(handle: RequestListener): Promise<string> {
  server = createServer(handle);
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The test server has no port.');
  return `http://127.0.0.1:${address.port}/v1`;
}

const post = (url: string, body: readonly (string | Uint8Array)[], signal = new AbortController().signal) =>
  transport.send({ url, method: 'POST', headers: { 'x-test': 'yes' }, body, signal });

test('the parts of a body arrive in order, with their length', async () => {
  const url = await listen((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { 'content-length': length, 'x-test': header } = request.headers;
      reply.end(JSON.stringify({ length, header, text: Buffer.concat(chunks).toString() }));
    });
  });
  const { status, body } = await post(url, ['{"é":"', Buffer.from('AB'), '"}']);
  expect(status).toBe(200);
  expect(JSON.parse(body)).toEqual({ length: '11', header: 'yes', text: '{"é":"AB"}' });
});

test('a status and its headers are a reply, not an error', async () => {
  const url = await listen((_, reply) => reply.writeHead(429, { 'Retry-After': '7' }).end('slow down'));
  expect(await post(url, ['{}'])).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
});

test('a reset connection is an error', async () => {
  const url = await listen(request => request.socket.destroy());
  await expect(post(url, ['{}'])).rejects.toThrow();
});

test('a reply that ends before its length is an error', async () => {
  const url = await listen((_, reply) => {
    reply.writeHead(200, { 'content-length': 100 });
    reply.write('{"choices"');
    setImmediate(() => reply.destroy());
  });
  await expect(post(url, ['{}'])).rejects.toThrow();
});

test('no server at the address is an error', async () => {
  const url = await listen(() => undefined);
  await new Promise(resolve => server?.close(resolve));
  await expect(post(url, ['{}'])).rejects.toThrow(/ECONNREFUSED/);
});

test('an abandoned request rejects with the reason, and its connection ends', async () => {
  const stop = new AbortController();
  const closed = new Promise<void>(resolve => {
    void listen(request => {
      request.on('close', () => resolve());
      stop.abort(new Error('stopped'));
    }).then(url => expect(post(url, ['{}'], stop.signal)).rejects.toThrow('stopped'));
  });
  await closed;
});

test('a reply that is not text arrives as bytes', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const url = await listen((_, reply) => reply.writeHead(200, { 'content-type': 'a/b' }).end(bytes));
  const { signal } = new AbortController();
  const reply = await transport.sendForBytes({ url, method: 'GET', headers: {}, body: [], signal });
  expect(reply).toMatchObject({ status: 200, headers: { 'content-type': 'a/b' } });
  expect([...reply.body]).toEqual([...bytes]);
});
