// The daemon's server with real sockets: authentication, one reply to each request, and failures as replies.

import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Config } from '../../runtime/config/config.ts';
import { MAX_FAILED_TOKENS } from '../../runtime/core/failed-tokens.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { CLOSE_CODE_REJECTED } from '../../runtime/protocol/close-code.ts';
import { DAEMON_RESULTS, DAEMON_VERSION } from '../../runtime/protocol/daemon/messages.ts';
import { RunInPoolError } from '../../runtime/run/folders/run-folder.ts';
import { type DaemonServer, startServer } from '../../runtime/server/server.ts';
import { sendRaw } from '../hosts/opened-server.ts';
import { Client, pagesFolder, serve, TOKEN } from './client.ts';
import { playedState } from './played-state.ts';
import { ScriptedRuns } from './scripted-runs.ts';

const pages = pagesFolder();
const RUN = playedState(600).run;
let runs: ScriptedRuns;
let server: DaemonServer;

beforeEach(async () => {
  runs = new ScriptedRuns(playedState(600));
  server = await serve({ pages, runs });
});
afterEach(() => server.close());

const status = (path: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = httpRequest({ host: '127.0.0.1', port: server.port, path, headers: { ...headers } });
    asked.once('error', reject);
    asked.once('response', response => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.end();
  });

describe('over HTTP', () => {
  test.each([
    ['the page', '/', {}, 200],
    ['its script', '/panels.js', {}, 200],
    ['another page', '/play.js', {}, 404],
    ['the socket', '/daemon', {}, 426],
    ['another host', '/', { Host: 'dartboard.example' }, 421],
  ])('%s is answered', async (_, path, headers, expected) => {
    expect(await status(path, headers)).toBe(expected);
  });
});

test.each([
  ['no HTTP', 'hello\r\n\r\n', '400'],
  ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', '421'],
  ['headers without end', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
  [
    'a WebSocket without a key',
    'GET /daemon HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    '400',
  ],
])('bytes with %s are refused with a reason', async (_, sent, code) => {
  const received = await sendRaw(server.port, sent);
  expect(received).toMatch(new RegExp(`^HTTP/1.1 ${code} `));
  expect(received.split('\r\n\r\n')[1]).toMatch(/\. .+\.\n$/);
});

test('wrong tokens beyond the limit get no reply, and the right one is always accepted', async () => {
  const stopped = await serve({ pages, runs, clock: new VirtualClock() });
  const hello = async (token: string) => {
    const client = new Client(stopped.port);
    await client.open();
    client.socket.send(
      JSON.stringify({ id: 0, method: 'hello', params: { version: DAEMON_VERSION, token, client: 'c' } }),
    );
    return client;
  };
  const rejected = Array.from(
    { length: MAX_FAILED_TOKENS + 1 },
    async () => (await (await hello('x')).closed).code,
  );
  expect((await Promise.all(rejected)).filter(code => code !== CLOSE_CODE_REJECTED)).toEqual([1006]);
  const client = new Client(stopped.port);
  await client.open();
  expect(await client.ask('hello', { version: DAEMON_VERSION, token: TOKEN, client: 'c' })).toHaveProperty(
    'result',
  );
  await stopped.close();
});

describe('the socket', () => {
  test.each([
    ['of another page', { Origin: 'http://dartboard.example' }, '403'],
    ['of another server on this machine', { Origin: 'http://127.0.0.1:1' }, '403'],
    ['of a page without a name', { Origin: 'null' }, '403'],
    ['for another host', { Host: 'dartboard.example' }, '421'],
  ])('%s is refused', async (_, headers, expected) => {
    await expect(new Client(server.port, headers).open()).rejects.toThrow(expected);
  });

  test.each([
    [
      'the wrong token',
      'hello',
      { version: DAEMON_VERSION, token: `${TOKEN}x`, client: 'c' },
      'unauthorized',
    ],
    ['no hello', 'runs.list', {}, 'unauthorized'],
    ['another version', 'hello', { version: 7, token: TOKEN, client: 'c' }, 'version'],
    ['another version that looks different', 'hello', { version: 7, key: TOKEN }, 'version'],
  ])('is closed after %s, with the reason', async (_, method, params, code) => {
    const client = new Client(server.port);
    await client.open();
    expect(await client.fail(method, params)).toMatchObject({ code });
    expect(await client.closed).toEqual({ code: CLOSE_CODE_REJECTED, reason: code });
  });

  test('an error about the version names both versions', async () => {
    const client = new Client(server.port);
    await client.open();
    const { message } = await client.fail('hello', { version: 7, token: TOKEN, client: 'c' });
    expect(message).toContain('version 7');
    expect(message).toContain(`version ${DAEMON_VERSION}`);
  });

  test('offers no choice of its lifetime while a terminal trains', async () => {
    const terminal = await serve({ pages, runs, keepTraining: 'always' });
    try {
      const client = await Client.enter(terminal.port);
      const welcome = client.messages.find(each => 'result' in each);
      const { methods } = DAEMON_RESULTS.hello.parse(welcome?.result);
      expect(methods).not.toContain('daemon.keepTraining');
    } finally {
      await terminal.close();
    }
  });

  test('accepts pages and local programs, and lists its methods', async () => {
    for (const headers of [{ Origin: `http://127.0.0.1:${server.port}` }, {}]) {
      const client = new Client(server.port, headers);
      await client.open();
      const reply = await client.ask('hello', { version: DAEMON_VERSION, token: TOKEN, client: 'c' });
      expect(reply).toMatchObject({
        result: { version: DAEMON_VERSION, methods: expect.arrayContaining(Object.keys(DAEMON_RESULTS)) },
      });
    }
  });

  test('closes a client that sends no hello', async () => {
    const clock = new VirtualClock();
    const patient = await serve({ pages, runs, clock });
    const silent = new Client(patient.port);
    await silent.open();
    await clock.run(10_000);
    expect(await silent.closed).toMatchObject({ code: CLOSE_CODE_REJECTED });
    await patient.close();
  });

  test('a second hello does not help a rejected client', async () => {
    const client = new Client(server.port);
    await client.open();
    for (const token of ['wrong', TOKEN])
      client.socket.send(
        JSON.stringify({ id: 0, method: 'hello', params: { version: DAEMON_VERSION, token, client: 'c' } }),
      );
    await client.closed;
    expect(client.messages).toHaveLength(1);
  });
});

describe('every request has exactly one reply', () => {
  test.each([
    ['runs.list', {}, [expect.objectContaining({ run: RUN, canResume: false })]],
    ['run.state', { run: RUN }, expect.objectContaining({ run: RUN, status: 'running' })],
    ['run.pause', { run: RUN }, {}],
    ['run.stop', { run: RUN }, {}],
    ['subscribe', { what: 'runs' }, {}],
    ['unsubscribe', { what: { run: 'another' } }, {}],
    ['daemon.life', {}, expect.objectContaining({ doing: 'serving', clients: 1, trainings: [RUN] })],
    ['daemon.keepTraining', { keep: true }, expect.objectContaining({ keepTraining: true })],
  ])('%s', async (method, params, result) => {
    const client = await Client.enter(server.port);
    const reply = await client.ask(method, params);
    expect(reply).toMatchObject({ result });
    await client.ask('daemon.life');
    expect(
      client.messages.filter(each => 'id' in each && 'id' in reply && each.id === reply.id),
    ).toHaveLength(1);
  });

  test('requests reach the runs with their parameters', async () => {
    const client = await Client.enter(server.port);
    await client.ask('run.pause', { run: RUN });
    await client.ask('run.continue', { run: RUN });
    await client.ask('run.stop', { run: RUN });
    await client.ask('run.resume', { run: RUN, seconds: 900 });
    await client.ask('run.stop', { run: RUN });
    await client.ask('run.delete', { run: RUN });
    expect(runs.asked).toEqual([
      `pause ${RUN}`,
      `continue ${RUN}`,
      `stop ${RUN}`,
      `resume ${RUN} 900`,
      `stop ${RUN}`,
      `delete ${RUN}`,
    ]);
  });

  test('hosts can be drained, and the address for joining can be replaced', async () => {
    const client = await Client.enter(server.port);
    expect(await client.ask('host.drain', { run: RUN, host: 'tower' })).toMatchObject({ result: {} });
    expect(runs.asked).toEqual([`drain ${RUN} tower`]);
    const addressBy = async (method: 'host.address' | 'host.newAddress') => {
      const reply = await client.ask(method, { run: RUN });
      return 'result' in reply ? DAEMON_RESULTS[method].parse(reply.result).address : undefined;
    };
    const first = await addressBy('host.address');
    const second = await addressBy('host.newAddress');
    expect(second).not.toBe(first);
    expect(await addressBy('host.address')).toBe(second);
  });

  test('a configuration is validated before anything starts', async () => {
    const client = await Client.enter(server.port);
    const failure = await client.fail('run.start', { config: { warp: 9 } });
    expect(failure).toMatchObject({ code: 'bad_request', field: 'params.config' });
    expect(failure.message).toContain("'warp'");
    expect(runs.asked).toEqual([]);
  });

  test('the reply to a start names the run', async () => {
    // The scripted runs do not look into a configuration.
    const config: Config = Object.create(null);
    const other = await startServer({
      pages,
      runs,
      port: 0,
      token: TOKEN,
      clock: new VirtualClock(),
      keepTraining: false,
      parseConfig: () => config,
    });
    const client = await Client.enter(other.port);
    expect(await client.ask('run.start', { config: {} })).toMatchObject({ result: { run: 'run-2' } });
    await client.ask('run.start', { config: {}, from: 'base' });
    expect(runs.asked).toEqual(['start run-2', 'start run-3 from base']);
    client.socket.close();
    await client.closed;
    await other.close();
  });
});

describe('a failure is a reply, and the connection continues', () => {
  test.each([
    ['run.pause', { run: 'nothing' }, 'not_found', 'params.run'],
    ['subscribe', { what: { run: 'nothing' } }, 'not_found', 'params.run'],
    ['run.pause', { run: '../etc' }, 'bad_request', 'params.run'],
    ['run.pause', {}, 'bad_request', 'params.run'],
    ['run.start', { config: {}, from: '/etc/passwd' }, 'bad_request', 'params.from'],
    ['host.drain', { run: RUN, host: '' }, 'bad_request', 'params.host'],
    ['host.address', { run: 'nothing' }, 'not_found', 'params.run'],
    ['run.pause', { run: RUN, now: true }, 'bad_request', 'params.now'],
    ['trajectory.get', { trajectory: '/' }, 'bad_request', 'params.trajectory'],
    ['run.resume', { run: RUN, seconds: -1 }, 'bad_request', 'params.seconds'],
    ['run.resume', { run: RUN, seconds: 60 * 10_081 }, 'bad_request', 'params.seconds'],
    ['run.dance', {}, 'bad_request', 'method'],
    ['run.delete', { run: RUN }, 'failed', undefined],
    ['run.continue', { run: RUN }, 'failed', undefined],
    ['hello', { version: DAEMON_VERSION, token: TOKEN, client: 'c' }, 'bad_request', undefined],
  ])('%s %j', async (method, params, code, field) => {
    const client = await Client.enter(server.port);
    const failure = await client.fail(method, params);
    expect(failure.code).toBe(code);
    expect(failure.field).toBe(field);
    expect(failure.message).toMatch(/\w/);
    expect(await client.ask('run.state', { run: RUN })).toHaveProperty('result');
  });

  test('the deletion of a run with members of the success pool has a code of its own', async () => {
    runs.delete = async () => {
      throw new RunInPoolError('The success pool contains 2 of its trajectories.');
    };
    const client = await Client.enter(server.port);
    expect(await client.fail('run.delete', { run: RUN })).toMatchObject({ code: 'in_pool' });
  });

  test('text that is no JSON, or a binary message', async () => {
    const client = await Client.enter(server.port);
    client.socket.send('{');
    client.socket.send(new Uint8Array(3));
    await client.ask('daemon.life');
    expect(client.messages.filter(each => 'error' in each)).toMatchObject([{ id: null }, { id: null }]);
  });

  test('a deeply nested message is rejected before anything reads it', async () => {
    const client = await Client.enter(server.port);
    client.socket.send(
      `{"id":9,"method":"run.start","params":{"config":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    );
    await client.ask('daemon.life');
    expect(client.messages.find(each => 'error' in each)).toMatchObject({
      error: { code: 'bad_request', message: expect.stringContaining('nested more than 100 levels') },
    });
  });

  test('more concurrent requests than the limit', async () => {
    const client = await Client.enter(server.port);
    let finish: () => void = () => undefined;
    const held = new Promise<void>(resolve => {
      finish = resolve;
    });
    runs.pause = () => held;
    const asked = Array.from({ length: 72 }, () => client.ask('run.pause', { run: RUN }));
    const busy = () => client.messages.filter(each => 'error' in each && each.error.code === 'busy');
    await client.until(() => (busy().length === 8 ? true : undefined));
    finish();
    expect((await Promise.all(asked)).filter(each => 'result' in each)).toHaveLength(64);
  });
});

test('closing disconnects all clients and leaves nothing open', async () => {
  const client = await Client.enter(server.port);
  const silent = new Client(server.port);
  await silent.open();
  await server.close();
  expect(await client.closed).toMatchObject({ code: 1001 });
  expect(await silent.closed).toMatchObject({ code: 1001 });
  expect(runs.listeners).toBe(0);
  await expect(status('/', {})).rejects.toThrow('ECONNREFUSED');
});
