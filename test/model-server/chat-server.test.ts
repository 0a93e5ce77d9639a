// The chat protocol over HTTP: routes, keys, streams, and errors in the shape that clients of the protocol expect.

import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { badRequest } from '../../runtime/model-server/api-error.ts';
import type { ChatBackend } from '../../runtime/model-server/backend.ts';
import type { ChatCompletionRequest } from '../../runtime/model-server/chat-request.ts';
import { type ChatServer, startChatServer } from '../../runtime/model-server/chat-server.ts';
import { PATIENCE } from '../patience.ts';

const KEY = 'a-key-for-the-tests';

class EchoBackend implements ChatBackend {
  readonly requests: ChatCompletionRequest[] = [];
  failure: Error | undefined;
  /** Replies wait for it. */
  pause: Promise<void> | undefined;

  async models() {
    return [{ id: 'echo', created: 5 }];
  }

  async complete(request: ChatCompletionRequest) {
    this.requests.push(request);
    await this.pause;
    if (this.failure !== undefined) throw this.failure;
    const token = (text: string, p: number) => ({
      ...{ text, logProbability: Math.log(p) },
      alternatives: [{ text, logProbability: Math.log(p) }],
    });
    const tokens = [token('Action: ', 1), token('wait', 0.5), token('()', 0.25)];
    return { model: 'echo', fingerprint: 'fp_1', tokens, promptTokens: 7 };
  }
}

let backend: EchoBackend;
let server: ChatServer;
const notices: string[] = [];

beforeEach(async () => {
  backend = new EchoBackend();
  notices.length = 0;
  server = await startChatServer({
    ...{ backend, port: 0, key: KEY, clock: systemClock, newId: () => 'id1' },
    notice: text => notices.push(text),
  });
});
afterEach(() => server.close());

const send = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...init.headers },
  });

const chat = (fields: object = {}) =>
  send('/chat/completions', {
    method: 'POST',
    body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'hi' }], ...fields }),
  });

describe('a reply', () => {
  test('has the text, its tokens with log-probabilities, and the usage', async () => {
    const reply = await (await chat({ logprobs: true, top_logprobs: 1 })).json();
    expect(reply).toMatchObject({
      ...{ id: 'chatcmpl-id1', object: 'chat.completion', model: 'echo', system_fingerprint: 'fp_1' },
      choices: [{ message: { role: 'assistant', content: 'Action: wait()' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    });
    const { content } = reply.choices[0].logprobs;
    expect(content.map((each: { token: string }) => each.token).join('')).toBe('Action: wait()');
    expect(content[1]).toMatchObject({ logprob: Math.log(0.5), top_logprobs: [{ token: 'wait' }] });
  });

  test('ends at the token limit', async () => {
    const reply = await (await chat({ max_tokens: 2 })).json();
    expect(reply.choices[0]).toMatchObject({ message: { content: 'Action: wait' }, finish_reason: 'length' });
  });

  test('names fields that it ignores', async () => {
    const reply = await (await chat({ presence_penalty: 1, top_p: 1, user: 'ada' })).json();
    expect(reply.dartboard.ignored).toEqual(['presence_penalty', 'user']);
  });

  test('names an ignored field with the name of an inherited one', async () => {
    const reply = await (await chat({ constructor: 1 })).json();
    expect(reply.dartboard.ignored).toEqual(['constructor']);
  });

  test('can be a stream, which spells the same text', async () => {
    const response = await chat({ stream: true, stream_options: { include_usage: true } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = (await response.text()).split('\n\n').filter(Boolean);
    expect(events.at(-1)).toBe('data: [DONE]');
    const chunks = events.slice(0, -1).map(each => JSON.parse(each.replace('data: ', '')));
    const pieces = chunks.flatMap(({ choices }) =>
      choices.map((each: { delta: { content?: string } }) => each.delta),
    );
    expect(pieces.map(({ content = '' }) => content).join('')).toBe('Action: wait()');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 10 } });
  });
});

test('a seed of 64 bits is wrapped to 32, the same each time', async () => {
  for (let time = 0; time < 2; time++) expect((await chat({ seed: 2 ** 60 + 4096 })).status).toBe(200);
  expect(backend.requests.map(({ seed }) => seed)).toEqual([4096, 4096]);
});

test('the models are listed, and found by name', async () => {
  expect(await (await send('/models')).json()).toMatchObject({ object: 'list', data: [{ id: 'echo' }] });
  expect(await (await send('/models/echo')).json()).toMatchObject({ id: 'echo', object: 'model' });
  expect((await send('/models/other')).status).toBe(404);
});

describe('a request is refused', () => {
  test.each([
    ['without a key', {}, 401],
    ['with a wrong key', { authorization: 'Bearer wrong' }, 401],
    ['from a page of another site', { authorization: `Bearer ${KEY}`, origin: 'http://evil.example' }, 403],
  ])('%s, and its body is not read', async (_, headers, status) => {
    const response = await fetch(`${server.url}/chat/completions`, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(status);
    expect((await response.json()).error.message).not.toBe('');
    expect(backend.requests).toEqual([]);
  });

  test.each([
    ['not JSON', '{', 400, null],
    ['no messages', '{"model":"echo","messages":[]}', 400, 'messages'],
    ['a seed with a fraction', '{"model":"echo","messages":[{"role":"user"}],"seed":0.5}', 400, 'seed'],
    ['several replies', '{"model":"echo","messages":[{"role":"user","content":""}],"n":2}', 400, 'n'],
  ])('for %s, with the field in the error', async (_, body, status, param) => {
    const response = await send('/chat/completions', { method: 'POST', body });
    expect(response.status).toBe(status);
    expect((await response.json()).error).toMatchObject({ type: 'invalid_request_error', param });
  });

  test('by another method or path', async () => {
    expect((await send('/chat/completions')).status).toBe(405);
    expect((await send('/embeddings', { method: 'POST', body: '{}' })).status).toBe(404);
  });
});

test('a fault of the request goes to the client, a failure of the server also to the notices', async () => {
  backend.failure = badRequest('messages', 'No screen. Send an image.');
  expect((await chat()).status).toBe(400);
  expect(notices).toEqual([]);
  backend.failure = new Error('out of memory');
  const response = await chat();
  expect(response.status).toBe(500);
  expect((await response.json()).error.type).toBe('server_error');
  expect(notices).toEqual(['Request id1 failed: out of memory']);
});

test('a client that leaves in the middle of its upload is no failure of the server', async () => {
  const leaving = request(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, expect: '100-continue', 'content-length': 100 },
  });
  leaving.flushHeaders();
  // The server has begun to read the body.
  await once(leaving, 'continue');
  leaving.on('error', () => undefined);
  leaving.write('{"model":');
  leaving.destroy();
  // It waits for the requests in progress.
  await server.close();
  expect(notices).toEqual([]);
});

test('chats that wait take the places of other chats alone', async () => {
  let resume = (): void => undefined;
  backend.pause = new Promise<void>(resolve => {
    resume = resolve;
  });
  const waiting = Array.from({ length: 64 }, () => chat());
  await vi.waitUntil(() => backend.requests.length === 64, PATIENCE);
  expect((await chat()).status).toBe(429);
  expect((await send('/models')).status).toBe(200);
  resume();
  for (const each of waiting) expect((await each).status).toBe(200);
  expect((await chat()).status).toBe(200);
});
