// The blobs of a joined host in a store that it reaches itself: addresses from the daemon's server, and a small store in this process.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { type BlobHash, type BlobLinks, blobHash, MAX_BLOB_BYTES } from '../../runtime/blobs/blobs.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { JoinRefused, joinRun } from '../../runtime/hosts/join.ts';
import { blobLaws } from '../blobs/contract.ts';
import { passUntil } from '../pass-until.ts';
import { JOINING, openedServer } from './opened-server.ts';

const bytes = Uint8Array.of(1, 2, 3);
const hash = blobHash(bytes);
const health = () => undefined;

type Fault = (incoming: IncomingMessage, reply: ServerResponse) => void;

/** Answers with the faults first, one request after another. An address whose query is in `ended` is refused. */
async function store() {
  const objects = new Map<string, Buffer>();
  const state = { faults: [] as Fault[], requests: [] as string[], given: 0, ended: new Set<string>() };
  const server = createServer(async (incoming, reply) => {
    const url = new URL(incoming.url ?? '', 'http://store');
    state.requests.push(`${incoming.method} ${url.pathname}`);
    const fault = state.faults.shift();
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    if (fault !== undefined) return fault(incoming, reply);
    const answer = (status: number, body: Buffer | string = '') => reply.writeHead(status).end(body);
    if (incoming.headers.authorization !== undefined)
      return answer(400, 'The token of the daemon is none of the store.');
    if (state.ended.has(url.search)) return answer(403, '<Error><Code>AccessDenied</Code></Error>');
    if (incoming.method === 'PUT') objects.set(url.pathname, Buffer.concat(chunks));
    const found = objects.get(url.pathname);
    return found === undefined ? answer(404, '<Error><Code>NoSuchKey</Code></Error>') : answer(200, found);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const link = (of: BlobHash) => `http://127.0.0.1:${port}/bucket/${of}?${++state.given}`;
  const known = new Set<BlobHash>();
  const links: BlobLinks = {
    linkToPut: async of => {
      known.add(of);
      return link(of);
    },
    linkToGet: async of => (known.has(of) ? link(of) : undefined),
  };
  return { state, objects, links };
}

async function joined(links: BlobLinks) {
  const opened = await openedServer({ links });
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  const membership = await joinRun({ ...JOINING, address: opened.server.address, clock, health, signal });
  onTestFinished(() => membership.leave());
  return { blobs: membership.blobs, daemonBlobs: opened.blobs, hostClock: clock };
}

blobLaws('linked', async () => (await joined((await store()).links)).blobs);

test('bytes go to the store and come from it, not through the daemon', async () => {
  const { links, objects } = await store();
  const { blobs, daemonBlobs } = await joined(links);
  await blobs.put(bytes);
  expect(objects.has(`/bucket/${hash}`)).toBe(true);
  expect(Buffer.from((await blobs.get(hash)) ?? []).equals(bytes)).toBe(true);
  expect(await daemonBlobs.get(hash)).toBeUndefined();
});

test('a blob that is there already is not sent', async () => {
  const { links, state } = await store();
  const { blobs } = await joined({
    ...links,
    linkToPut: async (of, size) => (of === hash ? undefined : links.linkToPut(of, size)),
  });
  const before = state.requests.length;
  expect(await blobs.put(bytes)).toBe(hash);
  expect(state.requests).toHaveLength(before);
});

test('transfers are repeated with new addresses while the store is away, overloaded, or an address has ended', async () => {
  const { links, state } = await store();
  const { blobs, hostClock } = await joined(links);
  const hangUp: Fault = (_, reply) => void reply.destroy();
  const answer =
    (status: number): Fault =>
    (_, reply) =>
      void reply.writeHead(status).end();
  state.faults = [hangUp, answer(503), answer(403), answer(404), answer(429)];
  const given = state.given;
  let isPut = false;
  void blobs.put(bytes).then(() => {
    isPut = true;
  });
  await passUntil(hostClock, () => isPut);
  expect(state.given).toBeGreaterThanOrEqual(given + 6);
  state.ended.add(`?${state.given + 1}`);
  let found: Uint8Array | undefined;
  void blobs.get(hash).then(got => {
    found = got;
  });
  await passUntil(hostClock, () => found !== undefined);
});

test('other bytes than those of the hash are never returned', async () => {
  const { links, objects } = await store();
  const { blobs } = await joined(links);
  await blobs.put(bytes);
  objects.set(`/bucket/${hash}`, Buffer.from([1, 2, 4]));
  await expect(blobs.get(hash)).rejects.toThrow(/other bytes/);
});

test('a host that cannot reach the store does not join, and has no name then', async () => {
  const away: BlobLinks = {
    linkToPut: async of => `http://127.0.0.1:9/bucket/${of}?secret`,
    linkToGet: async () => undefined,
  };
  const { server } = await openedServer({ links: away });
  const { signal } = new AbortController();
  const attempt = joinRun({ ...JOINING, address: server.address, clock: new VirtualClock(), health, signal });
  await expect(attempt).rejects.toThrow(/store of blobs at http:\/\/127\.0\.0\.1:9\/bucket does not answer/);
  await expect(attempt).rejects.not.toThrow(/secret/);
  expect(server.hosts).toEqual([]);
});

test('the daemon gives addresses to members only, for whole requests, and of a store only', async () => {
  const asked: string[] = [];
  const { send, join } = await openedServer({
    links: {
      linkToPut: async (of, size) => {
        asked.push(`${of} ${size}`);
        return 'http://store/';
      },
      linkToGet: async () => undefined,
    },
  });
  const { token, hasStore } = await join();
  expect(hasStore).toBe(true);
  const path = `/v1/links/${hash}`;
  const put = JSON.stringify({ use: 'put', bytes: 3 });
  expect((await send('POST', path, { body: put })).status).toBe(401);
  expect(JSON.parse((await send('POST', path, { token, body: put })).text)).toEqual({
    link: 'http://store/',
  });
  expect((await send('POST', path, { token, body: JSON.stringify({ use: 'get' }) })).status).toBe(404);
  for (const body of [
    '',
    '{}',
    '[]',
    `{"use":"put","bytes":${MAX_BLOB_BYTES + 1}}`,
    '{"use":"put","bytes":-1}',
  ])
    expect((await send('POST', path, { token, body })).status, body).toBe(400);
  expect((await send('POST', '/v1/links/x', { token, body: put })).status).toBe(400);
  expect((await send('GET', path, { token })).status).toBe(405);
  expect(asked).toEqual([`${hash} 3`]);
  const without = await openedServer();
  const other = await without.join();
  expect((await without.send('POST', path, { token: other.token, body: put })).status).toBe(404);
});

test('a host that sent wrong values is refused with the reason, and its name is not given again', async () => {
  const { server, join, send } = await openedServer();
  const { signal } = new AbortController();
  const clock = new VirtualClock();
  const membership = await joinRun({ ...JOINING, address: server.address, clock, health, signal });
  onTestFinished(() => membership.leave());
  server.refuse('tower', 'It sent eight wrong values. Install the same version.');
  await clock.run(clock.now() + 15_000);
  await expect.poll(() => membership.over.aborted).toBe(true);
  expect(membership.over.reason).toBeInstanceOf(JoinRefused);
  expect(String(membership.over.reason)).toMatch(/eight wrong values/);
  expect(server.hosts).toEqual([]);
  const next = await join();
  expect(next.host).toBe('tower-2');
  expect((await send('POST', '/v1/renew', { token: next.token })).status).toBe(200);
});
