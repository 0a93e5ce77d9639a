import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { blobHash, MAX_BLOB_BYTES } from '../../runtime/blobs/blobs.ts';
import { FAILED_TOKENS_WINDOW_MS, MAX_FAILED_TOKENS } from '../../runtime/core/failed-tokens.ts';
import { untilAborted } from '../../runtime/core/run-together.ts';
import { BlobMissing } from '../../runtime/fabric/nats/codec.ts';
import { certifyServer, createAuthority } from '../../runtime/hosts/certificates.ts';
import type { HostPost } from '../../runtime/hosts/host-answers.ts';
import { HOST_TTL_MS, type JoinReply } from '../../runtime/hosts/messages.ts';
import { JOINING, OFFERS, openedServer, sendRaw } from './opened-server.ts';

const blob = Uint8Array.from(randomBytes(5000));
const path = `/v1/blobs/${blobHash(blob)}`;

test('a host joins, gets what it needs, and puts and gets blobs', async () => {
  const { send, join, blobs, server } = await openedServer();
  const { token, ...reply } = await join();
  expect(reply).toEqual({
    ...{ run: 'run-1', epoch: '0badcafe', host: 'tower', start: { for: 'tower' }, hasStore: false },
    broker: { servers: ['nats://127.0.0.1:4222'] },
  });
  expect(server.hosts).toEqual(['tower']);
  expect((await send('PUT', path, { token, body: blob })).status).toBe(200);
  expect(Buffer.from((await blobs.get(blobHash(blob))) ?? '').equals(blob)).toBe(true);
  expect((await send('GET', path, { token })).status).toBe(200);
  expect((await send('GET', `/v1/blobs/${'0'.repeat(64)}`, { token })).status).toBe(404);
});

test('a host with a used name gets another one', async () => {
  const { join, server } = await openedServer();
  expect([(await join()).host, (await join()).host, (await join('local')).host]).toEqual([
    ...['tower', 'tower-2', 'local-2'],
  ]);
  expect(server.hosts).toEqual(['tower', 'tower-2', 'local-2']);
});

test('each token opens only what it is for', async () => {
  const { send: sendAtOnce, join, joinToken, pass } = await openedServer();
  const send: typeof sendAtOnce = async (...request) => {
    // Wrong tokens are limited per second.
    await pass(FAILED_TOKENS_WINDOW_MS);
    return sendAtOnce(...request);
  };
  const { token } = await join();
  const body = JSON.stringify(JOINING);
  const wrong = ['', 'x', joinToken.slice(1), `${joinToken}x`, token.toLowerCase()];
  for (const each of [...wrong, token])
    expect((await send('POST', '/v1/join', { token: each, body })).status, 'join').toBe(401);
  for (const each of [...wrong, joinToken]) {
    expect((await send('GET', path, { token: each })).status, 'get').toBe(401);
    expect((await send('PUT', path, { token: each, body: blob })).status, 'put').toBe(401);
    expect((await send('POST', '/v1/renew', { token: each })).status, 'renew').toBe(401);
  }
  expect((await send('GET', path)).status).toBe(401);
  expect((await send('GET', path, { headers: { authorization: `Basic ${token}` } })).status).toBe(401);
});

test('an address that sends wrong tokens waits for a second, and hosts that have joined go on', async () => {
  const { send, join, joinToken, pass } = await openedServer();
  const { token } = await join();
  const body = JSON.stringify(JOINING);
  for (let tries = 0; tries < MAX_FAILED_TOKENS; tries += 1)
    expect((await send('POST', '/v1/join', { token: 'x', body })).status).toBe(401);
  expect((await send('POST', '/v1/join', { token: joinToken, body })).status).toBe(429);
  expect((await send('GET', path, { token: 'x' })).status).toBe(429);
  expect((await send('POST', '/v1/renew', { token })).status).toBe(200);
  await pass(FAILED_TOKENS_WINDOW_MS);
  expect((await send('POST', '/v1/join', { token: joinToken, body })).status).toBe(200);
});

test('a host of another run gets nothing', async () => {
  const [one, other] = [await openedServer(), await openedServer()];
  const { token } = await one.join();
  await one.send('PUT', path, { token, body: blob });
  expect((await other.send('GET', path, { token })).status).toBe(401);
  expect(
    (await other.send('POST', '/v1/join', { token: one.joinToken, body: JSON.stringify(JOINING) })).status,
  ).toBe(401);
});

test('after a rotation, only the new token admits hosts, and those that have joined stay', async () => {
  const { server, send, join, joinToken: old } = await openedServer();
  const { token } = await join();
  expect(await server.renew()).toBe(server.address);
  expect(server.address).not.toContain(old);
  expect((await send('POST', '/v1/join', { token: old, body: JSON.stringify(JOINING) })).status).toBe(401);
  expect((await join('laptop')).host).toBe('laptop');
  expect((await send('POST', '/v1/renew', { token })).status).toBe(200);
});

test('a new token that cannot be kept replaces nothing: a restart would accept the old one again', async () => {
  const { server, folder, join: joinHost } = await openedServer();
  const before = server.address;
  await rm(join(folder, 'join-token'));
  await mkdir(join(folder, 'join-token'));
  await expect(server.renew()).rejects.toThrow();
  expect(server.address).toBe(before);
  expect((await joinHost()).host).toBe('tower');
});

test('the token to join survives a restart of the daemon, in a file of its owner, and those of hosts do not', async () => {
  const first = await openedServer();
  await first.server.renew();
  const { token } = await first.join();
  await first.server.close();
  const second = await openedServer({ folder: first.folder });
  expect(second.joinToken).toBe(first.joinToken);
  expect((await second.send('POST', '/v1/renew', { token })).status).toBe(401);
  if (process.platform === 'win32') return;
  expect((await stat(join(first.folder, 'join-token'))).mode & 0o777).toBe(0o600);
  expect((await stat(first.folder)).mode & 0o777).toBe(0o700);
});

test('the token of a host ends when the host is silent, is dismissed, or leaves', async () => {
  const { server, send, join, pass } = await openedServer();
  const [silent, dismissed, left, active] = [
    ...[await join('silent'), await join('dismissed'), await join('left'), await join('active')],
  ].map(({ token }) => token);
  server.dismiss('dismissed');
  expect((await send('POST', '/v1/leave', { token: left ?? '' })).status).toBe(200);
  await pass(HOST_TTL_MS / 2);
  expect((await send('GET', path, { token: active ?? '' })).status).toBe(404);
  await pass(HOST_TTL_MS / 2 + 1);
  for (const token of [silent, dismissed, left])
    expect((await send('POST', '/v1/renew', { token: token ?? '' })).status).toBe(401);
  expect((await send('POST', '/v1/renew', { token: active ?? '' })).status).toBe(200);
  expect(server.hosts).toEqual(['active']);
});

test('that a host is gone is told when it leaves, is dismissed or refused, and before another has its name', async () => {
  const gone: string[] = [];
  const { send, join, server } = await openedServer({ gone: host => void gone.push(host) });
  const { token } = await join();
  expect(gone.splice(0)).toEqual(['tower']);
  await send('POST', '/v1/leave', { token });
  expect(gone.splice(0)).toEqual(['tower']);
  for (const name of ['desk', 'laptop']) await join(name);
  gone.splice(0);
  server.dismiss('desk');
  server.refuse('laptop', 'It lies.');
  expect(gone).toEqual(['desk', 'laptop']);
});

test('a host that cannot play the run is refused with the reason, and has no name then', async () => {
  const { server, join } = await openedServer({
    startFor: () => {
      throw new RangeError('The run trains a model agent, which joined hosts cannot play. Join another run.');
    },
  });
  await expect(join()).rejects.toThrow(/model agent/);
  expect(server.hosts).toEqual([]);
});

test.each([
  ['no JSON', 'x'],
  ['nothing', ''],
  ['null', 'null'],
  ['a missing field', JSON.stringify({ name: 'tower' })],
  ['an unknown field', JSON.stringify({ ...JOINING, admin: true })],
  ['a name with a dot', JSON.stringify({ ...JOINING, name: 'a.b' })],
  ['a name with a wildcard', JSON.stringify({ ...JOINING, name: '>' })],
  ['a path as name', JSON.stringify({ ...JOINING, name: '../x' })],
  ['a long name', JSON.stringify({ ...JOINING, name: 'x'.repeat(61) })],
  ['no desktops', JSON.stringify({ ...JOINING, offers: { desktops: 0, policy: 1 } })],
  ['too many desktops', JSON.stringify({ ...JOINING, offers: { desktops: 1001, policy: 1 } })],
  ['too many policy workers', JSON.stringify({ ...JOINING, offers: { desktops: 1, policy: 65 } })],
  ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
])('a request to join with %s is refused', async (_, body) => {
  const { send, joinToken, server, join } = await openedServer();
  const { status, text } = await send('POST', '/v1/join', { token: joinToken, body });
  expect(status).toBe(400);
  expect(text).toContain('at most 1000 desktops and 64 policy workers');
  expect(server.hosts).toEqual([]);
  expect((await join()).host).toBe('tower');
});

test('a post is answered by its receiver, and the token says who posts', async () => {
  const asked: string[] = [];
  const receive: HostPost = async (host, question) => {
    const text = Buffer.from(question).toString();
    asked.push(`${host}: ${text}`);
    if (text === 'a blob') throw new BlobMissing('A blob is gone. Send the value again.');
    if (text === 'odd') throw new RangeError('It is odd.');
    return text === 'slow' ? undefined : Uint8Array.of(65, 66);
  };
  const { send, join } = await openedServer({ posts: new Map([['/v1/ask', receive]]) });
  const { token } = await join();
  const ask = (body: string) => send('POST', '/v1/ask', { token, body });
  expect(await ask('one')).toEqual({ status: 200, text: 'AB' });
  expect((await ask('slow')).status).toBe(202);
  expect(await ask('a blob')).toMatchObject({ status: 409, text: expect.stringContaining('gone') });
  expect(await ask('odd')).toMatchObject({ status: 400, text: expect.stringContaining('odd') });
  expect((await send('GET', '/v1/ask', { token })).status).toBe(405);
  expect((await send('POST', '/v1/ask', { token: 'another', body: 'x' })).status).toBe(401);
  expect(asked).toEqual(['tower: one', 'tower: slow', 'tower: a blob', 'tower: odd']);
});

test('a host has a bounded number of open posts to each path, and others have theirs', async () => {
  const release = new AbortController();
  let handled = 0;
  const receive: HostPost = async () => {
    handled += 1;
    await untilAborted(release.signal);
    return Uint8Array.of(65);
  };
  const reply: HostPost = async () => Uint8Array.of(66);
  const { send, join } = await openedServer({
    posts: new Map([
      ['/v1/ask', receive],
      ['/v1/loaned', reply],
    ]),
  });
  const [tower, laptop] = [await join('tower'), await join('laptop')];
  const ask = ({ token }: JoinReply) => send('POST', '/v1/ask', { token, body: 'x' });
  const open = Array.from({ length: 2 * OFFERS.desktops + 8 }, () => ask(tower));
  await expect.poll(() => handled).toBe(open.length);
  expect(await ask(tower)).toMatchObject({
    status: 429,
    text: expect.stringMatching(/'tower' has 24 open posts to \/v1\/ask.* 8 desktops\. Wait/),
  });
  expect((await send('POST', '/v1/loaned', { token: tower.token, body: 'x' })).status).toBe(200);
  const other = ask(laptop);
  await expect.poll(() => handled).toBe(open.length + 1);
  release.abort();
  for (const each of [...open, other]) expect((await each).status).toBe(200);
  expect((await ask(tower)).status).toBe(200);
});

test('a post that nobody receives is refused', async () => {
  const { send, join } = await openedServer();
  const { token } = await join();
  const { status, text } = await send('POST', '/v1/ask', { token, body: 'x' });
  expect({ status, text }).toMatchObject({ status: 404, text: expect.stringContaining('same version') });
});

test('a blob with another hash than that of its path is refused, and is not stored', async () => {
  const { send, join, blobs } = await openedServer();
  const { token } = await join();
  const { status, text } = await send('PUT', path, { token, body: blob.subarray(1) });
  expect(status).toBe(400);
  expect(text).toContain(blobHash(blob));
  expect(await blobs.get(blobHash(blob))).toBeUndefined();
  expect(await blobs.get(blobHash(blob.subarray(1)))).toBeUndefined();
});

test.each([
  `/v1/blobs/../../../../etc/passwd`,
  `/v1/blobs/..%2f..%2fetc%2fpasswd`,
  `/v1/blobs/${'A'.repeat(64)}`,
  `/v1/blobs/${'0'.repeat(63)}`,
  `/v1/blobs/${'0'.repeat(65)}`,
  `/v1/blobs/${'0'.repeat(64)}?x=1`,
  `/v1/blobs/${'0'.repeat(64)}/`,
  `/v1/blobs/${'0'.repeat(60)}%00%00`,
  '/v1/blobs/',
  '/v1/blobs',
  '/v1/join/',
  '//v1/join',
  '/',
  'http://other/v1/join',
  '*',
])('nothing is served at %s', async target => {
  const { port, join } = await openedServer();
  const { token } = await join();
  for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS']) {
    const reply = await sendRaw(
      port,
      `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect(reply, method).toMatch(/^HTTP\/1\.1 (400|404|405) /);
  }
});

test('other methods are refused', async () => {
  const { send, join, joinToken } = await openedServer();
  const { token } = await join();
  expect((await send('GET', '/v1/join', { token: joinToken })).status).toBe(405);
  expect((await send('GET', '/v1/renew', { token })).status).toBe(405);
  expect((await send('DELETE', path, { token })).status).toBe(405);
});

test('pages of a browser are refused, even with the token', async () => {
  const { send, joinToken } = await openedServer();
  const body = JSON.stringify(JOINING);
  const headers = { origin: 'http://127.0.0.1:1' };
  expect((await send('POST', '/v1/join', { token: joinToken, body, headers })).status).toBe(403);
});

test('a body that is too large, or has no length, is refused before it arrives', async () => {
  const { port, join, joinToken } = await openedServer();
  const { token } = await join();
  const head = (method: string, target: string, secret: string, length: string) =>
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n${length}\r\n\r\n`;
  const large = `Content-Length: ${MAX_BLOB_BYTES + 1}`;
  expect(await sendRaw(port, head('PUT', path, token, large))).toMatch(/^HTTP\/1\.1 413 /);
  expect(await sendRaw(port, head('POST', '/v1/join', joinToken, 'Content-Length: 1048577'))).toMatch(
    /^HTTP\/1\.1 413 /,
  );
  const chunked = 'Transfer-Encoding: chunked';
  expect(await sendRaw(port, `${head('PUT', path, token, chunked)}5\r\nhello\r\n`)).toMatch(
    /^HTTP\/1\.1 411 /,
  );
  // Without a token, the length does not matter.
  expect(await sendRaw(port, head('PUT', path, 'wrong', large))).toMatch(/^HTTP\/1\.1 401 /);
});

test('bodies that never end do not keep others out, and their memory is free when they leave', async () => {
  const { port, join, send } = await openedServer({
    posts: new Map([['/v1/ask', async () => Uint8Array.of(65)]]),
  });
  const { token } = await join();
  const large = Uint8Array.from(randomBytes(64 * 1024 + 1));
  const putLarge = async () =>
    (await send('PUT', `/v1/blobs/${blobHash(large)}`, { token, body: large })).status;
  const sockets = Array.from({ length: 4 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `PUT ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${MAX_BLOB_BYTES}\r\n\r\nslow`,
    );
    return socket;
  });
  // All of the memory for large bodies is taken then: another one is refused for the moment, and everything else is answered.
  await expect.poll(putLarge).toBe(429);
  expect((await send('GET', path, { token })).status).toBe(404);
  expect((await send('POST', '/v1/renew', { token })).status).toBe(200);
  expect((await send('POST', '/v1/ask', { token, body: 'x' })).status).toBe(200);
  expect((await join('laptop')).host).toBe('laptop');
  await expect.poll(putLarge).toBe(429);
  for (const socket of sockets) socket.destroy();
  await expect.poll(putLarge).toBe(200);
});

test('a listener for other machines needs a certificate', async () => {
  await expect(openedServer({ listen: '0.0.0.0:0' })).rejects.toThrow(/certificate/);
  await expect(openedServer({ listen: '192.168.250.1:0' })).rejects.toThrow(/dartboard up --listen/);
});

// Node ends a handshake after 10 s.
test('a connection without a TLS handshake does not delay the end', { timeout: 9000 }, async () => {
  const authority = createAuthority(Date.now());
  const tls = certifyServer(authority, ['127.0.0.1'], Date.now());
  const { server, port } = await openedServer({ credentials: { ca: authority.certificate, tls } });
  const silent = connect(port, '127.0.0.1').on('error', () => undefined);
  const closed = new Promise(resolve => silent.resume().once('close', resolve));
  await once(silent, 'connect');
  // The server has accepted the first connection when the second one is encrypted.
  const encrypted = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false });
  onTestFinished(() => void encrypted.destroy());
  await once(
    encrypted.on('error', () => undefined),
    'secureConnect',
  );
  await server.close();
  await closed;
});

test('a port that another program uses is named', async () => {
  const { port } = await openedServer();
  await expect(openedServer({ listen: `127.0.0.1:${port}` })).rejects.toThrow(
    /another program.*fabric\.listen/,
  );
});
