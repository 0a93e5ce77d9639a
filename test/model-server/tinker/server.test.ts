// The Tinker protocol over HTTP with a tiny model: the routes, both encodings, learning, requests, and several models.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { at } from '../../../runtime/core/at.ts';
import { sum } from '../../../runtime/core/sum.ts';
import { forwardBackwardFromJson } from '../../../runtime/learner/tinker/wire/json.ts';
import { PROTOBUF_TYPE } from '../../../runtime/learner/tinker/wire/messages.ts';
import { encodeForwardBackward } from '../../../runtime/learner/tinker/wire/protobuf.ts';
import { decodeResult } from '../../../runtime/learner/tinker/wire/protobuf-results.ts';
import { PeerEnded } from '../../../runtime/rpc/client.ts';
import { imageChunk, MemoryFolder, screenPng, watchedEngine } from '../../learner/micro/fixture.ts';
import { KEY, type TinyServer, tinyServer } from '../micro/tiny-server.ts';
import { ADAM, clientOf, datum, PROMPT, REPLY } from './client.ts';

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

test('routes without a model', async () => {
  const client = await begun();
  expect(await (await server.get('/api/v1/healthz')).json()).toEqual({ status: 'ok' });
  expect(await (await server.get('/api/v1/get_server_capabilities')).json()).toEqual({
    supported_models: [{ model_name: 'micro', max_context_length: 1024, trainable: true, sampleable: true }],
  });
  expect(await client.send('client/config', { sdk_version: '0.38.0' })).toMatchObject({
    pjwt_auth_enabled: false,
  });
  expect(await client.send('client/dynamic_config', { sdk_version: '0.38.0' })).toEqual({});
  expect(await client.send('telemetry', { events: [] })).toEqual({ status: 'accepted' });
  expect(await client.send('session_heartbeat', { session_id: client.session })).toMatchObject({
    type: 'session_heartbeat',
  });
  expect(await client.status('session_heartbeat', { session_id: 'other' })).toBe(404);
  expect(await client.status('retrieve_future', { request_id: 'other' })).toBe(404);
});

describe('learning', () => {
  test('cross-entropy makes a reply likely, and the sampler gives it', async () => {
    const client = await begun();
    const model = await client.createModel();
    const losses: number[] = [];
    for (let step = 0; step < 60; step++) {
      losses.push((await client.pass(model, 2 * step + 1)).metrics['loss:sum']);
      await client.step(model, 2 * step + 2);
    }
    expect(losses.at(-1)).toBeLessThan(0.1 * at(losses, 0));
    const before = await client.sample({ base_model: 'micro' });
    expect(before.sequences[0].tokens).not.toEqual(REPLY);
    const saved = await client.result('save_weights_for_sampler', {
      model_id: model,
      seq_id: 121,
      path: 'last',
    });
    expect(saved.path).toBe(`tinker://${model}/sampler_weights/last`);
    const after = await client.sample({ model_path: saved.path });
    expect(after.sequences[0]).toMatchObject({ tokens: REPLY, stop_reason: 'stop' });
    expect(sum(after.sequences[0].logprobs)).toBeGreaterThan(-1);
  });

  test.each(['importance_sampling', 'ppo', 'cispo', 'dro'])(
    '%s with a positive advantage makes a reply likelier',
    async loss_fn => {
      const client = await begun();
      const model = await client.createModel();
      const sampled = await client.forward(model, 1);
      const advantages = REPLY.map(() => 1);
      const { metrics } = await client.result('forward_backward', {
        ...{ model_id: model, seq_id: 2 },
        forward_backward_input: { data: [datum({ logprobs: sampled, advantages })], loss_fn },
      });
      // The ratio is 1 before the first step.
      if (loss_fn !== 'cispo' && loss_fn !== 'dro') expect(metrics['loss:sum']).toBeCloseTo(-REPLY.length, 3);
      await client.step(model, 3);
      expect(sum(await client.forward(model, 4))).toBeGreaterThan(sum(sampled));
    },
  );

  test('passes add up until the step', async () => {
    const client = await begun();
    const [one, two] = [await client.createModel(), await client.createModel()];
    const halves = [REPLY.map((_, index) => Number(index < 2)), REPLY.map((_, index) => Number(index >= 2))];
    await client.pass(one, 1, at(halves, 0));
    await client.pass(one, 2, at(halves, 1));
    await client.pass(two, 1);
    const [split, whole] = [await client.step(one, 3), await client.step(two, 2)];
    expect(split.metrics['gradient_norm:mean']).toBeCloseTo(whole.metrics['gradient_norm:mean'], 3);
    const [first, second] = [await client.forward(one, 4), await client.forward(two, 3)];
    for (const [token, each] of first.entries()) expect(each).toBeCloseTo(at(second, token), 3);
  });

  test('a step whose engine ends is repeated on another one with the gradient of its passes', async () => {
    let engines = 0;
    const trainingEngine = async () => {
      engines += 1;
      const isFirst = engines === 1;
      let runs = 0;
      const engine = watchedEngine(() => {
        runs += 1;
        // The first run is the pass.
        if (isFirst && runs > 1) throw new PeerEnded('The engine process ended with SIGKILL.');
      });
      return { ...engine, close: async () => {} };
    };
    const mortal = await tinyServer(new MemoryFolder(), { trainingEngine });
    onTestFinished(() => mortal.close());
    const norms: number[] = [];
    for (const each of [mortal, server]) {
      const client = await clientOf(each);
      const model = await client.createModel();
      await client.pass(model, 1);
      const { metrics } = await client.step(model, 2);
      norms.push(metrics['gradient_norm:mean']);
    }
    expect(at(norms, 0)).toBeGreaterThan(0);
    expect(at(norms, 0)).toBeCloseTo(at(norms, 1), 3);
    expect(engines).toBe(2);
  });

  test('a forward pass changes nothing, in either encoding', async () => {
    const client = await begun();
    const model = await client.createModel();
    const before = await client.forward(model, 1);
    const input = { data: [datum({ weights: REPLY.map(() => 0) })], loss_fn: 'cross_entropy' };
    const request = forwardBackwardFromJson(
      { model_id: model, seq_id: 2, forward_backward_input: input },
      'forward_backward',
    );
    const body = encodeForwardBackward({ ...request, forwardOnly: true });
    const sent = await server.post('/api/v1/forward_backward', body, { 'content-type': PROTOBUF_TYPE });
    const { request_id } = await sent.json();
    const reply = await server.post('/api/v1/retrieve_future', { request_id }, { accept: PROTOBUF_TYPE });
    expect(reply.headers.get('content-type')).toBe(PROTOBUF_TYPE);
    const { outputs } = decodeResult(new Uint8Array(await reply.arrayBuffer()));
    const logprobs = outputs[0]?.['logprobs']?.data.slice(PROMPT.length - 1) ?? [];
    for (const [token, each] of before.entries()) expect(logprobs[token]).toBeCloseTo(each, 5);
    expect((await client.step(model, 3)).metrics['gradient_norm:mean']).toBe(0);
  });

  test('models do not disturb one another', async () => {
    const client = await begun();
    const other = await begun();
    const [mine, theirs] = [await client.createModel(), await other.createModel()];
    const untouched = await other.forward(theirs, 1);
    await client.pass(mine, 1);
    await other.pass(
      theirs,
      2,
      REPLY.map(() => 0),
    );
    await client.step(mine, 2);
    expect(await other.forward(theirs, 3)).toEqual(untouched);
    expect(await client.forward(mine, 3)).not.toEqual(untouched);
  });

  test('a datum with an image is read as the policy reads it', async () => {
    const client = await begun();
    const model = await client.createModel();
    const image = {
      ...{ type: 'image', format: 'png', data: Buffer.from(screenPng()).toString('base64') },
      expected_tokens: imageChunk().tokens,
    };
    const zeros = new Array<number>(imageChunk().tokens).fill(0);
    const { model_input, loss_fn_inputs } = datum({ weights: REPLY.map(() => 1) });
    const shifted = Object.fromEntries(
      Object.entries(loss_fn_inputs).map(([name, list]) => [
        name,
        { ...list, data: [...zeros, ...list.data] },
      ]),
    );
    const data = [{ model_input: { chunks: [image, ...model_input.chunks] }, loss_fn_inputs: shifted }];
    const trained = await client.result('forward_backward', {
      ...{ model_id: model, seq_id: 1, forward_backward_input: { data, loss_fn: 'cross_entropy' } },
    });
    expect(trained.loss_fn_outputs[0].logprobs.data).toHaveLength(
      zeros.length + PROMPT.length + REPLY.length - 1,
    );
    const chunks = [image, { type: 'encoded_text', tokens: PROMPT }];
    const sampled = await client.sample({ base_model: 'micro' }, { prompt: { chunks } });
    expect(sampled.sequences[0].tokens.length).toBeGreaterThan(0);
  });
});

describe('a request', () => {
  test('that is sent again has the same future, and is applied once', async () => {
    const client = await begun();
    const model = await client.createModel();
    await client.pass(model, 1);
    const body = { model_id: model, seq_id: 2, adam_params: ADAM };
    const [first, again] = [await client.send('optim_step', body), await client.send('optim_step', body)];
    expect(again.request_id).toBe(first.request_id);
    expect((await client.send('retrieve_future', { request_id: first.request_id })).metrics['step:max']).toBe(
      8,
    );
    expect((await client.step(model, 3)).metrics['step:max']).toBe(9);
    expect(await client.status('optim_step', { ...body, adam_params: { ...ADAM, learning_rate: 1 } })).toBe(
      409,
    );
  });

  test('that arrives early waits for those before it', async () => {
    const client = await begun();
    const model = await client.createModel();
    const early = await client.send('optim_step', { model_id: model, seq_id: 2, adam_params: ADAM });
    const trained = await client.pass(model, 1);
    const stepped = await client.send('retrieve_future', { request_id: early.request_id });
    expect(trained.metrics['loss:sum']).toBeGreaterThan(0);
    expect(stepped.metrics['gradient_norm:mean']).toBeGreaterThan(0);
  });

  test('with a fault fails its future, and the model goes on', async () => {
    const client = await begun();
    const model = await client.createModel();
    const failed = await client.result('forward_backward', {
      ...{ model_id: model, seq_id: 1, forward_backward_input: { data: [datum({})], loss_fn: 'gspo' } },
    });
    expect(failed).toMatchObject({
      category: 'user',
      error: expect.stringMatching(/'gspo' is not served\. Use/),
    });
    expect((await client.pass(model, 2)).metrics['loss:sum']).toBeGreaterThan(0);
  });

  test.each([
    ['optim_step', { model_id: 'other', adam_params: {} }, 404],
    ['create_model', { session_id: 'other', base_model: 'micro' }, 404],
    ['forward_backward', { model_id: 5 }, 400],
    ['asample', { prompt: { chunks: [] } }, 400],
    ['weights_info', { tinker_path: 'tinker://../../x' }, 400],
    ['weights_info', { tinker_path: 'tinker://s:train:0/weights/x' }, 400],
  ])('of no use is refused: %s %j', async (route, body, status) => {
    const client = await begun();
    expect(await client.status(route, body)).toBe(status);
  });

  test('for another base model is refused', async () => {
    const client = await begun();
    const body = { session_id: client.session, model_seq_id: 0, base_model: 'Qwen/Qwen3-8B' };
    expect(await client.status('create_model', body)).toBe(400);
  });
});

test('a model that was unloaded, and a session that is finished, are gone', async () => {
  const client = await begun();
  const model = await client.createModel();
  await client.result('unload_model', { model_id: model });
  expect(await client.status('get_info', { model_id: model })).toBe(404);
  const second = await client.createModel();
  expect(await client.send('get_info', { model_id: second })).toMatchObject({
    ...{ model_id: second, model_data: { model_name: 'micro' }, is_lora: false },
  });
  expect(await client.status(`sessions/${client.session}/finish`, { reason: { type: 'success' } })).toBe(200);
  expect(await client.status('get_info', { model_id: second })).toBe(404);
  expect(await client.status('session_heartbeat', { session_id: client.session })).toBe(410);
});

test('the key may be a bearer token', async () => {
  const response = await fetch(`${server.tinkerUrl}/api/v1/healthz`, {
    headers: { authorization: `Bearer ${KEY}` },
  });
  expect(response.status).toBe(200);
});
