// A run over several hosts, with real processes and a real broker: hosts join, play, are killed, drained and asked to leave, and the broker
// and the daemon are killed too. Training goes on, and nothing that was acknowledged is lost. Needs the bundles that `npm test` builds first.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MemoryBlobs } from '../../../runtime/blobs/memory-blobs.ts';
import { trajectoryId } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { numbersIn } from '../../../runtime/data/files/choice-line.ts';
import { ValueCodec } from '../../../runtime/fabric/nats/codec.ts';
import { opened } from '../../data/open-stores.ts';
import { canOpenMiniwob } from '../../environments/web/miniwob/desktop.ts';
import { MINIWOB } from '../../environments/web/miniwob/folder.ts';
import { missingBrowser } from '../../environments/web/missing-browser.ts';
import { type NatsServer, startNatsServer } from '../../nats-server.ts';
import { PATIENCE } from '../../patience.ts';
import { at, mutated, withOddByte } from '../../run/joined/mutations.ts';
import { startS3Server } from '../../s3-server.ts';
import { temporaryFolder } from '../../temporary.ts';
import {
  type HostProcess,
  host,
  plays,
  type Settings,
  stateOf,
  trainingOver,
  vanishes,
} from './joined-run.ts';

let broker: NatsServer;
beforeAll(async () => {
  broker = await startNatsServer();
});
afterAll(() => broker.stop());

const training = (fabric: Settings = {}, settings: Settings = {}) => trainingOver(broker, fabric, settings);

test('a run goes on with hosts that join, vanish and leave', async () => {
  const run = await training();
  const tower = host(run, 'tower');
  await plays(run, tower);
  await run.daemon.until('the local host played', () => (stateOf(run, 'local')?.steps ?? 0) > 0);
  expect(run.daemon.state?.hosts).toMatchObject([
    { name: 'local', isLocal: true, desktops: 2 },
    { name: 'tower', isLocal: false, desktops: 3, workers: 1 },
  ]);
  // Its first report has none yet.
  await run.daemon.until('tower has a latency', () => (stateOf(run, 'tower')?.latencyMs ?? -1) >= 0);
  expect(run.daemon.state?.environments.desktops).toBe(5);

  // As when the machine loses its power. Its orders are played by somebody else.
  await vanishes(run, tower, 'SIGKILL');
  await tower.ended;
  await run.daemon.goesOn();

  const laptop = host(run, 'laptop');
  const desk = host(run, 'desk');
  await plays(run, laptop);
  await plays(run, desk);
  for (const name of ['nobody', 'local']) run.daemon.drain(name);
  await run.daemon.says('refused The run');
  await run.daemon.says("refused The host 'local'");
  run.daemon.drain('laptop');
  expect(await laptop.ended).toMatchObject({ status: 0, stderr: '' });
  await run.daemon.until('laptop has left', () => stateOf(run, 'laptop') === undefined);

  await broker.kill();
  await broker.restart();
  await run.daemon.goesOn();
  await plays(run, desk);

  desk.program.kill('SIGTERM');
  expect(await desk.ended).toMatchObject({ status: 0, stderr: '' });
  await run.daemon.goesOn();
  await run.daemon.stop();
  expect(run.daemon.broken).toEqual([]);
  expect(run.daemon.state).toMatchObject({ status: 'ended', data: { books: { failed: 0 } } });
  const { store } = await opened({ root: run.root });
  for (const id of run.daemon.kept) expect((await store.read(trajectoryId(id))).id).toBe(id);
});

test('a host joins again after the daemon was killed, and waits when the run has ended', async () => {
  const run = await training();
  const tower = host(run, 'tower');
  await plays(run, tower);
  await run.daemon.goesOn();
  await run.resume();
  await plays(run, tower);
  await run.daemon.goesOn();
  await run.daemon.stop();
  expect(run.daemon.broken).toEqual([]);
  expect(run.daemon.state).toMatchObject({ status: 'ended' });
  await expect.poll(() => tower.said.stdout, PATIENCE).toMatch(/does not answer.* tried again/);
  tower.program.kill('SIGTERM');
  expect(await tower.ended).toMatchObject({ status: 0, stderr: '' });
});

test('a host that was asleep goes on, and what others played meanwhile counts once', async () => {
  const run = await training();
  const tower = host(run, 'tower');
  await plays(run, tower);
  await vanishes(run, tower, 'SIGSTOP');
  tower.signal('SIGCONT');
  await plays(run, tower);
  await run.daemon.goesOn();
  expect(run.daemon.broken).toEqual([]);
  expect(run.daemon.state?.data.books.failed).toBe(0);
});

test('a run ends, with what it learned, while the broker is away', async () => {
  const run = await training();
  await run.daemon.goesOn();
  await broker.kill();
  try {
    await run.daemon.stop();
  } finally {
    await broker.restart();
  }
  expect(run.daemon.said).toContain('closed');
  expect(run.daemon.state).toMatchObject({ status: 'ended' });
});

test('a run fails when the broker has lost its data, and continues with its hosts when it is resumed', async () => {
  const run = await training();
  const tower = host(run, 'tower');
  await plays(run, tower);
  await run.daemon.goesOn();
  const connection = await connect({ servers: broker.url });
  const { streams } = await jetstreamManager(connection);
  for await (const { config } of streams.list()) await streams.delete(config.name);
  await connection.close();
  await run.daemon.until('the run failed', () => run.daemon.state?.status === 'failed');
  const { seconds = 0, message } = run.daemon.state ?? {};
  expect(message).toMatch(/resume/i);
  await run.resume();
  await plays(run, tower);
  await run.daemon.goesOn();
  expect(run.daemon.state?.seconds).toBeGreaterThanOrEqual(seconds);
  expect(run.daemon.broken).toEqual([]);
});

/** The largest message that the broker ever stored, of all streams. */
async function largestMessage(): Promise<number> {
  const connection = await connect({ servers: broker.url });
  const { streams } = await jetstreamManager(connection);
  let largest = 0;
  for await (const { config, state } of streams.list())
    for (let seq = state.first_seq; state.messages > 0 && seq <= state.last_seq; seq += 1) {
      const message = await streams.getMessage(config.name, { seq }).catch(() => null);
      largest = Math.max(largest, message?.data.length ?? 0);
    }
  await connection.close();
  return largest;
}

test('with a store of blobs, a host plays and trains without the keys of the store, also after the store was away', async () => {
  const store = await startS3Server();
  onTestFinished(() => store.stop());
  const { accessKeyId, secretAccessKey } = store.keys;
  vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretAccessKey);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { endpoint, bucket } = store;
  const run = await training({ blobs: { endpoint, bucket } });
  // From here on, nobody but the daemon has them.
  vi.unstubAllEnvs();
  const tower = host(run, 'tower');
  await plays(run, tower);
  await run.daemon.goesOn();
  // The weights of the newest version are there, and no message has them.
  expect(store.objects().every(key => /^dartboard\/[^/]+\/[0-9a-f]{8}\/[0-9a-f]{64}$/.test(key))).toBe(true);
  expect(store.objects().length).toBeGreaterThan(0);
  expect(await largestMessage()).toBeLessThan(64 * 1024);

  await store.kill();
  await run.daemon.until('the store is away', () => run.daemon.hasProblem('store of blobs'));
  await store.restart();
  await plays(run, tower);
  await run.daemon.goesOn();
  tower.program.kill('SIGTERM');
  expect(await tower.ended).toMatchObject({ status: 0, stderr: '' });
  await run.daemon.stop();
  expect(run.daemon.broken).toEqual([]);
  expect(run.daemon.state).toMatchObject({ status: 'ended' });
  expect(store.objects()).toEqual([]);
});

/** Real messages of a host in the broker, whose credentials permit everything. */
async function overheard(connection: NatsConnection, { name }: HostProcess, channels: readonly string[]) {
  const messages: { readonly subject: string; readonly data: Uint8Array }[] = [];
  const subscription = connection.subscribe('dartboard.>', {
    callback: (_, { subject, data }) =>
      void (subject.endsWith(`.${name}`) && messages.push({ subject, data })),
  });
  const has = (channel: string) => messages.some(({ subject }) => subject.includes(`.${channel}.`));
  await expect.poll(() => channels.filter(channel => !has(channel)), PATIENCE).toEqual([]);
  subscription.unsubscribe();
  return messages;
}

test('hosts that send thousands of wrong values are refused, and the run goes on with sound trajectories', async () => {
  const run = await training();
  const tower = host(run, 'tower');
  await plays(run, tower);
  const connection = await connect({ servers: broker.url });
  onTestFinished(() => connection.close());
  const messages = await overheard(connection, tower, ['trajectories', 'lessons', 'events']);
  const random = seeded('mallory');
  const codec = new ValueCodec(new MemoryBlobs());
  for (let sent = 0; sent < 3000; sent += 1) {
    const { subject, data } = at(messages, random);
    const value = await codec.decode(data).catch(() => undefined);
    const wrong =
      value === undefined || random.int(2) === 0
        ? withOddByte(data, random)
        : await codec.encode(mutated(value, random)).then(({ bytes }) => bytes);
    // Each name is refused after eight of them.
    connection.publish(subject.replace(/\.tower$/, `.mallory-${sent % 300}`), wrong);
    if (sent % 100 === 0) await connection.flush();
  }
  await connection.flush();
  await run.daemon.until('one is refused', () => run.daemon.hasProblem('accepts no more'));
  await plays(run, tower);
  await run.daemon.goesOn();
  expect(tower.said.stdout).not.toContain('wrong value');
  tower.program.kill('SIGTERM');
  expect(await tower.ended).toMatchObject({ status: 0, stderr: '' });
  await run.daemon.stop();
  expect(run.daemon.broken).toEqual([]);
  expect(run.daemon.state).toMatchObject({ status: 'ended' });
  const { store } = await opened({ root: run.root });
  for (const id of run.daemon.kept) {
    const { steps, maxSteps } = await store.read(trajectoryId(id));
    expect(steps.length).toBeLessThanOrEqual(maxSteps);
    for (const { chosen } of steps)
      for (const number of chosen === undefined ? [] : numbersIn(chosen.trace))
        expect(Number.isFinite(number) && number > -201 && number < 101).toBe(true);
  }
});

const PAGES = {
  id: 'own-page',
  instruction: 'Press Buy.',
  config: [
    { type: 'serve', parameters: { host: 'shop.test', folder: 'shop' } },
    { type: 'open', parameters: { url: 'http://shop.test/' } },
  ],
  evaluator: {
    func: 'exact_match',
    result: { type: 'url' },
    expected: { type: 'rule', rules: { expected: 'http://shop.test/#bought' } },
  },
  dartboard: { tier: 1, solution: [['click', 'link', 'Buy']] },
};

/** The example of the documentation. */
const [, EXAMPLE = ''] =
  /```json\n(.*?)```/s.exec(
    readFileSync(fileURLToPath(new URL('../../../docs/tasks.md', import.meta.url)), 'utf8'),
  ) ?? [];

function taskFolder(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('tasks');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe('a host without any file', () => {
  test("plays tasks of the user's own folder", async () => {
    const suite = { tasks: ['quieter-alerts'], files: taskFolder({ 'own.json': EXAMPLE }) };
    const run = await training({}, { suite });
    const tower = host(run, 'tower');
    await plays(run, tower);
    tower.program.kill('SIGTERM');
    expect(await tower.ended).toMatchObject({ status: 0, stderr: '' });
    expect(run.daemon.broken).toEqual([]);
  });

  test.skipIf(missingBrowser !== undefined)('plays web tasks with pages of the user', async () => {
    const files = taskFolder({
      'own.json': JSON.stringify(PAGES),
      'shop/index.html': '<script src="buy.js"></script>',
      'shop/buy.js': "document.write('<a href=#bought>Buy</a>')",
    });
    const run = await training(
      {},
      {
        ...{ suite: { tasks: ['own-page'], files }, exploring: undefined, demonstrations: 1 },
        environments: { kind: 'web', desktops: 1 },
        data: { rollouts: 4, trajectoriesPerBatch: 4 },
      },
    );
    const tower = host(run, 'tower');
    await plays(run, tower);
    tower.program.kill('SIGTERM');
    expect(await tower.ended).toMatchObject({ status: 0, stderr: '' });
    expect(run.daemon.broken).toEqual([]);
  });

  test.skipIf(!canOpenMiniwob)('plays pages of MiniWoB++', async () => {
    const run = await training(
      {},
      {
        ...{ suite: { tasks: ['miniwob-click-test', 'miniwob-click-button'] }, exploring: undefined },
        environments: { kind: 'web', desktops: 1, web: { miniwob: MINIWOB } },
        data: { rollouts: 4, trajectoriesPerBatch: 4 },
      },
    );
    const tower = host(run, 'tower');
    await plays(run, tower);
    tower.program.kill('SIGTERM');
    expect(await tower.ended).toMatchObject({ status: 0, stderr: '' });
    expect(run.daemon.broken).toEqual([]);
  });

  test('is refused with the reason if the files of the tasks cannot be sent', async () => {
    const files = taskFolder({ 'elsewhere.json': EXAMPLE });
    const linked = temporaryFolder('linked');
    symlinkSync(join(files, 'elsewhere.json'), join(linked, 'own.json'));
    const run = await training({}, { suite: { tasks: ['quieter-alerts'], files: linked } });
    const { status, stderr } = await host(run, 'tower').ended;
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/No machine can join the run .* own\.json is not in the folder .*Copy it/);
  });
});
