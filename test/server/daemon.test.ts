// The daemon as a whole: opened and closed as one, and alone in its workspace.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Config } from '../../runtime/config/config.ts';
import { thisProcess } from '../../runtime/core/process-identity.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { FolderInUseError } from '../../runtime/data/files/lock.ts';
import { findDaemon } from '../../runtime/protocol/daemon/find-daemon.ts';
import { DAEMON_VERSION } from '../../runtime/protocol/daemon/messages.ts';
import { USER_SETTINGS_VARIABLE } from '../../runtime/protocol/user-settings.ts';
import { openDaemon } from '../../runtime/server/daemon.ts';
import { publishDaemon } from '../../runtime/server/daemon-file.ts';
import { Client, pagesFolder } from './client.ts';
import { OwnedRuns } from './owned-runs.ts';

const pages = pagesFolder();
let file: string;
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'dartboard-daemon-')), 'daemon.json');
});
afterEach(() => rm(join(file, '..'), { recursive: true }));

const opened = (runs: OwnedRuns, port = 0) =>
  openDaemon({
    ...{ pages, port, file, keepTraining: true, clock: new VirtualClock(7), say: () => undefined },
    open: async () => runs,
  });

/** Another process, which is there. */
const OTHER = {
  ...{ pid: process.ppid, place: thisProcess().place, boot: thisProcess().boot, began: '' },
  ...{ port: 9, token: 'x', version: 1, startedAt: 0 },
};

/** Lets time pass until it is settled: files take their time whatever the clock says. */
async function passing(clock: VirtualClock, work: Promise<unknown>): Promise<void> {
  const settled = work.then(
    () => true,
    () => true,
  );
  for (let done = false; !done; ) {
    await clock.run(clock.now() + 100);
    done = await Promise.race([settled, new Promise<false>(resolve => setTimeout(resolve, 1, false))]);
  }
}

test('the file leads to the server until the daemon closes', async () => {
  const runs = new OwnedRuns();
  const daemon = await opened(runs);
  const { port, token, startedAt, pid } = JSON.parse(await readFile(file, 'utf8'));
  expect(daemon.server.address).toBe(`http://127.0.0.1:${port}/#${token}`);
  expect({ startedAt, pid }).toEqual({ startedAt: 7, pid: process.pid });
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  await daemon.close();
  expect(await findDaemon(file)).toEqual({ kind: 'none' });
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  expect(runs.asked).toEqual(['close']);
});

test('the configuration of a client is completed with the settings of the user', async () => {
  const started: Config[] = [];
  class StartedRuns extends OwnedRuns {
    override async start(config: Config) {
      started.push(config);
      return super.start(config);
    }
  }
  const mine = { profile: 'generic', model: 'm', url: 'http://localhost:8000/v1' };
  const daemon = await openDaemon({
    ...{ pages, port: 0, file, keepTraining: true, clock: new VirtualClock(7), say: () => undefined },
    open: async () => new StartedRuns(),
    environment: { [USER_SETTINGS_VARIABLE]: JSON.stringify({ agents: { mine } }) },
  });
  const { token } = JSON.parse(await readFile(file, 'utf8'));
  const client = new Client(daemon.server.port);
  await client.open();
  await client.ask('hello', { version: DAEMON_VERSION, token, client: 'a test' });
  expect(await client.ask('run.start', { config: { agent: 'mine' } })).toHaveProperty('result');
  expect(started).toMatchObject([{ agent: 'mine', agents: { mine } }]);
  expect(await client.ask('run.start', { config: { agent: 'other' } })).toMatchObject({
    error: { message: expect.stringContaining('The agents are compact, mine.') },
  });
  client.socket.close();
  await daemon.close();
});

test('a second daemon in the workspace is rejected, and leaves nothing open', async () => {
  await publishDaemon(file, OTHER);
  const runs = new OwnedRuns();
  await expect(opened(runs)).rejects.toThrow(
    `A daemon already runs in this folder (pid ${process.ppid}, port 9)`,
  );
  expect(runs.asked).toEqual([]);
  expect(runs.listeners).toBe(0);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(OTHER);
});

describe('where another has taken the folder', () => {
  const inUse = new FolderInUseError('It is taken.');

  test('a lock of a starting daemon is reported as a daemon once its file exists', async () => {
    const clock = new VirtualClock(7);
    let tries = 0;
    const second = openDaemon({
      ...{ pages, port: 0, file, keepTraining: true, clock, say: () => undefined },
      open: async () => {
        tries += 1;
        if (tries === 3) await publishDaemon(file, OTHER);
        throw inUse;
      },
    });
    second.catch(() => undefined);
    await passing(clock, second);
    await expect(second).rejects.toThrow('A daemon already runs in this folder');
    expect(tries).toBe(3);
  });

  test('a lock of another process is reported, and the daemon starts after its release', async () => {
    const clock = new VirtualClock(7);
    const said: string[] = [];
    const options = {
      ...{ pages, port: 0, file, keepTraining: true, clock, say: (text: string) => void said.push(text) },
    };
    const second = openDaemon({ ...options, open: () => Promise.reject(inUse) });
    second.catch(() => undefined);
    await passing(clock, second);
    await expect(second).rejects.toThrow('It is taken.');
    expect(clock.now()).toBeGreaterThan(5000);
    // Who waits knows for what, and is told so once.
    expect(said).toEqual(['Waiting for another Dartboard process in this folder to end. It is taken.']);
    let tries = 0;
    const third = openDaemon({
      ...options,
      open: async () => {
        tries += 1;
        if (tries < 3) throw inUse;
        return new OwnedRuns();
      },
    });
    await passing(clock, third);
    await (await third).close();
    // How much virtual time the tries take depends on the disk.
    expect(said.length).toBeLessThanOrEqual(2);
  });
});

test('a used port is an error that names it, and leaves nothing open', async () => {
  const daemon = await opened(new OwnedRuns());
  const runs = new OwnedRuns();
  await expect(opened(runs, daemon.server.port)).rejects.toThrow(
    `Port ${daemon.server.port} is used by another program`,
  );
  expect(runs.asked).toEqual(['close']);
  await daemon.close();
});

test('the server is closed even if the runs cannot be closed, and the error is reported', async () => {
  class Stuck extends OwnedRuns {
    override async close(): Promise<void> {
      throw new Error('The disk is full.');
    }
  }
  const daemon = await opened(new Stuck());
  await expect(daemon.close()).rejects.toThrow('The disk is full.');
  expect(await findDaemon(file)).toEqual({ kind: 'none' });
  await expect(fetch(`http://127.0.0.1:${daemon.server.port}/`)).rejects.toThrow();
});
