// The client against the real server over real sockets; that server stands in for the program that would be started.

import { connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { DaemonClient, type World } from '../../../extension/daemon/client.ts';
import { Connection } from '../../../extension/daemon/connection.ts';
import type { Left } from '../../../extension/runs/left.ts';
import { Runs } from '../../../extension/runs/runs.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { DAEMON_VERSION } from '../../../runtime/protocol/daemon/messages.ts';
import type { DaemonServer } from '../../../runtime/server/server.ts';
import { pagesFolder, serve, TOKEN } from '../../server/client.ts';
import { playedState } from '../../server/played-state.ts';
import { ScriptedRuns } from '../../server/scripted-runs.ts';

const pages = pagesFolder();
const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

const RUN = playedState(0).run;

interface Line {
  readonly port: number;
  cut(): void;
}

/** A workspace with its daemon, and a window. */
class Office {
  readonly runs: ScriptedRuns;
  readonly notes: string[] = [];
  readonly client: DaemonClient;
  readonly #token: string;
  starts = 0;
  server: DaemonServer | undefined;
  #line: Line | undefined;

  constructor(runs = new ScriptedRuns(), token = TOKEN) {
    this.runs = runs;
    this.#token = token;
    const world: World = {
      clock: systemClock,
      note: message => this.notes.push(message),
      find: async () => {
        if (this.#line === undefined) return undefined;
        const { port } = this.#line;
        return {
          pid: process.pid,
          ...{ place: 'lab', boot: 'monday', began: '' },
          port,
          token: this.#token,
          version: DAEMON_VERSION,
          startedAt: this.starts,
        };
      },
      start: ended => {
        this.starts += 1;
        this.open().catch((error: unknown) => ended(String(error)));
      },
      dial: (daemon, hearing) => new Connection(daemon, 'a test', hearing),
    };
    this.client = new DaemonClient(world);
    closings.push(() => this.client.dispose());
  }

  async open(): Promise<void> {
    this.server = await serve({ pages, runs: this.runs });
    this.#line = await line(this.server.port);
    closings.push(
      () => this.server?.close(),
      () => this.#line?.cut(),
    );
  }

  /** As it goes by itself: each client is told. */
  async leave(): Promise<void> {
    this.#line = undefined;
    await this.server?.close();
  }

  async crash(): Promise<void> {
    this.#line?.cut();
    this.#line = undefined;
    await this.server?.close();
  }
}

/** What a window keeps over a reload. */
function remembering(left?: Left) {
  let kept = left;
  return {
    get: () => kept,
    set: (now: Left | undefined): void => {
      kept = now;
    },
  };
}

/** What is known of the runs of an office; resolves with it once it is so. */
function watched(office: Office, keepTraining = false, memory = remembering()) {
  const { client } = office;
  const note = (): void => undefined;
  const runs = new Runs({ client, note, keepTraining: () => keepTraining, clock: systemClock, memory });
  closings.push(() => runs.dispose());
  const until = (which: () => boolean): Promise<void> =>
    new Promise(resolve => {
      const look = (): boolean => {
        if (which()) resolve();
        return which();
      };
      const listening = runs.onChange(() => look() && listening.dispose());
      if (look()) listening.dispose();
    });
  return { runs, until };
}

/** Between client and server, so that a connection can be cut as a crash cuts it: without a farewell. */
async function line(port: number): Promise<Line> {
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
  if (address === null || typeof address === 'string') throw new Error('The line has no port.');
  return {
    port: address.port,
    cut() {
      proxy.close();
      for (const socket of sockets) socket.resetAndDestroy();
    },
  };
}

test('it starts a daemon where there is none, and asks it', async () => {
  const office = new Office(new ScriptedRuns(playedState(60)));
  expect(await office.client.ask('runs.list', {})).toMatchObject([{ run: RUN, seconds: 60 }]);
  expect(office.starts).toBe(1);
});

test('it uses the one that is there', async () => {
  const office = new Office();
  await office.open();
  await Promise.all([office.client.ready(), office.client.ready()]);
  expect(office.starts).toBe(0);
  expect(office.server?.life).toMatchObject({ clients: 1 });
});

test('a refusal of the daemon is the error of who asked', async () => {
  const office = new Office();
  await expect(office.client.ask('run.stop', { run: 'no-such-run' })).rejects.toThrow(
    "There is no run 'no-such-run'",
  );
});

test('a token that is not the daemon’s is told, and not tried again', async () => {
  const office = new Office(undefined, 'another');
  await office.open();
  await expect(office.client.ready()).rejects.toThrow("The token is not this daemon's");
  expect(office.client.state.kind).toBe('failed');
});

test('what is known of runs keeps up with them, and stays when the daemon goes', async () => {
  const office = new Office(new ScriptedRuns(playedState(60)));
  const { runs, until } = watched(office);
  await office.client.ready();
  await until(() => runs.life !== undefined && runs.known.runs.length === 1);
  office.runs.show(playedState(120));
  await until(() => runs.known.states.get(RUN)?.seconds === 120);
  await office.server?.close();
  // It was stopped on purpose, so nothing is started anew.
  await until(() => office.client.state.kind === 'away');
  expect(runs.known.runs).toMatchObject([{ run: RUN, seconds: 120 }]);
  expect(runs.life).toBeUndefined();
  expect(office.starts).toBe(1);
});

test('after a crash the daemon is started again, and the run that it broke off goes on', async () => {
  const office = new Office(new ScriptedRuns(playedState(60)));
  const { runs, until } = watched(office);
  await office.client.ready();
  await until(() => runs.known.states.size === 1 && runs.life !== undefined);
  await office.crash();
  office.runs.show({ ...playedState(60), status: 'failed' });
  await until(() => office.runs.asked.includes(`resume ${RUN}`));
  expect(office.starts).toBe(2);
});

test('a run whose daemon went while the window was being reloaded goes on', async () => {
  const memory = remembering();
  const before = new Office(new ScriptedRuns(playedState(60)));
  const first = watched(before, false, memory);
  await before.client.ready();
  await first.until(() => memory.get()?.runs.includes(RUN) === true);
  first.runs.dispose();
  before.client.dispose();
  const after = new Office(new ScriptedRuns({ ...playedState(60), status: 'ended' }));
  after.starts = before.starts;
  watched(after, false, memory);
  await after.client.ready();
  await expect.poll(() => after.runs.asked).toEqual([`resume ${RUN}`]);
});

test('a run that its daemon takes leave of when the window comes back goes on with the next daemon', async () => {
  const memory = remembering({ runs: [RUN], daemon: 1, at: Date.now() });
  const office = new Office(new ScriptedRuns({ ...playedState(60), status: 'stopping' }));
  const { runs, until } = watched(office, false, memory);
  await office.client.ready();
  await until(() => runs.life !== undefined);
  office.runs.show({ ...playedState(60), status: 'ended' });
  await office.leave();
  await expect.poll(() => office.runs.asked, { timeout: 5000 }).toEqual([`resume ${RUN}`]);
  expect(office.starts).toBe(2);
});

test('a daemon that was stopped on purpose stays so, also right after a reload', async () => {
  const memory = remembering({ runs: [RUN], daemon: 1, at: Date.now() });
  const office = new Office(new ScriptedRuns(playedState(60)));
  const { runs, until } = watched(office, false, memory);
  await office.client.ready();
  await until(() => runs.life !== undefined);
  await office.leave();
  await expect.poll(() => office.client.state.kind).toBe('away');
  await new Promise(resolve => setTimeout(resolve, 300));
  expect([office.starts, office.client.state.kind]).toEqual([1, 'away']);
});

test('it goes on a moment later, where it cannot at once', async () => {
  const memory = remembering({ runs: [RUN], daemon: -1, at: Date.now() });
  const office = new Office(new ScriptedRuns({ ...playedState(60), status: 'stopping' }));
  watched(office, false, memory);
  await office.client.ready();
  await office.client.ask('runs.list', {});
  expect(office.runs.asked).toEqual([]);
  office.runs.show({ ...playedState(60), status: 'ended' });
  await expect.poll(() => office.runs.asked, { timeout: 5000 }).toEqual([`resume ${RUN}`]);
});

test('a run that was stopped stays so after a reload', async () => {
  const memory = remembering();
  const office = new Office(new ScriptedRuns(playedState(60)));
  const { until } = watched(office, false, memory);
  await office.client.ready();
  await until(() => memory.get()?.runs.includes(RUN) === true);
  office.runs.show({ ...playedState(60), status: 'ended' });
  await until(() => memory.get()?.runs.length === 0);
});

test('a run that was paused is left alone after a crash', async () => {
  const office = new Office(new ScriptedRuns(playedState(60, { status: 'paused' })));
  const { runs, until } = watched(office);
  await office.client.ready();
  await until(() => runs.known.states.size === 1 && runs.life !== undefined);
  await office.crash();
  office.runs.show({ ...playedState(60), status: 'failed' });
  await until(() => office.starts === 2 && runs.life !== undefined);
  expect(office.runs.asked).toEqual([]);
});

test('a user who wants training to go on without a window is heard', async () => {
  const office = new Office();
  const { runs, until } = watched(office, true);
  await office.client.ready();
  await until(() => runs.life?.keepTraining === true);
});
