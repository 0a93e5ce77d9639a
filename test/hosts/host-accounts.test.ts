// The accounts of hosts in a real broker: their life, and servers that do not manage them.

import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { type BrokerAccess, connectTo } from '../../runtime/fabric/nats/connection.ts';
import { type NatsCredentials, systemAccess } from '../../runtime/fabric/nats/credentials.ts';
import { BrokerNames, type EpochOfRun } from '../../runtime/fabric/nats/names.ts';
import { streamsOf } from '../../runtime/fabric/nats/streams.ts';
import type { BrokerLoginsOptions } from '../../runtime/hosts/broker-logins.ts';
import type { BrokerLogin } from '../../runtime/hosts/messages.ts';
import { createGuestAccount, createOperator } from '../../runtime/hosts/nats-tokens.ts';
import { openBrokerLogins } from '../../runtime/hosts/open-broker-logins.ts';
import { startNatsServer } from '../nats-server.ts';
import { runOn, type SecuredBroker, securedBroker } from './secured-broker.ts';

let broker: SecuredBroker;
beforeAll(async () => {
  broker = await securedBroker();
});
afterAll(() => broker.server.stop());

async function connected(access: BrokerAccess): Promise<NatsConnection> {
  const connection = await connectTo(access, 'test');
  onTestFinished(() => connection.close());
  return connection;
}

const loginsOf = ({ run, epoch }: EpochOfRun): Omit<BrokerLoginsOptions, 'streams'> => ({
  ...{ servers: broker.servers, credentials: broker.credentials, run, epoch, clock: systemClock },
});

/** Logins to the broker, with these streams. */
async function openedLogins(run: EpochOfRun, streams: readonly string[]) {
  const logins = await openBrokerLogins({ ...loginsOf(run), streams: async () => streams });
  onTestFinished(() => logins.close());
  return logins;
}

const accessWith = ({ servers, creds = '' }: BrokerLogin): BrokerAccess => ({ servers, creds: () => creds });
const isRefused = (login: BrokerLogin): Promise<boolean> =>
  connectTo(accessWith(login), 'test').then(
    connection => connection.close().then(() => false),
    (error: unknown) => /authori/i.test(String(error)),
  );

test('an account ends with its host, and when its name is given again', async () => {
  const run = runOn(broker, 'run-1');
  await run.daemon();
  const logins = await openedLogins(run, streamsOf(new BrokerNames(run)));
  const first = await logins.join('tower');
  const connection = await connected(accessWith(first));
  const events: string[] = [];
  void (async () => {
    for await (const { type } of connection.status()) events.push(type);
  })();
  logins.end('tower');
  await expect.poll(() => events).toContain('disconnect');
  expect(await isRefused(first)).toBe(true);
  const second = await logins.join('tower');
  // Other credentials of the same account.
  expect(await isRefused(await logins.renew('tower'))).toBe(false);
  expect(await isRefused(second)).toBe(false);
  const third = await logins.join('tower');
  await expect.poll(() => isRefused(second)).toBe(true);
  expect(await isRefused(third)).toBe(false);
});

test('accounts without a run are removed at the next start, and no others', async () => {
  const [over, live, another] = ['run-1', 'run-2', 'run-3'].map(name => runOn(broker, name));
  if (over === undefined || live === undefined || another === undefined) throw new Error('Three runs.');
  const streams = streamsOf(new BrokerNames(live));
  const [ofOver, ofLive] = [await openedLogins(over, streams), await openedLogins(live, streams)];
  const [old, present] = [await ofOver.join('tower'), await ofLive.join('tower')];
  // The same operator has another account with runs of its own.
  const { host } = broker.credentials;
  if (!('operatorSeed' in host)) throw new Error('The broker has an operator.');
  const foreign = createGuestAccount(host.operatorSeed, {
    ...{ name: 'dartboard-host AOTHER run-9 0badcafe tower', of: host.account, atMs: Date.now() },
    permissions: { publish: ['dartboard.x'], subscribe: [] },
  });
  const system = await connected(systemAccess(broker.servers, host, undefined));
  expect((await system.request('$SYS.REQ.CLAIMS.UPDATE', foreign.token)).string()).toContain('jwt updated');
  await openedLogins(another, streams);
  expect(await isRefused(old)).toBe(true);
  expect(await isRefused(present)).toBe(false);
  const { data } = (await system.request('$SYS.REQ.CLAIMS.LIST')).json<{
    readonly data: readonly string[];
  }>();
  expect(data).toContain(foreign.key);
});

test('servers that do not manage accounts are refused at once, with what to check', async () => {
  const { credentials, servers } = broker;
  const run = runOn(broker, 'run-1');
  const openWith = (keys: object, of: readonly string[] = servers) =>
    openBrokerLogins({
      ...{ ...loginsOf(run), servers: of, streams: async () => [...streamsOf(new BrokerNames(run))] },
      credentials: { ...credentials, host: { ...credentials.host, ...keys } as NatsCredentials['host'] },
    });
  await expect(openWith({ operatorSeed: createOperator(Date.now()).seed })).rejects.toThrow(
    /refuse to manage accounts of hosts: .+Check 'host'/,
  );
  const plain = await startNatsServer();
  onTestFinished(() => plain.stop());
  await expect(openWith({}, [plain.url])).rejects.toMatchObject({
    ...{ status: 503, message: expect.stringMatching(/do not answer .+ resolver of the type 'full'/) },
  });
});
