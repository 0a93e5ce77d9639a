// The report about a real broker: its version, its store, and the streams of Dartboard with their fullness.

import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, onTestFinished, test } from 'vitest';
import type { WorkQueue } from '../../../runtime/fabric/channels.ts';
import { natsReport } from '../../../runtime/fabric/nats/report.ts';
import { startNatsServer } from '../../nats-server.ts';
import { ofTest, testRun } from './members.ts';
import { startSilentServer } from './silent-server.ts';

test('a broker with a run, and a stream of another program', async () => {
  const server = await startNatsServer();
  onTestFinished(() => server.stop());
  const access = { servers: [server.url] };
  expect(await natsReport(access)).toMatchObject({ storedBytes: 0, streams: [] });
  const daemon = await testRun(access).daemon();
  for (const order of ['one', 'two']) await ofTest<WorkQueue<string>>(daemon.orders).put(order);
  const other = await connect({ servers: server.url });
  onTestFinished(() => other.close());
  await (await jetstreamManager(other)).streams.add({ name: 'other', subjects: ['other'] });
  const { version, roundTripMs, storedBytes, streams } = await natsReport(access);
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect([roundTripMs, storedBytes].every(number => number > 0)).toBe(true);
  expect(streams.length).toBeGreaterThan(4);
  const orders = streams.find(({ name }) => name.endsWith('-orders'));
  expect(orders?.messages).toBe(2);
  expect(orders?.fullness).toBeGreaterThan(0);
  expect(streams.map(({ name }) => name)).not.toContain('other');
});

test('a server without JetStream is named with the remedy', async () => {
  const server = await startNatsServer();
  onTestFinished(() => server.stop());
  await server.kill();
  await server.restart({ hasStreams: false });
  await expect(natsReport({ servers: [server.url] })).rejects.toThrow(
    /^The broker at nats:\S+ has no JetStream, .*'-js'/,
  );
});

test('a server whose JetStream does not answer is not one without it', async () => {
  await expect(natsReport({ servers: [await startSilentServer()] })).rejects.toThrow(
    /^The broker at 127\S+ does not answer the request for its streams within 5 s\. Check its log and its disk/,
  );
});

test('a server that does not answer is named', async () => {
  const server = await startNatsServer();
  await server.stop();
  await expect(natsReport({ servers: [server.url] })).rejects.toThrow(server.url);
});
