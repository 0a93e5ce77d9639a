// The deletion of saved weights over HTTP, with the route of the SDK.

import { expect, onTestFinished, test } from 'vitest';
import { KEY, tinyServer } from '../micro/tiny-server.ts';
import { TestClient } from './client.ts';

test('saved weights can be deleted once, and nothing else can', async () => {
  const server = await tinyServer();
  onTestFinished(() => server.close());
  const client = await TestClient.begin(server);
  const model = await client.createModel();
  for (const [index, route] of ['save_weights', 'save_weights_for_sampler'].entries())
    await client.result(route, { model_id: model, seq_id: index + 1, path: 'one' });
  const remove = async (checkpoint: string) => {
    const url = `${server.tinkerUrl}/api/v1/training_runs/${model}/checkpoints/${checkpoint}`;
    return (await fetch(url, { method: 'DELETE', headers: { 'x-api-key': KEY } })).status;
  };
  expect(await remove('weights%2f..%2fone')).toBe(400);
  expect(await remove('weights/..%2f..%2fone')).toBe(400);
  expect(await remove('one')).toBe(400);
  expect(server.folder.files.size).toBe(2);
  expect(await remove('weights/one')).toBe(200);
  expect(await remove('weights/one')).toBe(404);
  expect([...server.folder.files.keys()]).toEqual([expect.stringMatching(/sampler_weights\/one/)]);
  expect(await client.status('weights_info', { tinker_path: `tinker://${model}/weights/one` })).toBe(400);
});
