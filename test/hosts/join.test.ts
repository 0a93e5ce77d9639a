import { createServer } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { blobHash } from '../../runtime/blobs/blobs.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import type { NatsCredentials } from '../../runtime/fabric/nats/credentials.ts';
import { fingerprintOf } from '../../runtime/hosts/authority.ts';
import { certifyServer, createAuthority } from '../../runtime/hosts/certificates.ts';
import {
  type JoinOptions,
  JoinRefused,
  joinRun,
  type Membership,
  MembershipEnded,
} from '../../runtime/hosts/join.ts';
import { HOST_TTL_MS } from '../../runtime/hosts/messages.ts';
import { createOperator } from '../../runtime/hosts/nats-tokens.ts';
import { JOINING, openedServer } from './opened-server.ts';

const NOW = Date.now();
const authority = createAuthority(NOW);
const operator = createOperator(NOW);
const signing: NatsCredentials = {
  ...{ daemon: { user: 'd', password: 'p' }, host: { signingSeed: operator.signingSeed } },
};

/** Its clock is not that of the server. */
async function joined(address: string, options: Partial<JoinOptions> = {}) {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  const membership = await joinRun({ ...JOINING, address, clock, signal, ...options });
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
  const { server, pass } = await openedServer({ credentials: signing });
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

test('an aborted join rejects with the reason', async () => {
  const { server } = await openedServer();
  const reason = new Error('stopped');
  await expect(joined(server.address, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

const encrypted = (names: readonly string[]): NatsCredentials => ({
  ...{ daemon: { user: 'd', password: 'p' }, host: { user: 'h', password: 'secret' } },
  ...{ ca: authority.certificate, tls: certifyServer(authority, names, NOW) },
});

test('over TLS, the address contains the fingerprint of the authority, and a host trusts it alone', async () => {
  const { server } = await openedServer({ credentials: encrypted(['127.0.0.1']) });
  expect(server.address).toMatch(/^https:/);
  expect(server.address.endsWith(`.${fingerprintOf(authority.certificate)}`)).toBe(true);
  const { membership } = await joined(server.address);
  expect(membership.access).toEqual({
    ...{ servers: ['nats://127.0.0.1:4222'], user: 'h', password: 'secret', ca: authority.certificate },
  });
  const hash = await membership.blobs.put(Uint8Array.of(1));
  expect(await membership.blobs.get(hash)).toBeDefined();
});

test('a server with the right authority and the name of another machine is refused', async () => {
  const { server } = await openedServer({ credentials: encrypted(['other.lan']) });
  await expect(joined(server.address)).rejects.toThrow(/altnames/);
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

test('with a signing seed, each host has credentials of its own, which a renewal replaces', async () => {
  const { server } = await openedServer({ credentials: signing });
  const [{ membership: one, clock }, { membership: other }] = [
    await joined(server.address),
    await joined(server.address),
  ];
  const first = one.access.creds?.();
  expect(first).toMatch(/BEGIN NATS USER JWT/);
  expect(first).not.toContain(operator.signingSeed);
  expect(other.access.creds?.()).not.toBe(first);
  expect(other.access.inboxPrefix).not.toBe(one.access.inboxPrefix);
  // The same at each call, until it is renewed.
  expect(one.access.creds?.()).toBe(first);
  await renewal(clock);
  await expect.poll(() => one.access.creds?.()).not.toBe(first);
  // A connection that is made again keeps its inbox.
  expect(allowedBy(first)).toContain(`${one.access.inboxPrefix}.>`);
  expect(allowedBy(one.access.creds?.())).toEqual(allowedBy(first));
});

/** The subjects that these credentials may subscribe to. */
function allowedBy(creds = ''): readonly string[] {
  const [, claims = ''] = /\.([\w-]+)\./.exec(creds) ?? [];
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')).nats.sub.allow;
}
