// What a client makes of each status and body that a server sends, in place of a readable reply.

import { expect, test } from 'vitest';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { EndpointClient } from '../../runtime/endpoints/client.ts';
import { ApiKey } from '../../runtime/endpoints/keys.ts';

const clientOf = (status: number, body: string, headers = {}): EndpointClient =>
  new EndpointClient({
    ...{ name: 'lab', url: 'http://lab:8000/v1/', timeoutMs: 60_000, clock: new VirtualClock() },
    transport: { send: async () => ({ status, body, headers }), close: () => undefined },
    key: new ApiKey('sk-secret-0123'),
  });

const chat = (client: EndpointClient) => client.chat(['{}'], new AbortController().signal);

/** As the server of llama-cpp-python reports a rejected field. */
const REJECTED = `1 validation error:\n  {'type': 'greater_than_equal', 'loc': ('body', 'top_k')}`;

test.each([
  [401, '{"detail":"Invalid API key"}', 'unauthorized', 'status 401: Invalid API key. Correct the key'],
  [402, '{"error":{"message":"Insufficient credits"}}', 'unauthorized', 'or the account that it belongs to.'],
  [403, '', 'unauthorized', 'status 403: no text.'],
  [404, '{"detail":"Not Found"}', 'no-such-model', "status 404: Not Found. Correct 'model'"],
  [408, 'late', 'timeout', 'status 408: late. Read the log of the server.'],
  [429, '{"error":"slow down"}', 'rate-limited', "Lower 'limits.concurrency'"],
  [400, '{"error":{"message":"no such field"}}', 'bad-request', 'status 400: no such field. Run'],
  [422, '{"detail":[{"msg":"too small"}]}', 'bad-request', 'status 422: too small.'],
  [500, '{"error":{"message":"out of memory"}}', 'server-error', 'status 500: out of memory. Read the log'],
  [503, '{"error":{"message":"Loading model"}}', 'server-error', 'status 503: Loading model. Wait until'],
  [502, '<html>\n<h1>Bad gateway</h1>', 'server-error', 'status 502: <html> <h1>Bad gateway</h1>.'],
  [500, JSON.stringify({ error: { message: REJECTED } }), 'bad-request', "'loc': ('body', 'top_k')"],
  [200, '{"choices":[{"mess', 'bad-reply', 'is not complete JSON (18 characters'],
  [
    200,
    '{"choices":[{"message":{"content":"Thought: I open the"},"finish_reason":"abort"}]}',
    'server-error',
    'ended the reply in the middle',
  ],
  [200, '{"object":"list"}', 'bad-reply', "has no field 'choices'"],
])('status %d with %s is the cause %s', async (status, body, reason, message) => {
  await expect(chat(clientOf(status, body))).rejects.toMatchObject({
    ...{ reason, message: expect.stringContaining(message) },
  });
});

const CUT = `${'x'.repeat(290)} sk-secret-0123`;

test.each([
  ['a reported message', 500, JSON.stringify({ error: { message: CUT } })],
  ['a page of a proxy', 502, CUT],
  ['a reply of another kind', 200, JSON.stringify({ detail: CUT.slice(11) })],
  ['an incomplete reply', 200, `{"sk-secret-0123${'x'.repeat(30)}`],
])('%s shows no part of a key at which it is cut', async (_, status, body) => {
  await expect(chat(clientOf(status, body))).rejects.toMatchObject({
    message: expect.not.stringMatching(/sk-|ret-|0123/),
  });
});

test('a thought that reaches the limit is an empty reply, as of other servers', async () => {
  const message = 'Could not finish the message because max_tokens or model output limit was reached.';
  const reply = await chat(clientOf(400, JSON.stringify({ error: { message } })));
  expect(reply.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: '' } });
});

test.each([
  ['7', 7000],
  [new Date(90_000).toUTCString(), 90_000],
  ['soon', undefined],
])('the header retry-after %s is a delay of %s ms', async (header, delayMs) => {
  const client = clientOf(429, 'slow down', { 'retry-after': header });
  await expect(chat(client)).rejects.toMatchObject({ delayMs });
});

test('a control request is sent beside or below the base, and advises to read the log', async () => {
  const sent: string[] = [];
  const client = new EndpointClient({
    ...{ name: 'lab', url: 'http://lab:8000/v1/', timeoutMs: 60_000, clock: new VirtualClock() },
    transport: {
      send: async ({ url, method, body }) => {
        sent.push(`${method} ${url} ${body.join('')}`);
        return { status: url.includes('pause') ? 404 : 200, body: 'Success', headers: {} };
      },
      close: () => undefined,
    },
  });
  const { signal } = new AbortController();
  const load = { at: 'base', path: '/load_lora_adapter', body: { lora_name: 'a' }, timeoutMs: 1 } as const;
  expect(await client.control(load, signal)).toBe('Success');
  const pause = { at: 'root', path: '/pause?mode=wait', timeoutMs: 1 } as const;
  await expect(client.control(pause, signal)).rejects.toMatchObject({
    ...{ reason: 'no-such-model', message: expect.stringMatching(/status 404: Success\. Read the log/) },
  });
  expect(sent).toEqual([
    'POST http://lab:8000/v1/load_lora_adapter {"lora_name":"a"}',
    'POST http://lab:8000/pause?mode=wait ',
  ]);
});

test('a question that a server does not answer ends after 30 s, however long its replies may take', async () => {
  const clock = new VirtualClock();
  const client = new EndpointClient({
    ...{ name: 'lab', url: 'http://lab:8000/v1', timeoutMs: 600_000, clock },
    transport: {
      send: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      close: () => undefined,
    },
  });
  const asked = client.get('/models', new AbortController().signal).catch((error: unknown) => error);
  await clock.run();
  expect(await asked).toMatchObject({ reason: 'timeout' });
  expect(clock.now()).toBe(30_000);
});
