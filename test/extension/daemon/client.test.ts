// The client with the real server over real sockets. The server replaces the program that the client would
// start.

import { connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type ClientEffects, DaemonClient } from '../../../extension/daemon/client.ts';
import { DaemonConnection } from '../../../extension/daemon/connection.ts';
import { RunStore } from '../../../extension/runs/run-store.ts';
import type { TrainingSnapshot } from '../../../extension/runs/training-snapshot.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { DAEMON_VERSION } from '../../../runtime/protocol/daemon/messages.ts';
import type { DaemonServer } from '../../../runtime/server/server.ts';
import { pagesFolder, serve, TOKEN } from '../../server/client.ts';
import { playedState } from '../../server/played-state.ts';
import { ScriptedRuns } from '../../server/scripted-runs.ts';

const pages = pagesFolder();
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

const RUN = playedState(0).run;

interface Proxy {
  readonly port: number;
  cut(): void;
}

/** A folder with its daemon, and the client of one window. */
class Folder {
  readonly runs: ScriptedRuns;
  readonly client: DaemonClient;
  readonly #token: string;
  starts = 0;
  server: DaemonServer | undefined;
  #proxy: Proxy | undefined;
  readonly exits: ((reason: string) => void)[] = [];
  readonly logged: string[] = [];

  constructor(runs = new ScriptedRuns(), token = TOKEN) {
    this.runs = runs;
    this.#token = token;
    const effects: ClientEffects = {
      clock: systemClock,
      log: message => void this.logged.push(message),
      find: async () => {
        if (this.#proxy === undefined) return undefined;
        const { port } = this.#proxy;
        return {
          pid: process.pid,
          ...{ place: 'lab', boot: 'monday', began: '' },
          port,
          token: this.#token,
          version: DAEMON_VERSION,
          startedAt: this.starts,
        };
      },
      start: onExit => {
        this.starts += 1;
        for (const exit of this.exits) exit('An earlier daemon exits late.');
        this.exits.push(onExit);
        this.open().catch((error: unknown) => onExit(String(error)));
      },
      connect: (daemon, listener) => new DaemonConnection(daemon, 'a test', listener),
    };
    this.client = new DaemonClient(effects);
    cleanups.push(() => this.client.dispose());
  }

  async open(): Promise<void> {
    this.server = await serve({ pages, runs: this.runs });
    this.#proxy = await proxyTo(this.server.port);
    cleanups.push(
      () => this.server?.close(),
      () => this.#proxy?.cut(),
    );
  }

  /** The connection breaks, and the daemon goes on. */
  async disconnect(): Promise<void> {
    if (this.server === undefined) throw new Error('No daemon runs.');
    const next = await proxyTo(this.server.port);
    this.#proxy?.cut();
    this.#proxy = next;
  }

  /** The daemon stops on purpose and closes its connections with a farewell. */
  async stop(): Promise<void> {
    this.#proxy = undefined;
    await this.server?.close();
  }

  async crash(): Promise<void> {
    this.#proxy?.cut();
    this.#proxy = undefined;
    await this.server?.close();
  }
}

/** Storage that survives a reload of the window. */
function storageWith(snapshot?: TrainingSnapshot) {
  let stored = snapshot;
  return {
    get: () => stored,
    set: (value: TrainingSnapshot | undefined): void => {
      stored = value;
    },
  };
}

/** The runs of a window; `until` resolves when the condition holds. */
function windowOf(folder: Folder, { keepTraining = false, storage = storageWith() } = {}) {
  /** The messages about runs that did not resume. */
  const stopped: string[] = [];
  const runs = new RunStore({
    ...{ client: folder.client, clock: systemClock, storage },
    log: () => undefined,
    keepTraining: () => keepTraining,
    stayedStopped: (run, message) => stopped.push(`${run}: ${message}`),
  });
  cleanups.push(() => runs.dispose());
  const until = (condition: () => boolean): Promise<void> =>
    new Promise(resolve => {
      const check = (): boolean => {
        if (condition()) resolve();
        return condition();
      };
      const subscription = runs.onChange(() => check() && subscription.dispose());
      if (check()) subscription.dispose();
    });
  return { runs, until, stopped };
}

/** A proxy between client and server, to cut connections without a farewell, like a crash. */
async function proxyTo(port: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const proxy = createServer(near => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    port: address.port,
    cut() {
      proxy.close();
      for (const socket of sockets) socket.resetAndDestroy();
    },
  };
}

test('starts a daemon if none runs, and sends it a request', async () => {
  const folder = new Folder(new ScriptedRuns(playedState(60)));
  expect(await folder.client.request('runs.list', {})).toMatchObject([{ run: RUN, seconds: 60 }]);
  expect(folder.starts).toBe(1);
});

test('uses a running daemon', async () => {
  const folder = new Folder();
  await folder.open();
  await Promise.all([folder.client.ready(), folder.client.ready()]);
  expect(folder.starts).toBe(0);
  expect(folder.server?.life).toMatchObject({ clients: 1 });
});

test('a request that waits for a daemon fails when the client is disposed, and so does a later one', async () => {
  const folder = new Folder();
  folder.open = () => new Promise(() => undefined);
  const request = folder.client.request('runs.list', {});
  const isRejected = expect(request).rejects.toThrow('closed its connection');
  await expect.poll(() => folder.client.state.kind).toBe('starting');
  folder.client.dispose();
  await isRejected;
  await expect(folder.client.ready()).rejects.toThrow('closed its connection');
});

test('the exit of an earlier daemon does not end the start of the next one', async () => {
  const folder = new Folder();
  await folder.client.ready();
  await folder.stop();
  await expect.poll(() => folder.client.state.kind).toBe('idle');
  await folder.client.ready();
  expect(folder.starts).toBe(2);
  expect(folder.logged).toContain('The daemon exited: An earlier daemon exits late.');
});

test('the reason of an exit while the client is connected is logged', async () => {
  const folder = new Folder();
  await folder.client.ready();
  folder.exits[0]?.('There is no memory.');
  expect(folder.logged.at(-1)).toBe('The daemon exited: There is no memory.');
});

test('a request fails with the error of the daemon', async () => {
  const folder = new Folder();
  await expect(folder.client.request('run.stop', { run: 'no-such-run' })).rejects.toThrow('no-such-run');
});

test('reports a wrong token and does not retry', async () => {
  const folder = new Folder(undefined, 'another');
  await folder.open();
  await expect(folder.client.ready()).rejects.toThrow(/token/i);
  expect(folder.client.state.kind).toBe('failed');
});

test('the list of runs follows the daemon, and stays after the daemon stops', async () => {
  const folder = new Folder(new ScriptedRuns(playedState(60)));
  const { runs, until } = windowOf(folder);
  await folder.client.ready();
  await until(() => runs.life !== undefined && runs.list.summaries.length === 1);
  folder.runs.show(playedState(120));
  await until(() => runs.list.states.get(RUN)?.seconds === 120);
  await folder.server?.close();
  // The daemon stopped on purpose, so the client starts no other.
  await until(() => folder.client.state.kind === 'idle');
  expect(runs.list.summaries).toMatchObject([{ run: RUN, seconds: 120 }]);
  expect(runs.life).toBeUndefined();
  expect(folder.starts).toBe(1);
});

test('after a crash a new daemon resumes the run', async () => {
  const folder = new Folder(new ScriptedRuns(playedState(60)));
  const { runs, until } = windowOf(folder);
  await folder.client.ready();
  await until(() => runs.list.states.size === 1 && runs.life !== undefined);
  await folder.crash();
  folder.runs.show({ ...playedState(60), status: 'failed' });
  await until(() => folder.runs.asked.includes(`resume ${RUN}`));
  expect(folder.starts).toBe(2);
});

test('reports a run that does not resume after a crash', async () => {
  const folder = new Folder(new ScriptedRuns(playedState(60)));
  const { runs, until, stopped } = windowOf(folder);
  await folder.client.ready();
  await until(() => runs.list.states.size === 1 && runs.life !== undefined);
  folder.runs.resume = async () => {
    throw new Error('The disk is full.');
  };
  await folder.crash();
  folder.runs.show({ ...playedState(60), status: 'failed' });
  await until(() => stopped.length > 0);
  expect(stopped).toEqual([`${RUN}: Its daemon exited, and it did not resume: The disk is full.`]);
});

test('a daemon that crashes while it resumes a run leaves the run to the next one', async () => {
  const folder = new Folder(new ScriptedRuns(playedState(60)));
  const { runs, until } = windowOf(folder);
  await folder.client.ready();
  await until(() => runs.list.states.size === 1 && runs.life !== undefined);
  const resume = folder.runs.resume.bind(folder.runs);
  let calls = 0;
  folder.runs.resume = (...given) => {
    calls += 1;
    if (calls > 1) return resume(...given);
    setImmediate(() => void folder.crash());
    return new Promise(() => undefined);
  };
  await folder.crash();
  folder.runs.show({ ...playedState(60), status: 'failed' });
  await until(() => folder.runs.asked.includes(`resume ${RUN}`));
  expect([calls, folder.starts]).toEqual([2, 3]);
});

test('a lost connection to the same daemon resumes no run that was stopped meanwhile', async () => {
  const folder = new Folder(new ScriptedRuns(playedState(60)));
  const { runs, until } = windowOf(folder);
  await folder.client.ready();
  await until(() => runs.list.states.size === 1 && runs.life !== undefined);
  await folder.disconnect();
  await until(() => runs.life === undefined);
  folder.runs.show({ ...playedState(60), status: 'ended' });
  await until(() => runs.life !== undefined);
  await folder.client.request('runs.list', {});
  expect(folder.runs.asked).toEqual([]);
  expect(folder.starts).toBe(1);
});

test('resumes a run whose daemon stopped during a reload of the window', async () => {
  const storage = storageWith();
  const before = new Folder(new ScriptedRuns(playedState(60)));
  const first = windowOf(before, { storage });
  await before.client.ready();
  await first.until(() => storage.get()?.runs.includes(RUN) === true);
  first.runs.dispose();
  before.client.dispose();
  const after = new Folder(new ScriptedRuns({ ...playedState(60), status: 'ended' }));
  after.starts = before.starts;
  windowOf(after, { storage });
  await after.client.ready();
  await expect.poll(() => after.runs.asked).toEqual([`resume ${RUN}`]);
});

test('a new daemon resumes a run that the old daemon was stopping when the window returned', async () => {
  const storage = storageWith({ runs: [RUN], daemon: 1, at: Date.now() });
  const folder = new Folder(new ScriptedRuns({ ...playedState(60), status: 'stopping' }));
  const { runs, until } = windowOf(folder, { storage });
  // So the extension starts a daemon.
  expect(runs.hasInterruptedTraining).toBe(true);
  await folder.client.ready();
  await until(() => runs.life !== undefined);
  folder.runs.show({ ...playedState(60), status: 'ended' });
  await folder.stop();
  await expect.poll(() => folder.runs.asked).toEqual([`resume ${RUN}`]);
  expect(folder.starts).toBe(2);
});

test('does not restart a daemon that stopped on purpose right after a reload', async () => {
  const storage = storageWith({ runs: [RUN], daemon: 1, at: Date.now() });
  const folder = new Folder(new ScriptedRuns(playedState(60)));
  const { runs, until } = windowOf(folder, { storage });
  await folder.client.ready();
  await until(() => runs.life !== undefined);
  await folder.stop();
  await expect.poll(() => folder.client.state.kind).toBe('idle');
  // A restart would be a microtask.
  await new Promise(resolve => setImmediate(resolve));
  expect([folder.starts, folder.client.state.kind]).toEqual([1, 'idle']);
});

test('retries until a run can resume', async () => {
  const storage = storageWith({ runs: [RUN], daemon: -1, at: Date.now() });
  const folder = new Folder(new ScriptedRuns({ ...playedState(60), status: 'stopping' }));
  windowOf(folder, { storage });
  await folder.client.ready();
  await folder.client.request('runs.list', {});
  expect(folder.runs.asked).toEqual([]);
  folder.runs.show({ ...playedState(60), status: 'ended' });
  await expect.poll(() => folder.runs.asked).toEqual([`resume ${RUN}`]);
});

test('does not resume a stopped run after a reload', async () => {
  const storage = storageWith();
  const folder = new Folder(new ScriptedRuns(playedState(60)));
  const { runs, until } = windowOf(folder, { storage });
  expect(runs.hasInterruptedTraining).toBe(false);
  await folder.client.ready();
  await until(() => storage.get()?.runs.includes(RUN) === true);
  folder.runs.show({ ...playedState(60), status: 'ended' });
  await until(() => storage.get()?.runs.length === 0);
});

test('does not resume a paused run after a crash', async () => {
  const folder = new Folder(new ScriptedRuns(playedState(60, { status: 'paused' })));
  const { runs, until } = windowOf(folder);
  await folder.client.ready();
  await until(() => runs.list.states.size === 1 && runs.life !== undefined);
  await folder.crash();
  folder.runs.show({ ...playedState(60), status: 'failed' });
  await until(() => folder.starts === 2 && runs.life !== undefined);
  expect(folder.runs.asked).toEqual([]);
});

test('tells the daemon to keep training without a window', async () => {
  const folder = new Folder();
  const { runs, until } = windowOf(folder, { keepTraining: true });
  await folder.client.ready();
  await until(() => runs.life?.keepTraining === true);
});
