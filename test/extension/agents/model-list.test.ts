// Real HTTP servers on this machine.

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listModels } from '../../../extension/agents/model-list.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const LIST = JSON.stringify({ object: 'list', data: [{ id: 'b' }, { id: 'a', extra: 1 }, { id: 'b' }] });
const signal = new AbortController().signal;

test('lists the models in order, each once, and sends the key', async () => {
  const url = await serve((request, response) =>
    response.writeHead(request.headers.authorization === 'Bearer sk-1' ? 200 : 401).end(LIST),
  );
  expect(await listModels(`${url}/v1`, { key: 'sk-1', fetch, signal })).toEqual({
    ...{ kind: 'listed', url: `${url}/v1`, models: ['a', 'b'] },
  });
  expect(await listModels(`${url}/v1`, { fetch, signal })).toMatchObject({
    reason: expect.stringContaining('requires a key'),
  });
  expect(await listModels(`${url}/v1`, { key: 'sk-2', fetch, signal })).toMatchObject({
    reason: expect.stringContaining('rejected the key'),
  });
});

test('finds the base below an address without /v1', async () => {
  const url = await serve(({ url: path }, response) =>
    path === '/v1/models' ? response.end(LIST) : response.writeHead(404).end(),
  );
  expect(await listModels(url, { fetch, signal })).toMatchObject({ kind: 'listed', url: `${url}/v1` });
});

test.each([
  ['an error', 500, 'oops', 'status 500'],
  ['a page', 200, '<html>', 'not a list of models'],
  ['an empty list', 200, '{"data":[]}', 'not a list of models'],
])('gives the reason for %s', async (_, status, body, reason) => {
  const url = await serve((_request, response) => response.writeHead(status).end(body));
  expect(await listModels(url, { fetch, signal })).toEqual({
    kind: 'missing',
    reason: expect.stringContaining(reason),
  });
});

test('follows no redirect: another server would get the key', async () => {
  let stolen = 0;
  const other = await serve((_request, response) => {
    stolen += 1;
    response.end(LIST);
  });
  const url = await serve((_request, response) => response.writeHead(307, { location: other }).end());
  expect(await listModels(url, { key: 'sk-1', fetch, signal })).toMatchObject({ kind: 'missing' });
  expect(stolen).toBe(0);
});

test('gives the reason when the server is missing or silent', async () => {
  const url = await serve(() => undefined);
  const expired = AbortSignal.abort();
  expect(await listModels(url, { fetch, signal: expired })).toMatchObject({
    reason: expect.stringContaining('in time'),
  });
  const gone = await listModels('http://127.0.0.1:1/v1', { fetch, signal });
  expect(gone).toMatchObject({ kind: 'missing', reason: expect.not.stringContaining('fetch failed') });
});
