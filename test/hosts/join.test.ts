import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { Server } from 'node:net';
import { createSecureContext } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { type BlobLinks, blobHash } from '../../runtime/blobs/blobs.ts';
import { runId } from '../../runtime/core/ids.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { fingerprintOf } from '../../runtime/hosts/authority.ts';
import { type BrokerLogins, sameForAll } from '../../runtime/hosts/broker-logins.ts';
import { certifyServer, createAuthority } from '../../runtime/hosts/certificates.ts';
import { ForeignReply } from '../../runtime/hosts/host-requests.ts';
import {
  type JoinOptions,
  JoinRefused,
  joinRun,
  type Membership,
  MembershipEnded,
} from '../../runtime/hosts/join.ts';
import { HOST_TTL_MS } from '../../runtime/hosts/messages.ts';
import { openBrokerLogins } from '../../runtime/hosts/open-broker-logins.ts';
import { JOINING, openedServer } from './opened-server.ts';

const NOW = Date.now();
const authority = createAuthority(NOW);

/** Logins with other credentials at each call. */
function changingLogins(): BrokerLogins {
  let calls = 0;
  return {
    ...sameForAll({ servers: [] }),
    join: async host => ({ servers: ['nats://127.0.0.1:4222'], creds: `${host} ${calls++}` }),
    renew: async host => ({ servers: ['nats://127.0.0.1:4222'], creds: `${host} ${calls++}` }),
  };
}

/** Its clock is not that of the server. */
async function joined(address: string, options: Partial<JoinOptions> = {}) {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  const membership = await joinRun({
    ...JOINING,
    address,
    clock,
    health: () => undefined,
    signal,
    ...options,
  });
  onTestFinished(() => membership.leave());
  return { membership, clock };
}

/** Just long enough for a renewal, so that no deadline passes while its request is on its way. */
const renewal = (clock: VirtualClock): Promise<void> => clock.run(clock.now() + HOST_TTL_MS / 4);

const reasonOf = ({ over }: Membership): unknown => over.reason;

test('a joined host knows its run and has the blobs of the daemon', async () => {
  const { server, blobs } = await openedServer();
  const { membership } = await joined(server.address);
  expect(membership).toMatchObject({
    run: 'run-1',
    epoch: '0badcafe',
    host: 'tower',
    start: { for: 'tower' },
  });
  expect(membership.access).toEqual({ servers: ['nats://127.0.0.1:4222'] });
  const pictures = [new Uint8Array(0), new Uint8Array(100_000).fill(7)];
  for (const bytes of pictures) {
    const hash = await membership.blobs.put(bytes);
    expect(hash).toBe(blobHash(bytes));
    expect(Buffer.from((await blobs.get(hash)) ?? 'none').equals(bytes)).toBe(true);
    expect(Buffer.from((await membership.blobs.get(hash)) ?? 'none').equals(bytes)).toBe(true);
  }
  expect(await membership.blobs.get(blobHash(Uint8Array.of(1, 2)))).toBeUndefined();
});

test('a host that leaves is forgotten at once, and may leave twice', async () => {
  const { server } = await openedServer();
  const { membership } = await joined(server.address);
  await membership.leave();
  await membership.leave();
  expect(server.hosts).toEqual([]);
  expect(reasonOf(membership)).toBeInstanceOf(MembershipEnded);
  await expect(membership.blobs.put(Uint8Array.of(1))).rejects.toBeInstanceOf(MembershipEnded);
});

test('a host renews its token in time, and its membership ends when the daemon has dismissed it', async () => {
  const { server, pass } = await openedServer({ logins: changingLogins() });
  const { membership, clock } = await joined(server.address);
  for (let round = 0; round < 5; round += 1) {
    await pass(HOST_TTL_MS - 1);
    const before = membership.access.creds?.();
    await renewal(clock);
    await expect.poll(() => membership.access.creds?.()).not.toBe(before);
    expect(server.hosts).toEqual(['tower']);
  }
  server.dismiss('tower');
  await renewal(clock);
  await expect.poll(() => membership.over.aborted).toBe(true);
  expect(reasonOf(membership)).toBeInstanceOf(MembershipEnded);
  expect(String(reasonOf(membership))).toMatch(/Join again/);
});

test('a membership ends when the daemon is silent for as long as it would remember the host, and not before', async () => {
  const { server } = await openedServer();
  const { membership, clock } = await joined(server.address);
  await server.close();
  while (!membership.over.aborted) {
    await renewal(clock);
    await new Promise(resolve => setTimeout(resolve, 5));
  }
  expect(clock.now()).toBeGreaterThanOrEqual(HOST_TTL_MS);
  expect(String(reasonOf(membership))).toMatch(/has not answered/);
});

test('a wrong token, an invalid address and a refusal by the run are final; a daemon that is away is not', async () => {
  const { server, url, joinToken } = await openedServer({
    startFor: () => {
      throw new RangeError('The run trains a model agent. Join another run.');
    },
  });
  await expect(joined(`${url}/#${'x'.repeat(32)}`)).rejects.toBeInstanceOf(JoinRefused);
  await expect(joined('tower')).rejects.toThrow(RangeError);
  await expect(joined(server.address)).rejects.toMatchObject({
    ...{ name: 'JoinRefused', message: expect.stringContaining('model agent') },
  });
  await server.close();
  const away = joined(`${url}/#${joinToken}`);
  await expect(away).rejects.not.toBeInstanceOf(JoinRefused);
  await expect(away).rejects.toThrow(/does not answer/);
});

test('a page of a proxy is no refusal by the daemon', async () => {
  const { joinToken } = await openedServer();
  let status = 200;
  const proxy = createHttpServer((_, response) => response.writeHead(status).end('<title>Sign in</title>'));
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  const bound = proxy.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : 0;
  for (status of [200, 302, 403, 404, 502])
    await expect(joined(`http://127.0.0.1:${port}/#${joinToken}`)).rejects.toBeInstanceOf(ForeignReply);
});

/** Its port. */
async function listening(server: Server, host: string): Promise<number> {
  await once(server.listen(0, host), 'listening');
  onTestFinished(() => void server.close());
  const bound = server.address();
  return bound !== null && typeof bound === 'object' ? bound.port : 0;
}

const TOKEN = 'x'.repeat(32);

test.each([429, 503])('a reason with the status %d is shown as it is, and is not final', async status => {
  const error = 'Too many hosts join at once. Wait a minute.';
  const daemon = createHttpServer((_, response) => response.writeHead(status).end(JSON.stringify({ error })));
  const port = await listening(daemon, '127.0.0.1');
  await expect(joined(`http://127.0.0.1:${port}/#${TOKEN}`)).rejects.toMatchObject({
    ...{ name: 'TemporaryRefusal', message: error },
  });
});

test('an aborted join rejects with the reason', async () => {
  const { server } = await openedServer();
  const reason = new Error('stopped');
  await expect(joined(server.address, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('a host that is asked to leave while the store does not answer leaves the run', async () => {
  const leave = new AbortController();
  const reason = new Error('stopped');
  const links: BlobLinks = {
    linkToPut: async () => {
      leave.abort(reason);
      return new Promise<never>(() => undefined);
    },
    linkToGet: async () => undefined,
  };
  const { server } = await openedServer({ links });
  await expect(joined(server.address, { signal: leave.signal })).rejects.toBe(reason);
  expect(server.hosts).toEqual([]);
});

const encrypted = (names: readonly string[]) => ({
  ca: authority.certificate,
  tls: certifyServer(authority, names, NOW),
});

test('over TLS, the address contains the fingerprint of the authority, and a host trusts it alone', async () => {
  const all = { user: 'h', password: 'secret' };
  const credentials = { daemon: { user: 'd', password: 'p' }, host: all, ...encrypted(['127.0.0.1']) };
  const of = { run: runId('run-1'), epoch: '0badcafe', streams: async () => [], clock: systemClock };
  const logins = await openBrokerLogins({ ...of, servers: ['nats://127.0.0.1:4222'], credentials });
  const { server } = await openedServer({ credentials, logins });
  expect(server.address).toMatch(/^https:/);
  expect(server.address.endsWith(`.${fingerprintOf(authority.certificate)}`)).toBe(true);
  const { membership } = await joined(server.address);
  expect(membership.access).toEqual({
    ...{ servers: ['nats://127.0.0.1:4222'], ...all, ca: authority.certificate },
  });
  const hash = await membership.blobs.put(Uint8Array.of(1));
  expect(await membership.blobs.get(hash)).toBeDefined();
});

test('a server with the right authority and the name of another machine is refused', async () => {
  const { server } = await openedServer({ credentials: encrypted(['other.lan']) });
  await expect(joined(server.address)).rejects.toThrow(/altnames/);
});

test('the first connection names the server, so that a proxy with several certificates sends the right one', async () => {
  const [own, other] = [
    certifyServer(authority, ['localhost'], NOW),
    certifyServer(createAuthority(NOW), ['other.lan'], NOW),
  ];
  const context = createSecureContext({ cert: own.certificate, key: own.key });
  const proxy = createServer(
    {
      ...{ cert: other.certificate, key: other.key },
      SNICallback: (name, done) => done(null, name === 'localhost' ? context : undefined),
    },
    (_, response) => response.writeHead(503).end(JSON.stringify({ error: 'The daemon starts.' })),
  );
  const port = await listening(proxy, 'localhost');
  const address = `https://localhost:${port}/#${TOKEN}.${fingerprintOf(authority.certificate)}`;
  await expect(joined(address)).rejects.toThrow('The daemon starts.');
});

test('a server in between gets no token', async () => {
  const { server } = await openedServer({ credentials: encrypted(['127.0.0.1']) });
  const { certificate, key } = certifyServer(createAuthority(NOW), ['127.0.0.1'], NOW);
  const seen: unknown[] = [];
  /** The address of the run, at another server. */
  const deceived = async (cert: string): Promise<string> => {
    const impostor = createServer({ cert, key }, request => seen.push(request.headers));
    await new Promise<void>(resolve => impostor.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void impostor.close());
    const address = impostor.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    return server.address.replace(/:\d+\//, `:${port}/`);
  };
  await expect(joined(await deceived(certificate))).rejects.toMatchObject({
    ...{ name: 'JoinRefused', message: expect.stringContaining('another machine') },
  });
  // Nor does one that shows the certificate of the authority, which is public.
  await expect(joined(await deceived(certificate + authority.certificate))).rejects.toThrow();
  expect(seen).toEqual([]);
});

test('each host has credentials of its own, which a renewal replaces', async () => {
  const { server } = await openedServer({ logins: changingLogins() });
  const [{ membership: one, clock }, { membership: other }] = [
    await joined(server.address),
    await joined(server.address),
  ];
  const first = one.access.creds?.();
  expect(first).toMatch(/^tower /);
  expect(other.access.creds?.()).toMatch(/^tower-2 /);
  // The same at each call, until it is renewed.
  expect(one.access.creds?.()).toBe(first);
  await renewal(clock);
  await expect.poll(() => one.access.creds?.()).not.toBe(first);
});

test('a host whose login fails is no member, and may join again', async () => {
  let isFailing = true;
  const logins: BrokerLogins = {
    ...sameForAll({ servers: ['nats://127.0.0.1:4222'] }),
    join: async () => {
      if (isFailing) throw new Error('The servers refuse an account.');
      return { servers: ['nats://127.0.0.1:4222'] };
    },
  };
  const { server } = await openedServer({ logins });
  await expect(joined(server.address)).rejects.toMatchObject({
    ...{ name: 'DaemonFailed', message: 'The daemon failed: The servers refuse an account.' },
  });
  expect(server.hosts).toEqual([]);
  isFailing = false;
  expect((await joined(server.address)).membership.host).toBe('tower');
});

test('the login of a host that is refused or leaves ends', async () => {
  const ended: string[] = [];
  const logins: BrokerLogins = {
    ...sameForAll({ servers: ['nats://127.0.0.1:4222'] }),
    end: host => void ended.push(host),
  };
  const { server } = await openedServer({ logins });
  await joined(server.address);
  server.refuse('tower', 'It sent eight wrong values. Update it.');
  expect(ended).toEqual(['tower']);
  await (await joined(server.address)).membership.leave();
  expect(ended).toEqual(['tower', 'tower-2']);
});
