// The least privileges of a joined host, in a real broker: enough for its part of a run, and for nothing else.

import { connect } from '@nats-io/transport-node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runId } from '../../../runtime/core/ids.ts';
import type { Log, Register, Topic, WorkQueue } from '../../../runtime/fabric/channels.ts';
import { BrokerNames, newEpoch } from '../../../runtime/fabric/nats/names.ts';
import { hostPermissions } from '../../../runtime/fabric/nats/permissions.ts';
import { startNatsServer } from '../../nats-server.ts';
import { ofTest, testRun } from './members.ts';

const RUN = runId('a.run_1');
const INBOXES = '_INBOX.>';

async function opened() {
  const epoch = newEpoch();
  const { publish, subscribe } = hostPermissions({ run: RUN, epoch });
  const allowed = (subjects: readonly string[]) => `{ allow: ${JSON.stringify(subjects)} }`;
  const permissions = `{ publish: ${allowed(publish)}, subscribe: ${allowed([...subscribe, INBOXES])} }`;
  const server = await startNatsServer({
    configuration: `authorization { users: [
      { user: daemon, password: d }
      { user: host, password: h, permissions: ${permissions} }
    ] }`,
  });
  onTestFinished(() => server.stop());
  const asDaemon = { servers: [server.url], user: 'daemon', password: 'd' };
  const asHost = { servers: [server.url], user: 'host', password: 'h' };
  return { epoch, server, asDaemon, asHost };
}

test('a host with them plays its part', async () => {
  const { epoch, asDaemon, asHost } = await opened();
  const [run, joined] = [testRun(asDaemon, epoch), testRun(asHost, epoch)];
  const daemon = await run.daemon();
  const host = await joined.host();
  const hearing = ofTest<Topic<string>>(daemon.events).listen()[Symbol.asyncIterator]().next();
  await ofTest<WorkQueue<string>>(daemon.orders).put('play');
  await ofTest<Register<number>>(daemon.weights).set(7);
  await ofTest<Log<string>>(daemon.commands).append('drain');
  const taken = await ofTest<WorkQueue<string>>(host.orders).taker().take();
  await ofTest<WorkQueue<string>>(host.trajectories).put(taken.item);
  await taken.acknowledge();
  expect(await ofTest<WorkQueue<string>>(host.lessons).depth()).toEqual({ waiting: 0, taken: 0 });
  expect((await ofTest<WorkQueue<string>>(daemon.trajectories).taker().take()).item).toBe('play');
  for await (const weights of ofTest<Register<number>>(host.weights).watch()) {
    expect(weights).toBe(7);
    break;
  }
  for await (const { entry } of ofTest<Log<string>>(host.commands).read(0)) {
    expect(entry).toBe('drain');
    break;
  }
  ofTest<Topic<string>>(host.events).publish('playing');
  expect((await hearing).value).toEqual({ event: 'playing', missed: 0 });
  await host.close();
  expect(joined.reports).toEqual([]);
});

test('a host with them writes no weights or orders, reads no results and removes nothing', async () => {
  const { epoch, asDaemon, server } = await opened();
  const daemon = await testRun(asDaemon, epoch).daemon();
  await ofTest<Register<number>>(daemon.weights).set(7);
  const names = new BrokerNames({ run: RUN, epoch });
  const other = new BrokerNames({ run: RUN, epoch: newEpoch() });
  const host = await connect({ servers: server.url, user: 'host', pass: 'h' });
  onTestFinished(() => host.close());
  const forbidden = [
    names.register('weights'),
    names.streamed('commands'),
    `${names.stream('orders')}.mine`,
    `$JS.API.STREAM.DELETE.${names.stream('orders')}`,
    `$JS.API.STREAM.MSG.GET.${names.stream('trajectories')}`,
    `$JS.API.CONSUMER.CREATE.${names.stream('commands')}`,
    `$JS.API.CONSUMER.MSG.NEXT.${names.stream('trajectories')}.daemon`,
    '$JS.API.STREAM.NAMES',
    other.streamed('trajectories'),
    other.register('weights'),
  ];
  const refused: string[] = [];
  void (async () => {
    for await (const status of host.status()) if (status.type === 'error') refused.push(status.error.message);
  })();
  for (const subject of forbidden) {
    host.publish(subject, '{}');
    await host.flush();
  }
  await vi.waitUntil(() => refused.length >= forbidden.length);
  for (const subject of forbidden)
    expect(
      refused.some(message => message.includes(`"${subject}"`)),
      subject,
    ).toBe(true);
  for (const subject of ['>', names.streamed('trajectories'), other.streamed('commands')]) {
    const subscription = host.subscribe(subject);
    expect(await subscription.closed, subject).toBeInstanceOf(Error);
  }
  expect(await ofTest<Register<number>>(daemon.weights).get()).toBe(7);
});

test('a host cannot choose a subject to which the daemon writes', async () => {
  const { epoch, asDaemon, asHost, server } = await opened();
  const run = testRun(asDaemon, epoch);
  const daemon = await run.daemon();
  const weights = ofTest<Register<number>>(daemon.weights);
  await weights.set(7);
  const member = await testRun(asHost, epoch).host();
  const followed = ofTest<Register<number>>(member.weights).watch()[Symbol.asyncIterator]();
  expect((await followed.next()).value).toBe(7);
  const names = new BrokerNames({ run: RUN, epoch });
  const host = await connect({ servers: server.url, user: 'host', pass: 'h' });
  onTestFinished(() => host.close());
  const asked = names.depth('lessons', 'tower');
  const other = new BrokerNames({ run: RUN, epoch: newEpoch() });
  const chosen = [names.streamed('commands'), names.register('weights'), other.streamed('commands')];
  for (const reply of chosen) host.publish(asked, '', { reply });
  host.publish(asked);
  // The daemon answers requests of a host in their order.
  expect((await host.request(asked)).json()).toEqual({ waiting: 0, taken: 0 });
  expect(run.reports).toEqual([...chosen, undefined].map(() => ['lessons of tower', false]));
  await ofTest<Log<string>>(daemon.commands).append('drain');
  for await (const { entry } of ofTest<Log<string>>(member.commands).read(0)) {
    expect(entry).toBe('drain');
    break;
  }
  await weights.set(8);
  expect((await followed.next()).value).toBe(8);
});
