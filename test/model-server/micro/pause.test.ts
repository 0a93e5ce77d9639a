// A pause that nobody ends: chats whose clients left give their places back, and the pause can be ended.

import { expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE } from '../../patience.ts';
import { KEY, tinyServer } from './tiny-server.ts';

/** The requests that the server carries out at a time. */
const PLACES = 64;

test('chats of clients that left during a pause give their places back, and a resume is accepted at any time', async () => {
  const server = await tinyServer();
  onTestFinished(() => server.close());
  await server.post('/pause?mode=wait', {});
  const left = new AbortController();
  const chat = (signal?: AbortSignal) =>
    fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      headers: { 'x-api-key': KEY },
      body: JSON.stringify({ model: 'micro', messages: [{ role: 'user', content: 'a' }], max_tokens: 2 }),
      ...(signal !== undefined && { signal }),
    });
  const models = async () => (await server.get('/v1/models')).status;
  const chats = Array.from({ length: PLACES + 1 }, () => chat(left.signal).catch(() => undefined));
  await vi.waitUntil(async () => (await models()) === 429, PATIENCE);
  expect(await (await server.get('/is_paused')).json()).toEqual({ is_paused: true });
  // New weights are accepted as well: this adapter does not exist.
  const adapter = { lora_name: 'none', lora_path: '/none' };
  expect((await server.post('/v1/load_lora_adapter', adapter)).status).toBe(404);
  expect((await server.post('/v1/unload_lora_adapter', { lora_name: 'none' })).status).toBe(404);
  left.abort();
  await Promise.all(chats);
  await vi.waitUntil(async () => (await models()) === 200, PATIENCE);
  expect((await server.post('/resume', {})).status).toBe(200);
  expect((await chat()).status).toBe(200);
  expect(server.notices).toEqual([]);
});
