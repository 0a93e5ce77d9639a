// A real broker that is away for a while, has no room or no JetStream, or holds streams of runs whose daemon was killed.

import { JetStreamError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { BlobHash, Blobs } from '../../../runtime/blobs/blobs.ts';
import { MemoryBlobs } from '../../../runtime/blobs/memory-blobs.ts';
import { runId } from '../../../runtime/core/ids.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import type { WorkQueue } from '../../../runtime/fabric/channels.ts';
import { Broker } from '../../../runtime/fabric/nats/broker.ts';
import { MIN_BLOB_BYTES } from '../../../runtime/fabric/nats/codec.ts';
import { newEpoch } from '../../../runtime/fabric/nats/names.ts';
import { explainStreams, removeOlderEpochs } from '../../../runtime/fabric/nats/streams.ts';
import { type NatsServerOptions, startNatsServer } from '../../nats-server.ts';
import { PATIENCE } from '../../patience.ts';
import { ofTest, testRun } from './members.ts';

async function started(options: NatsServerOptions = {}) {
  const server = await startNatsServer(options);
  onTestFinished(() => server.stop());
  return { server, access: { servers: [server.url] } };
}

test('an absence is reported only if it lasts, and the return only then', async () => {
  const { server, access } = await started();
  const clock = new VirtualClock();
  const run = testRun(access, undefined, undefined, clock);
  const daemon = await run.daemon();
  const reports = () => run.reports.filter(([thing]) => thing === 'the broker');
  const leave = async () => {
    await server.kill();
    await vi.waitUntil(() => !daemon.isUp, PATIENCE);
  };
  const comeBack = async () => {
    await server.restart();
    await vi.waitUntil(() => daemon.isUp, PATIENCE);
  };
  // Two short absences are no long one.
  for (let absence = 0; absence < 2; absence++) {
    await leave();
    await clock.run(clock.now() + 1500);
    await comeBack();
  }
  expect(reports()).toEqual([]);
  await leave();
  await clock.run(clock.now() + 2000);
  expect(reports()).toEqual([['the broker', false]]);
  await comeBack();
  expect(reports()).toEqual([
    ['the broker', false],
    ['the broker', true],
  ]);
});

test('blobs that stay out of reach are reported, and the value arrives when they are back', async () => {
  const { access } = await started();
  const store = new MemoryBlobs();
  let isAway = true;
  const blobs: Blobs = {
    put: bytes => store.put(bytes),
    get: async (hash: BlobHash) => {
      if (isAway) throw new Error('The store is away.');
      return store.get(hash);
    },
  };
  const run = testRun(access, undefined, blobs);
  const [daemon, host] = [await run.daemon(), await run.host()];
  const [sent, received] = [host, daemon].map(({ trajectories }) => ofTest<WorkQueue<unknown>>(trajectories));
  const result = { order: 'o1', picture: new Uint8Array(MIN_BLOB_BYTES) };
  await sent?.put(result);
  const taking = received?.taker().take();
  await vi.waitUntil(() => run.reports.length > 0, PATIENCE);
  isAway = false;
  expect((await taking)?.item).toEqual(result);
  expect(run.reports).toEqual([
    ['the blobs of messages', false],
    ['the blobs of messages', true],
  ]);
});

test('errors of streams that are repeated are not reported as those of blobs', async () => {
  const { access } = await started();
  const clock = new VirtualClock();
  const reports: [string, boolean][] = [];
  const health = (thing: string, isHealthy: boolean) => void reports.push([thing, isHealthy]);
  const broker = await Broker.open({ access, name: 'test', epochStream: 'none', clock, health });
  onTestFinished(() => broker.close());
  const repeated = async (error: Error) => {
    let calls = 0;
    const work = async () => {
      calls += 1;
      if (calls <= 6) throw error;
    };
    const done = broker.persist(work, () => true);
    await clock.run(clock.now() + 60_000);
    await done;
  };
  await repeated(new JetStreamError('The server shuts down.'));
  expect(reports).toEqual([]);
  await repeated(new Error('The store is away.'));
  expect(reports).toEqual([
    ['the blobs of messages', false],
    ['the blobs of messages', true],
  ]);
});

test('the next start removes what abandoned epochs of other runs left, and no other streams', async () => {
  const { access } = await started();
  const [abandoned, other] = [testRun(access), testRun(access)];
  await abandoned.daemon();
  const daemon = await other.daemon();
  const own = (await daemon.streams()).filter(name => name.includes(other.epoch));
  const next = { run: runId('next'), epoch: newEpoch() };
  expect(await removeOlderEpochs(access, next, [{ run: runId('a.run_1'), epoch: abandoned.epoch }])).toEqual(
    [],
  );
  expect(new Set(await daemon.streams())).toEqual(new Set(own));
});

describe('a broker that cannot hold the streams of a run', () => {
  test('because it has no room is named with the remedy', async () => {
    const { access } = await started({ maxStoreBytes: 100e6 });
    await expect(testRun(access).daemon()).rejects.toThrow(
      /^The broker at nats:\S+ has no room .*insufficient storage.*Delete .*max_file_store/,
    );
  });

  test('because it has no JetStream is named with the remedy', async () => {
    const { server, access } = await started();
    await server.kill();
    await server.restart({ hasStreams: false });
    await expect(removeOlderEpochs(access, { run: runId('a.run_1'), epoch: newEpoch() }, [])).rejects.toThrow(
      /^The broker at nats:\S+ has no JetStream, .*dartboard up/,
    );
  });

  test('because they do not answer is named with the remedy', () => {
    expect(explainStreams(new errors.TimeoutError(), { servers: ['nats://h:1'] })).toMatchObject({
      message:
        'The broker at nats://h:1 does not answer the request for its streams within 5 s. Check its log and its disk, then start it again.',
    });
  });
});
