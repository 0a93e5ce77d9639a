// The play server with real sockets: authentication, a task through the socket, and invalid input.

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seed } from '../../../runtime/core/ids.ts';
import { POCKET, solutionOf } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { CLOSE_CODE_REJECTED } from '../../../runtime/protocol/close-code.ts';
import { PLAY_RESULTS, PLAY_VERSION, type PlayMessage } from '../../../runtime/protocol/play.ts';
import type { PlayServer } from '../../../runtime/server/play/server.ts';
import { Client, type Headers, serve, TOKEN } from './client.ts';

let server: PlayServer;
beforeEach(async () => {
  server = await serve();
});
afterEach(() => server.close());

function get(
  path: string,
  headers: Headers = {},
  method = 'GET',
): Promise<IncomingMessage & { body: string }> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      path,
      method,
      headers: { ...headers },
    });
    asked.once('error', reject);
    asked.once('response', response => {
      let body = '';
      response.on('data', data => {
        body += data;
      });
      response.on('end', () => resolve(Object.assign(response, { body })));
    });
    asked.end();
  });
}

describe('over HTTP', () => {
  test.each([
    ['/', 'text/html', '<title>Dartboard</title>'],
    ['/play.js', 'text/javascript', ''],
    ['/play.css', 'text/css', ''],
    ['/icon.svg', 'image/svg+xml', '<svg'],
  ])('%s is served, and its policy allows connections to this server only', async (path, type, text) => {
    const { statusCode, headers, body } = await get(path);
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toContain(type);
    expect(body).toContain(text);
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`connect-src ws://127.0.0.1:${server.port}`);
    expect(policy).not.toContain('unsafe');
  });

  test.each([
    ['another path', '/../package.json', {}, 'GET', 404],
    ['a map', '/play.js.map', {}, 'GET', 404],
    ['another method', '/', {}, 'POST', 405],
    ['another host', '/', { Host: 'dartboard.example' }, 'GET', 421],
    ['a host whose name starts with ours', '/', { Host: '127.0.0.1.example:80' }, 'GET', 421],
    ['the address of the socket', '/play', {}, 'GET', 426],
  ])('%s is refused', async (_, path, headers, method, status) => {
    const { statusCode, body } = await get(path, headers, method);
    expect(statusCode).toBe(status);
    expect(body.trim()).toMatch(/\.$/);
  });

  test('the address contains the token where browsers do not send it', () => {
    expect(server.address).toBe(`http://127.0.0.1:${server.port}/#${TOKEN}`);
  });
});

describe('the socket', () => {
  test.each([
    ['of another page', { Origin: 'http://dartboard.example' }, '403'],
    ['of another server on this machine', { Origin: 'http://127.0.0.1:1' }, '403'],
    ['of a page without a name', { Origin: 'null' }, '403'],
    ['for another host', { Host: 'dartboard.example', Origin: 'http://dartboard.example' }, '421'],
  ])('%s is refused', async (_, headers, status) => {
    await expect(new Client(server.port, headers).open()).rejects.toThrow(status);
  });

  test('accepts a page that came through a forwarded port', async () => {
    const client = new Client(server.port, { Host: 'localhost:4000', Origin: 'http://localhost:4000' });
    await client.open();
    client.socket.close();
  });

  test.each([
    ['the wrong token', 'hello', { version: PLAY_VERSION, token: `${TOKEN}x`, client: 'c' }, 'unauthorized'],
    ['no hello', 'tasks', {}, 'unauthorized'],
    ['another version', 'hello', { version: PLAY_VERSION + 1, token: TOKEN }, 'version'],
  ])('is closed after %s, with the reason', async (_, method, params, code) => {
    const client = new Client(server.port);
    await client.open();
    expect(await client.ask(method, params)).toMatchObject({ error: { code } });
    expect(await client.closed).toEqual({ code: CLOSE_CODE_REJECTED, reason: code });
    expect(client.screens).toEqual([]);
  });

  test('accepts a page with the token', async () => {
    const client = await Client.enter(server.port);
    expect(client.messages).toEqual([{ id: 0, result: expect.objectContaining({ version: PLAY_VERSION }) }]);
  });
});

const tasksIn = (reply: PlayMessage) => {
  if (!('result' in reply)) throw new Error(`This is no result: ${JSON.stringify(reply)}`);
  return PLAY_RESULTS.tasks.parse(reply.result).tasks;
};

describe('a task through the socket', () => {
  const task = POCKET.task('settings-device-name', seed(3));

  test('is solved by the actions of its scripted solution', async () => {
    const client = await Client.enter(server.port);
    const started = await client.ask('start', { task: task.id, seed: 3 });
    expect(started).toMatchObject({
      result: { task: { id: task.id, seed: 3, instruction: task.instruction, split: 'train' } },
    });
    const { actions } = solutionOf(POCKET, task, seed(3));
    for (const [index, action] of actions.entries()) {
      expect(await client.ask('act', { action })).toMatchObject({ result: { steps: index + 1 } });
    }
    expect(client.screens.length).toBeGreaterThan(1);
    expect(await client.ask('judge', { ending: 'finished' })).toMatchObject({
      result: { success: true, score: 1, steps: actions.length, checks: [{ met: true }, { met: true }] },
    });
    expect(await client.ask('act', { action: { kind: 'wait' } })).toMatchObject({
      error: { code: 'failed' },
    });
  });

  test('a failed task is judged with the missing conditions in words', async () => {
    const client = await Client.enter(server.port);
    await client.ask('start', { task: 'settings-night-light', seed: 0 });
    const judged = await client.ask('judge', { ending: 'finished' });
    expect(judged).toMatchObject({ result: { success: false, score: 0 } });
    expect(JSON.stringify(judged)).toMatch(/Night light in Settings should be (on|off), and is (on|off)\./);
  });

  test('an infeasible task is solved by reporting it', async () => {
    const client = await Client.enter(server.port);
    await client.ask('start', { task: 'settings-infeasible' });
    expect(await client.ask('judge', { ending: 'fail' })).toMatchObject({
      result: { success: true },
    });
  });

  test('tasks are listed by tier and split', async () => {
    const client = await Client.enter(server.port);
    const all = await client.ask('tasks');
    const some = await client.ask('tasks', { tier: 1, split: 'test' });
    const [every, chosen] = [tasksIn(all), tasksIn(some)];
    expect(chosen.map(({ id }) => id)).toContain('settings-theme');
    expect(chosen).toEqual(every.filter(({ tier, splits }) => tier === 1 && splits.includes('test')));
  });

  test('a start without a seed draws an instance of the split', async () => {
    const client = await Client.enter(server.port);
    const drawn = await client.ask('start', { task: 'settings-theme', split: 'test' });
    expect(drawn).toMatchObject({ result: { task: { split: 'test' } } });
  });
});

describe('invalid input gets an error that names the field, and the desktop continues', () => {
  test.each([
    ['act', { action: { kind: 'click', at: { x: 320, y: 1 } } }, 'params.action.at'],
    ['act', { action: { kind: 'click', at: { x: 'left', y: 1 } } }, 'params.action.at.x'],
    ['act', { action: { kind: 'fly' } }, 'params.action.kind'],
    ['act', { action: { kind: 'finished', answer: '' } }, 'params.action.kind'],
    ['act', { action: { kind: 'hotkey', keys: ['ctrl', 'any'] } }, 'params.action.keys.1'],
    ['act', { action: { kind: 'type', text: '\u0000' } }, 'params.action.text'],
    ['act', { action: { kind: 'wait', long: true } }, 'params.action.long'],
    ['start', { task: 'settings-nothing' }, 'params.task'],
    ['start', { task: 'settings-theme', split: 'unseen' }, 'params.split'],
    ['start', { task: 'settings-theme', seed: 1.5 }, 'params.seed'],
    ['dance', {}, 'method'],
  ])('%s %j', async (method, params, field) => {
    const client = await Client.enter(server.port);
    await client.ask('start', { task: 'settings-night-light', seed: 0 });
    const refused = await client.ask(method, params);
    expect(refused).toMatchObject({
      error: { code: 'bad_request', field, message: expect.stringMatching(/\w/) },
    });
    const action = { kind: 'click', at: { x: 5, y: 5 } };
    expect(await client.ask('act', { action })).toMatchObject({ result: { steps: 1 } });
  });

  test('text that is no JSON, or a binary message', async () => {
    const client = await Client.enter(server.port);
    client.socket.send('{');
    client.socket.send(new Uint8Array(3));
    await client.ask('free');
    const errors = client.messages.filter(each => 'error' in each);
    expect(errors).toMatchObject([{ id: null }, { id: null }]);
  });

  test('requests that are impossible at present', async () => {
    const client = await Client.enter(server.port);
    const act = () => client.ask('act', { action: { kind: 'wait' } });
    expect(await act()).toMatchObject({ error: { code: 'failed' } });
    await client.ask('free');
    expect(await act()).toMatchObject({ result: { steps: 1 } });
    expect(await client.ask('judge', { ending: 'finished' })).toMatchObject({ error: { code: 'failed' } });
  });

  test('a message that is far too long ends only its connection', async () => {
    const client = await Client.enter(server.port);
    client.socket.send('x'.repeat(100_000));
    expect(await client.closed).toMatchObject({ code: 1009 });
    await Client.enter(server.port);
  });
});

test('a screen is sent only when it changed', async () => {
  const client = await Client.enter(server.port);
  await client.ask('start', { task: 'settings-night-light', seed: 0 });
  expect(client.screens).toHaveLength(1);
  expect(await client.ask('act', { action: { kind: 'wait' } })).toMatchObject({ result: { changed: false } });
  expect(client.screens).toHaveLength(1);
  const action = { kind: 'click', at: { x: 20, y: 232 } };
  expect(await client.ask('act', { action })).toMatchObject({ result: { changed: true } });
  expect(client.screens).toHaveLength(2);
});

test('two pages do not disturb each other', async () => {
  const [one, other] = [await Client.enter(server.port), await Client.enter(server.port)];
  await one.ask('start', { task: 'settings-theme', seed: 1 });
  await other.ask('start', { task: 'settings-night-light', seed: 1 });
  const { actions } = solutionOf(POCKET, POCKET.task('settings-theme', seed(1)), seed(1));
  for (const action of actions) await one.ask('act', { action });
  expect(other.screens).toHaveLength(1);
  other.socket.terminate();
  await other.closed;
  expect(await one.ask('judge', { ending: 'finished' })).toMatchObject({
    result: { success: true },
  });
});

test('closing disconnects all pages and leaves nothing open', async () => {
  const client = await Client.enter(server.port);
  const silent = new Client(server.port);
  await silent.open();
  await server.close();
  expect(await client.closed).toMatchObject({ code: 1001 });
  expect(await silent.closed).toMatchObject({ code: 1001 });
  await expect(get('/')).rejects.toThrow('ECONNREFUSED');
});
