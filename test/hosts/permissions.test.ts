// What a joined host may do in a real broker, and what not.

import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { version } from '../../runtime/core/ids.ts';
import type { Log, Register, Topic, WorkQueue } from '../../runtime/fabric/channels.ts';
import { type BrokerAccess, connectTo } from '../../runtime/fabric/nats/connection.ts';
import { daemonAccess } from '../../runtime/fabric/nats/credentials.ts';
import { BrokerNames } from '../../runtime/fabric/nats/names.ts';
import type { NatsFabric } from '../../runtime/fabric/nats/nats.ts';
import { streamsOf } from '../../runtime/fabric/nats/streams.ts';
import { createAuthority } from '../../runtime/hosts/certificates.ts';
import { LOGIN_VALID_MS } from '../../runtime/hosts/host-accounts.ts';
import { createOperator, EVERYTHING, userCredentials } from '../../runtime/hosts/nats-tokens.ts';
import { leaseNames } from '../../runtime/lease/nats/streams.ts';
import { runOn, type SecuredBroker, securedBroker } from './secured-broker.ts';

let broker: SecuredBroker;
beforeAll(async () => {
  broker = await securedBroker();
});
afterAll(() => broker.server.stop());

/** A channel with values of a test. */
const queueOf = (channel: unknown) => channel as WorkQueue<string>;
const registerOf = (channel: unknown) => channel as Register<unknown>;
const logOf = (channel: unknown) => channel as Log<string>;
const topicOf = (channel: unknown) => channel as Topic<string>;

async function connected(access: BrokerAccess): Promise<NatsConnection> {
  const connection = await connectTo(access, 'test');
  onTestFinished(() => connection.close());
  return connection;
}

/** Two runs with a daemon each, and a connection of a host of the first one. */
async function twoRuns() {
  const [own, other] = [runOn(broker, 'run-1'), runOn(broker, 'run-2')];
  const [daemon, others] = [await own.daemon(), await other.daemon()];
  const access = await own.hostAccess('tower');
  return { own, other, daemon, others, connection: await connected(access) };
}

async function firstOf<T>(values: AsyncIterable<T>): Promise<T> {
  for await (const value of values) return value;
  throw new Error('There is no value.');
}

/** The subjects of `publish` that the server refuses. */
async function refusedPublishes(
  connection: NatsConnection,
  subjects: readonly string[],
): Promise<readonly string[]> {
  const refused: string[] = [];
  const follow = async () => {
    for await (const status of connection.status())
      if (status.type === 'error') {
        const [, subject] = /Publish to "(.+)"/.exec(status.error.message) ?? [];
        if (subject !== undefined) refused.push(subject);
      }
  };
  void follow();
  for (const subject of subjects) connection.publish(subject, '{}');
  await connection.flush();
  await expect
    .poll(async () => {
      await connection.flush();
      return refused.length;
    })
    .toBeGreaterThanOrEqual(Math.min(1, subjects.length));
  return refused;
}

async function isSubscribeRefused(connection: NatsConnection, subject: string): Promise<boolean> {
  const subscription = connection.subscribe(subject);
  let isRefused = false;
  const read = async () => {
    for await (const _ of subscription);
  };
  const done = read().catch(() => {
    isRefused = true;
  });
  await connection.flush();
  // The refusal arrives before the reply to the second flush.
  await connection.flush();
  subscription.unsubscribe();
  await done;
  return isRefused;
}

test.each([
  ['short', 'run-1', 'tower'],
  ['long', '2026-11-20-131949-ablation_no_pool_lr_3e-4_seed_7_of_a_run', 'h'.repeat(60)],
])('a host does all of its work with its permissions, with %s names', async (_, name, hostName) => {
  const run = runOn(broker, name);
  const [daemon, host] = [await run.daemon(), await run.host(hostName)];
  await registerOf(daemon.weights).set({ version: version(3), blob: new Uint8Array(100_000).fill(1) });
  const heard = firstOf(topicOf(daemon.events).listen());
  await queueOf(daemon.orders).put('play');
  const order = await queueOf(host.orders).taker().take();
  expect(order.item).toBe('play');
  await queueOf(host.trajectories).put('played');
  await queueOf(host.lessons).put('imitate');
  await order.acknowledge();
  expect((await queueOf(daemon.trajectories).taker().take()).item).toBe('played');
  expect((await queueOf(daemon.lessons).taker().take()).item).toBe('imitate');
  expect(await queueOf(host.lessons).depth()).toEqual(await queueOf(daemon.lessons).depth());
  expect(await firstOf(registerOf(host.weights).watch())).toMatchObject({ version: 3 });
  await logOf(daemon.commands).append('pause');
  expect(await firstOf(logOf(host.commands).read(0))).toEqual({ number: 0, entry: 'pause' });
  topicOf(host.events).publish('busy');
  expect((await heard).event).toBe('busy');
  const returned = await (async () => {
    await queueOf(daemon.orders).put('again');
    const taken = await queueOf(host.orders).taker().take();
    await taken.giveBack();
    return await queueOf(host.orders).taker().take();
  })();
  expect(returned).toMatchObject({ item: 'again', attempt: 2 });
});

/** Beside a host of the run, its daemon and its streams. */
function forbiddenSubjects(own: BrokerNames, other: BrokerNames): readonly string[] {
  const [orders, others] = [leaseNames(own.stream('orders')), leaseNames(other.stream('orders'))];
  const commands = own.stream('commands');
  return [
    // Weights and the other registers of its own run, its commands, and orders.
    ...['weights', 'rates', 'watched'].map(name => own.register(name)),
    own.streamed('commands'),
    `${orders.stream}.id`,
    // Reports of other hosts.
    ...['events', 'views'].map(name => own.topic(name, 'laptop')),
    // Results in the name of other hosts.
    ...['trajectories', 'lessons'].flatMap(name => [own.put(name, 'laptop'), own.streamed(name)]),
    // Anything of another run.
    ...['weights', 'rates'].map(name => other.register(name)),
    ...['trajectories', 'lessons', 'commands'].map(name => other.streamed(name)),
    other.topic('events', 'tower'),
    own.depth('lessons', 'laptop'),
    other.depth('lessons', 'tower'),
    `$KV.${others.bucket}.id`,
    `$JS.API.DIRECT.GET.${other.registersStream}.${other.register('weights')}`,
    `$JS.API.STREAM.INFO.${other.stream('commands')}`,
    `$JS.API.CONSUMER.MSG.NEXT.${others.stream}.${others.consumer}`,
    `$JS.ACK.${others.stream}.${others.consumer}.1.1.1.1.1`,
    // Streams and consumers, also of its own run.
    ...['DELETE', 'PURGE', 'UPDATE', 'MSG.DELETE', 'MSG.GET', 'CREATE', 'SNAPSHOT', 'RESTORE'].flatMap(
      call => [
        `$JS.API.STREAM.${call}.${own.registersStream}`,
        `$JS.API.STREAM.${call}.${orders.stream}`,
        `$JS.API.STREAM.${call}.${other.registersStream}`,
      ],
    ),
    ...['CREATE', 'DURABLE.CREATE', 'DELETE'].flatMap(call => [
      `$JS.API.CONSUMER.${call}.${orders.stream}.${orders.consumer}`,
      `$JS.API.CONSUMER.${call}.${commands}.spy`,
    ]),
    `$JS.API.CONSUMER.CREATE.${commands}`,
    ...['$JS.API.INFO', '$JS.API.STREAM.NAMES', '$JS.API.STREAM.LIST', '$JS.API.ACCOUNT.PURGE.X'],
    // Replies to others.
    ...['_INBOX.x', 'anything', '$SYS.REQ.SERVER.PING'],
  ];
}

test('a host publishes nothing else: no weights, no commands, nothing of other runs, nothing to manage streams', async () => {
  const { own, other, daemon, others, connection } = await twoRuns();
  const before = await state(daemon, others);
  const subjects = forbiddenSubjects(new BrokerNames(own), new BrokerNames(other));
  // One after another, so that each refusal is known to be that of its subject.
  for (const subject of subjects)
    expect(await refusedPublishes(connection, [subject]), subject).toContain(subject);
  expect(await state(daemon, others)).toEqual(before);
});

test('a request of a host for a depth makes the daemon write to no stream and no bucket', async () => {
  const { own, other, daemon, connection } = await twoRuns();
  const [names, others] = [new BrokerNames(own), new BrokerNames(other)];
  await registerOf(daemon.weights).set(7);
  const asked = names.depth('lessons', 'tower');
  for (const of of [names, others])
    for (const reply of [of.streamed('commands'), of.register('weights'), of.put('lessons', 'laptop')])
      connection.publish(asked, '', { reply });
  expect((await connection.request(asked)).json()).toEqual({ waiting: 0, taken: 0 });
  const admin = await connected(daemonAccess(broker.servers, broker.credentials));
  const jsm = await jetstreamManager(admin);
  const lengthOf = async (stream: string) => (await jsm.streams.info(stream)).state.last_seq;
  await expect.poll(() => lengthOf(names.registersStream)).toBe(1);
  for (const of of [names, others])
    for (const channel of ['commands', 'lessons'])
      expect(await lengthOf(of.stream(channel)), channel).toBe(0);
  expect(await lengthOf(others.registersStream)).toBe(0);
});

test('the address that a host chooses for a reply of the server belongs to its own account', async () => {
  const { own, other, daemon, others, connection } = await twoRuns();
  const [names, theirs] = [new BrokerNames(own), new BrokerNames(other)];
  for (const run of [daemon, others]) {
    await registerOf(run.weights).set(7);
    await logOf(run.commands).append('pause');
    await queueOf(run.orders).put('play');
  }
  const jsm = await jetstreamManager(await connected(daemonAccess(broker.servers, broker.credentials)));
  const streams = [...streamsOf(names), ...streamsOf(theirs)];
  const { bucket, stream, consumer } = leaseNames(names.stream('orders'));
  const written = [names.stream('lessons'), `KV_${bucket}`];
  const contents = async () =>
    await Promise.all(
      streams.map(async name => {
        const { state, config } = await jsm.streams.info(name);
        const { messages, last_seq, consumer_count } = state;
        return { name, config, consumer_count, ...(!written.includes(name) && { messages, last_seq }) };
      }),
    );
  await expect.poll(async () => (await jsm.streams.info(names.registersStream)).state.messages).toBe(1);
  const before = await contents();

  // Records of leases, which the host may write, are messages of its choice.
  const records = {
    text: 'chosen',
    spy: JSON.stringify({
      stream_name: theirs.stream('commands'),
      config: { ack_policy: 'none', deliver_policy: 'all', deliver_subject: '_INBOX.spy' },
    }),
    removal: '',
    acknowledgement: '+ACK',
  };
  const spied: string[] = [];
  connection.subscribe('_INBOX.spy', { callback: (_, message) => void spied.push(message.subject) });
  for (const [key, content] of Object.entries(records)) connection.publish(`$KV.${bucket}.${key}`, content);
  const requests = [
    ...Object.keys(records).map(key => [`$JS.API.DIRECT.GET.KV_${bucket}.$KV.${bucket}.${key}`, '']),
    [names.put('lessons', 'tower'), 'put'],
    [`$JS.API.CONSUMER.INFO.${stream}.${consumer}`, ''],
    [`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, JSON.stringify({ batch: 1, no_wait: true })],
    [`$JS.API.STREAM.INFO.${names.stream('commands')}`, ''],
    [names.depth('lessons', 'tower'), ''],
  ] as const;
  const targets = [names, theirs].flatMap(of => [
    of.streamed('commands'),
    of.register('weights'),
    `${of.stream('orders')}.chosen`,
    of.put('trajectories', 'laptop'),
    of.topic('events', 'laptop'),
    `$JS.ACK.${of.stream('trajectories')}.daemon.1.1.1.1.0`,
    `$JS.API.STREAM.PURGE.${of.registersStream}`,
    `$JS.API.STREAM.PURGE.${of.stream('orders')}`,
    `$JS.API.STREAM.DELETE.${of.registersStream}`,
    `$JS.API.CONSUMER.CREATE.${of.stream('commands')}`,
    `$JS.API.CONSUMER.DELETE.${of.stream('trajectories')}.daemon`,
  ]);
  for (const [subject = '', content] of requests)
    for (const reply of targets) connection.publish(subject, content, { reply });
  await connection.flush();
  // The server answers the calls of one client in their order.
  await connection.request(names.put('lessons', 'tower'), 'last');
  expect(await contents()).toEqual(before);
  expect(spied).toEqual([]);
  expect(await queueOf(daemon.trajectories).depth()).toEqual({ waiting: 0, taken: 0 });
});

/** What the channels of both runs contain. */
async function state(...daemons: readonly NatsFabric[]): Promise<unknown> {
  const each = daemons.map(async daemon => [
    await daemon.weights.get(),
    await daemon.orders.depth(),
    await daemon.trajectories.depth(),
  ]);
  return await Promise.all(each);
}

test('a host hears nothing of other runs, of other hosts, or of the server', async () => {
  const { own, other, connection } = await twoRuns();
  const [names, others] = [new BrokerNames(own), new BrokerNames(other)];
  for (const subject of [
    ...['>', '*', 'dartboard.>', '$KV.>', '$SYS.>', '$JS.>', '$JS.API.>', '$JS.EVENT.>'],
    ...['weights', 'rates'].map(name => others.register(name)),
    others.streamed('commands'),
    others.topic('events', '>'),
    // What other hosts of its own run put and report.
    ...['trajectories', 'lessons'].map(name => names.streamed(name)),
    ...['events', 'views'].map(name => names.topic(name, '>')),
    names.depth('lessons', '*'),
    `${names.stream('orders')}.>`,
    `$KV.${leaseNames(names.stream('orders')).bucket}.>`,
  ])
    expect(await isSubscribeRefused(connection, subject), subject).toBe(true);
  expect(await isSubscribeRefused(connection, names.register('weights'))).toBe(false);
});

test('a host of an earlier epoch reaches nothing of the next one', async () => {
  const earlier = runOn(broker, 'run-1');
  const next = runOn(broker, 'run-1');
  await next.daemon();
  const connection = await connected(await earlier.hostAccess('tower'));
  const subject = new BrokerNames(next).streamed('trajectories');
  expect(await refusedPublishes(connection, [subject])).toEqual([subject]);
});

test('a message of more than 64 KB of a host is refused by the broker', async () => {
  const { own, connection } = await twoRuns();
  const subject = new BrokerNames(own).streamed('trajectories');
  const ended = connection.closed();
  expect(() => {
    connection.publish(subject, new Uint8Array(200_000));
  }).toThrow(/payload/i);
  await connection.close();
  await ended;
});

test('nobody enters without credentials, with those of another operator, or with expired ones', async () => {
  const { servers } = broker;
  const run = runOn(broker, 'run-1');
  const expired = await run.hostAccess('tower', Date.now() - LOGIN_VALID_MS - 60_000);
  const user = { servers, user: 'daemon', password: 'guess' };
  const stranger = userCredentials(createOperator(Date.now()).runs.seed, {
    ...{ name: 'tower', permissions: EVERYTHING, maxPayload: 1000, atMs: Date.now() },
  });
  for (const access of [{ servers }, user, { servers, creds: () => stranger }, expired])
    await expect(connectTo(access, 'test')).rejects.toThrow(/authori|expired/i);
});

test('a host goes on with renewed credentials when the first ones end', async () => {
  const run = runOn(broker, 'run-1');
  await run.daemon();
  let creds = '';
  /** Longer on a machine that needs longer to connect. */
  const connectedFor = async (ms: number): Promise<NatsConnection> => {
    const access = await run.hostAccess('tower', Date.now() - LOGIN_VALID_MS + ms);
    creds = access.creds?.() ?? '';
    return await connected({ ...access, creds: () => creds }).catch(() => connectedFor(2 * ms));
  };
  const connection = await connectedFor(3000);
  creds = (await run.hostAccess('tower')).creds?.() ?? '';
  const events: string[] = [];
  void (async () => {
    for await (const { type } of connection.status()) events.push(type);
  })();
  await expect.poll(() => events).toContain('reconnect');
  await connection.flush();
});

test('over TLS, only those who trust the authority connect', async () => {
  const secured = await securedBroker(['127.0.0.1', 'localhost']);
  onTestFinished(() => secured.server.stop());
  const run = runOn(secured, 'run-1');
  const daemon = await run.daemon();
  const host = await run.host('tower');
  await queueOf(daemon.orders).put('play');
  expect((await queueOf(host.orders).taker().take()).item).toBe('play');
  const { ca: _, ...blind } = await run.hostAccess('tower');
  const [server = ''] = blind.servers;
  await expect(connectTo({ ...blind, servers: [server.replace('tls:', 'nats:')] }, 'test')).rejects.toThrow(
    /certificate|self.signed|verify/i,
  );
  const other = createAuthority(Date.now());
  await expect(connectTo({ ...blind, ca: other.certificate }, 'test')).rejects.toThrow(
    /certificate|verify|signed/i,
  );
});

test('where TLS is expected, a server without it is not used', async () => {
  const [server = ''] = broker.servers;
  const access = await runOn(broker, 'run-1').hostAccess('tower');
  const { certificate: ca } = createAuthority(Date.now());
  for (const each of [
    { ...access, ca },
    { ...access, servers: [server.replace('nats:', 'tls:')] },
  ])
    await expect(connectTo(each, 'test')).rejects.toThrow(/does not support 'tls'/);
});
