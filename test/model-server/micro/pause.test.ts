// A pause that nobody ends: chats whose clients left give their places back, and the pause can be ended.

import { expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE } from '../../patience.ts';
import { KEY, tinyServer } from './tiny-server.ts';

/** The chats that the server carries out at a time. */
const PLACES = 64;

test('chats of clients that left during a pause give their places back, and a resume is accepted at any time', async () => {
  const server = await tinyServer();
  onTestFinished(() => server.close());
  await server.post('/pause?mode=wait', {});
  const chat = (signal?: AbortSignal) =>
    fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      headers: { 'x-api-key': KEY },
      body: JSON.stringify({ model: 'micro', messages: [{ role: 'user', content: 'a' }], max_tokens: 2 }),
      ...(signal !== undefined && { signal }),
    });
  /** Begins one chat too many, and resolves when one is refused. The others wait until their clients leave. */
  const filled = async () => {
    const left = new AbortController();
    const statuses: number[] = [];
    const chats = Array.from({ length: PLACES + 1 }, () =>
      chat(left.signal).then(
        ({ status }) => statuses.push(status),
        () => undefined,
      ),
    );
    await vi.waitUntil(() => statuses.length > 0, PATIENCE);
    // By then the other refusals have come.
    await server.get('/is_paused');
    const leave = async () => {
      left.abort();
      await Promise.all(chats);
    };
    return { statuses, leave };
  };
  const first = await filled();
  expect(first.statuses).toEqual([429]);
  expect(await (await server.get('/is_paused')).json()).toEqual({ is_paused: true });
  // New weights are accepted as well: this adapter does not exist.
  const adapter = { lora_name: 'none', lora_path: '/none' };
  expect((await server.post('/v1/load_lora_adapter', adapter)).status).toBe(404);
  expect((await server.post('/v1/unload_lora_adapter', { lora_name: 'none' })).status).toBe(404);
  await first.leave();
  await vi.waitUntil(async () => {
    const next = await filled();
    await next.leave();
    return next.statuses.length === 1;
  }, PATIENCE);
  expect((await server.post('/resume', {})).status).toBe(200);
  await vi.waitUntil(async () => (await chat()).status === 200, PATIENCE);
  expect(server.notices).toEqual([]);
});
