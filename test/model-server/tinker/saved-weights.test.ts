// The Tinker protocol over HTTP: weights that are saved, loaded, replaced and served.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type TinyServer, tinyServer } from '../micro/tiny-server.ts';
import { clientOf, TestClient } from './client.ts';

let server: TinyServer;
beforeAll(async () => {
  server = await tinyServer();
});
afterAll(async () => {
  await server.close();
  expect(server.notices).toEqual([]);
});

/** A client whose session ends with the test. */
const begun = () => clientOf(server);

describe('saved weights', () => {
  test('restore a model with its optimiser', async () => {
    const client = await begun();
    const model = await client.createModel();
    await client.pass(model, 1);
    await client.step(model, 2);
    const { path } = await client.result('save_weights', { model_id: model, seq_id: 3, path: 'one' });
    expect(path).toBe(`tinker://${model}/weights/one`);
    const saved = await client.forward(model, 4);
    await client.pass(model, 5);
    await client.step(model, 6);
    const expected = await client.forward(model, 7);

    const other = await begun();
    const loaded = await other.result('load_weights', {
      ...{ session_id: other.session, model_seq_id: 0, path, optimizer: true },
    });
    expect(loaded).toMatchObject({ model_id: `${other.session}:train:0`, path });
    expect(await other.forward(loaded.model_id, 1)).toEqual(saved);
    await other.pass(loaded.model_id, 2);
    await other.step(loaded.model_id, 3);
    expect(await other.forward(loaded.model_id, 4)).toEqual(expected);
    expect(await client.send('weights_info', { tinker_path: path })).toMatchObject({
      base_model: 'micro',
      is_lora: false,
    });
  });

  test('are loaded into a model that exists', async () => {
    const client = await begun();
    const model = await client.createModel();
    const { path } = await client.result('save_weights', { model_id: model, seq_id: 1, path: 'first' });
    const first = await client.forward(model, 2);
    await client.pass(model, 3);
    await client.step(model, 4);
    await client.result('load_weights', { model_id: model, seq_id: 5, path, optimizer: false });
    expect(await client.forward(model, 6)).toEqual(first);
  });

  test('of a taken name are refused, unless they replace', async () => {
    const client = await begun();
    const model = await client.createModel();
    const save = (seq_id: number, overwrite: boolean) =>
      client.result('save_weights', { model_id: model, seq_id, path: 'one', overwrite });
    await save(1, false);
    expect(await save(2, false)).toMatchObject({
      category: 'user',
      error: expect.stringMatching(/exists\. Choose/),
    });
    expect(await save(3, true)).toMatchObject({ path: expect.stringMatching(/one$/) });
  });

  test.each(['save_weights', 'save_weights_for_sampler'])(
    'of %s under a name that differs from a taken one in case alone are refused',
    async route => {
      const client = await begun();
      const model = await client.createModel();
      const save = (seq_id: number, path: string) =>
        client.result(route, { model_id: model, seq_id, path, overwrite: true });
      const { path } = await save(1, 'ckpt-A');
      const before = [...server.folder.files.keys()];
      expect(await save(2, 'ckpt-a')).toMatchObject({
        category: 'user',
        error: expect.stringMatching(/'ckpt-A\.safetensors' in case alone, .* Choose another name/),
      });
      expect([...server.folder.files.keys()]).toEqual(before);
      expect(await save(3, 'ckpt-A')).toMatchObject({ path });
    },
  );

  test.each(['../../etc/passwd', 'a/b', '.hidden', 'a'.repeat(200)])(
    'with the name %j are refused',
    async path => {
      const client = await begun();
      const model = await client.createModel();
      const before = [...server.folder.files.keys()];
      for (const [index, route] of ['save_weights', 'save_weights_for_sampler'].entries())
        expect(await client.result(route, { model_id: model, seq_id: index + 1, path })).toMatchObject({
          category: 'user',
        });
      expect([...server.folder.files.keys()]).toEqual(before);
    },
  );

  test('are there for the next server', async () => {
    const client = await begun();
    const model = await client.createModel();
    await client.pass(model, 1);
    await client.step(model, 2);
    const { path } = await client.result('save_weights', { model_id: model, seq_id: 3, path: 'one' });
    const saved = await client.forward(model, 4);
    const restarted = await tinyServer(server.folder);
    onTestFinished(() => restarted.close());
    const next = await TestClient.begin(restarted);
    const loaded = await next.result('load_weights', {
      ...{ session_id: next.session, model_seq_id: 0, path, optimizer: true },
    });
    expect(await next.forward(loaded.model_id, 1)).toEqual(saved);
  });

  test('are served to chats as an adapter', async () => {
    const client = await begun();
    const model = await client.createModel();
    await client.pass(model, 1);
    await client.step(model, 2);
    const { path } = await client.result('save_weights_for_sampler', {
      model_id: model,
      seq_id: 3,
      path: 'one',
    });
    expect(
      (await server.post('/v1/load_lora_adapter', { lora_name: 'run-v8', lora_path: path })).status,
    ).toBe(200);
    const chat = { model: 'run-v8', messages: [{ role: 'user', content: 'Task: a' }], max_tokens: 4 };
    expect((await (await server.post('/v1/chat/completions', chat)).json()).metadata).toEqual({
      weight_version: '8',
    });
  });
});
