// The server with real sockets: who is let in, a task through the wire, and bad input.

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seed } from '../../../runtime/core/ids.ts';
import { POCKET, solutionOf } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { CLOSE_CODE_REJECTED } from '../../../runtime/protocol/close-code.ts';
import { PLAY_VERSION } from '../../../runtime/protocol/play.ts';
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
  ])('%s is served, and may reach nothing but this server', async (path, type, text) => {
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
    ['a host that only begins like ours', '/', { Host: '127.0.0.1.example:80' }, 'GET', 421],
    ['the address of the socket', '/play', {}, 'GET', 426],
  ])('%s is refused', async (_, path, headers, method, status) => {
    const { statusCode, body } = await get(path, headers, method);
    expect(statusCode).toBe(status);
    expect(body.trim()).toMatch(/\.$/);
  });

  test('the address holds the token where no server is told of it', () => {
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

  test('is open to a page that came through a forwarded port', async () => {
    const client = new Client(server.port, { Host: 'localhost:4000', Origin: 'http://localhost:4000' });
    await client.open();
    client.socket.close();
  });

  test.each([
    ['the wrong token', { call: 'hello', version: PLAY_VERSION, token: `${TOKEN}x` }, 'unauthorized'],
    ['no hello', { call: 'tasks' }, 'unauthorized'],
    ['another version', { call: 'hello', version: PLAY_VERSION + 1, token: TOKEN }, 'version'],
  ])('is closed after %s, with the reason', async (_, first, code) => {
    const client = new Client(server.port);
    await client.open();
    expect(await client.ask(first)).toMatchObject({ kind: 'error', code });
    expect(await client.closed).toEqual({ code: CLOSE_CODE_REJECTED, reason: code });
    expect(client.screens).toEqual([]);
  });

  test('is open to who knows the token', async () => {
    const client = await Client.enter(server.port);
    expect(client.messages).toEqual([expect.objectContaining({ kind: 'welcome', version: PLAY_VERSION })]);
  });
});

describe('a task through the wire', () => {
  const task = POCKET.task('settings-device-name', seed(3));

  test('is solved by the actions of its scripted solution', async () => {
    const client = await Client.enter(server.port);
    const started = await client.ask({ call: 'start', task: task.id, seed: 3 });
    expect(started).toMatchObject({
      task: { id: task.id, seed: 3, instruction: task.instruction, split: 'train' },
    });
    const { actions } = solutionOf(POCKET, task, seed(3));
    for (const [index, action] of actions.entries()) {
      expect(await client.ask({ call: 'act', action })).toMatchObject({ kind: 'acted', steps: index + 1 });
    }
    expect(client.screens.length).toBeGreaterThan(1);
    expect(await client.ask({ call: 'judge', ending: 'finished' })).toMatchObject({
      judgement: { success: true, score: 1, steps: actions.length, checks: [{ met: true }, { met: true }] },
    });
    expect(await client.ask({ call: 'act', action: { kind: 'wait' } })).toMatchObject({ code: 'not_now' });
  });

  test('says in words what is missing', async () => {
    const client = await Client.enter(server.port);
    await client.ask({ call: 'start', task: 'settings-night-light', seed: 0 });
    const judged = await client.ask({ call: 'judge', ending: 'finished' });
    expect(judged).toMatchObject({ judgement: { success: false, score: 0 } });
    expect(JSON.stringify(judged)).toMatch(/Night light in Settings should be (on|off), and is (on|off)\./);
  });

  test('that cannot be done is solved by saying so', async () => {
    const client = await Client.enter(server.port);
    await client.ask({ call: 'start', task: 'settings-infeasible' });
    expect(await client.ask({ call: 'judge', ending: 'fail' })).toMatchObject({
      judgement: { success: true },
    });
  });

  test('is one of the list, by tier and split', async () => {
    const client = await Client.enter(server.port);
    const all = await client.ask({ call: 'tasks' });
    const some = await client.ask({ call: 'tasks', tier: 1, split: 'test' });
    if (all.kind !== 'tasks' || some.kind !== 'tasks') throw new Error('These are no tasks.');
    expect(some.tasks.map(({ id }) => id)).toContain('settings-theme');
    expect(some.tasks).toEqual(all.tasks.filter(({ tier, splits }) => tier === 1 && splits.includes('test')));
  });

  test('without a seed is an instance of the split', async () => {
    const client = await Client.enter(server.port);
    const drawn = await client.ask({ call: 'start', task: 'settings-theme', split: 'test' });
    expect(drawn).toMatchObject({ task: { split: 'test' } });
  });
});

describe('bad input gets an error that names the field, and the desktop goes on', () => {
  test.each([
    [{ call: 'act', action: { kind: 'click', at: { x: 320, y: 1 } } }, 'action.at'],
    [{ call: 'act', action: { kind: 'click', at: { x: 'left', y: 1 } } }, 'action.at.x'],
    [{ call: 'act', action: { kind: 'fly' } }, 'action.kind'],
    [{ call: 'act', action: { kind: 'finished', answer: '' } }, 'action.kind'],
    [{ call: 'act', action: { kind: 'hotkey', keys: ['ctrl', 'any'] } }, 'action.keys.1'],
    [{ call: 'act', action: { kind: 'type', text: '\u0000' } }, 'action.text'],
    [{ call: 'act', action: { kind: 'wait', long: true } }, 'action.long'],
    [{ call: 'start', task: 'settings-nothing' }, 'task'],
    [{ call: 'start', task: 'settings-theme', split: 'unseen' }, 'split'],
    [{ call: 'start', task: 'settings-theme', seed: 1.5 }, 'seed'],
    [{ call: 'dance' }, 'call'],
  ])('%j', async (asked, field) => {
    const client = await Client.enter(server.port);
    await client.ask({ call: 'start', task: 'settings-night-light', seed: 0 });
    const refused = await client.ask(asked);
    expect(refused).toMatchObject({ kind: 'error', code: 'bad_request', field });
    expect('message' in refused ? refused.message : '').toMatch(/\w/);
    const action = { kind: 'click', at: { x: 5, y: 5 } };
    expect(await client.ask({ call: 'act', action })).toMatchObject({ kind: 'acted', steps: 1 });
  });

  test('what is no JSON, or binary', async () => {
    const client = await Client.enter(server.port);
    client.socket.send('{');
    client.socket.send(new Uint8Array(3));
    await client.ask({ call: 'free' });
    const errors = client.messages.filter(each => each.kind === 'error');
    expect(errors).toMatchObject([{ id: null }, { id: null }]);
  });

  test('what cannot be done now', async () => {
    const client = await Client.enter(server.port);
    const act = { call: 'act', action: { kind: 'wait' } };
    expect(await client.ask(act)).toMatchObject({ code: 'not_now' });
    await client.ask({ call: 'free' });
    expect(await client.ask(act)).toMatchObject({ kind: 'acted' });
    expect(await client.ask({ call: 'judge', ending: 'finished' })).toMatchObject({ code: 'not_now' });
  });

  test('what is far too long ends the connection, and only that', async () => {
    const client = await Client.enter(server.port);
    client.socket.send('x'.repeat(100_000));
    expect(await client.closed).toMatchObject({ code: 1009 });
    await Client.enter(server.port);
  });
});

test('a screen comes only when something changed', async () => {
  const client = await Client.enter(server.port);
  await client.ask({ call: 'start', task: 'settings-night-light', seed: 0 });
  expect(client.screens).toHaveLength(1);
  expect(await client.ask({ call: 'act', action: { kind: 'wait' } })).toMatchObject({ changed: false });
  expect(client.screens).toHaveLength(1);
  const action = { kind: 'click', at: { x: 20, y: 232 } };
  expect(await client.ask({ call: 'act', action })).toMatchObject({ changed: true });
  expect(client.screens).toHaveLength(2);
});

test('two pages do not disturb each other', async () => {
  const [one, other] = [await Client.enter(server.port), await Client.enter(server.port)];
  await one.ask({ call: 'start', task: 'settings-theme', seed: 1 });
  await other.ask({ call: 'start', task: 'settings-night-light', seed: 1 });
  const { actions } = solutionOf(POCKET, POCKET.task('settings-theme', seed(1)), seed(1));
  for (const action of actions) await one.ask({ call: 'act', action });
  expect(other.screens).toHaveLength(1);
  other.socket.terminate();
  await other.closed;
  expect(await one.ask({ call: 'judge', ending: 'finished' })).toMatchObject({
    judgement: { success: true },
  });
});

test('closing sends everybody away and leaves nothing open', async () => {
  const client = await Client.enter(server.port);
  const silent = new Client(server.port);
  await silent.open();
  await server.close();
  expect(await client.closed).toMatchObject({ code: 1001 });
  expect(await silent.closed).toMatchObject({ code: 1001 });
  await expect(get('/')).rejects.toThrow('ECONNREFUSED');
});
