// A run over several hosts, with real processes and a real broker: hosts join, play, are killed, drained and asked to leave, and the broker
// and the daemon are killed too. Training goes on, and nothing that was acknowledged is lost. Needs the bundles that `npm test` builds first.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { trajectoryId } from '../../../runtime/core/ids.ts';
import type { HostState } from '../../../runtime/protocol/daemon/hosts.ts';
import { opened } from '../../data/opened.ts';
import { type NatsServer, startNatsServer } from '../../nats-server.ts';
import { PATIENCE } from '../../patience.ts';
import { temporaryFolder } from '../../temporary.ts';
import { CommandLine } from '../command-line.ts';
import { Daemon, daemonProgram } from '../training.ts';

let broker: NatsServer;
beforeAll(async () => {
  broker = await startNatsServer();
});
afterAll(() => broker.stop());

/** Fixed, so that hosts find the daemon that follows. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function training() {
  const options = { ...(await daemonProgram()), root: join(temporaryFolder('cluster'), 'runs') };
  const config = {
    suite: { tasks: ['settings-theme', 'files-rename', 'mail-forward'] },
    minutes: 60,
    environments: { desktops: 2 },
    exploring: { firstSeconds: 1 },
    trainer: { publishSeconds: 0.5, checkpointMinutes: 0.03 },
    evaluation: { everySeconds: 600, instances: 1, lastInstances: 1, desktops: 1 },
    fabric: { kind: 'nats', servers: [broker.url], listen: `127.0.0.1:${await freePort()}` },
  };
  let daemon = new Daemon({ ...options, config });
  onTestFinished(() => daemon.kill());
  const run = await daemon.says('began');
  const address = await daemon.says('join');
  return {
    address,
    root: options.root,
    get daemon() {
      return daemon;
    },
    resume: async () => {
      await daemon.kill();
      daemon = new Daemon({ ...options, run });
    },
  };
}

type Training = Awaited<ReturnType<typeof training>>;

/** A process of `dartboard join`, in a folder of its own. */
function host({ address }: Training, name: string) {
  const line = new CommandLine(temporaryFolder(name));
  const begun = line.begin('join', address, '--desktops', '3', '--name', name);
  const group = -(begun.program.pid ?? 0);
  /** To its child processes too. They may have ended by themselves. */
  const signal = (which: NodeJS.Signals) => {
    try {
      process.kill(group, which);
    } catch {}
  };
  onTestFinished(() => signal('SIGKILL'));
  const { said, ended, program } = begun;
  return { name, said, ended, program, signal };
}

type HostProcess = ReturnType<typeof host>;

const stateOf = ({ daemon }: Training, name: string): HostState | undefined =>
  daemon.state?.hosts?.find(each => each.name === name);

/** Once this host has played more. */
async function plays(run: Training, { name, program, said }: HostProcess): Promise<void> {
  const before = stateOf(run, name)?.steps ?? 0;
  await run.daemon.until(`${name} played`, () => {
    if (program.exitCode !== null) throw new Error(`${name} ended: ${said.stdout} ${said.stderr}`);
    const { status, steps = 0 } = stateOf(run, name) ?? {};
    return status === 'playing' && steps > before;
  });
}

/** In the middle of its episodes. Returns when somebody else has played one of them: at least its second attempt. */
async function vanishes(run: Training, tower: HostProcess, how: NodeJS.Signals): Promise<void> {
  const { daemon } = run;
  await daemon.until(`${tower.name} plays`, () => (stateOf(run, tower.name)?.playing ?? 0) > 0);
  tower.signal(how);
  await daemon.until(`${tower.name} is lost`, () => stateOf(run, tower.name)?.status === 'lost');
  expect(stateOf(run, tower.name)).toMatchObject({ playing: 0, stepsPerS: 0 });
  const before = new Set(daemon.kept);
  const isRepetition = (id: string) => !before.has(id) && !id.endsWith('.1');
  await daemon.until('its orders are played again', () => [...daemon.kept].some(isRepetition));
}

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
