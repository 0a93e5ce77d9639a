// The chat protocol of the micro server: token ids, versions, adapters and pauses. The product's own probe finds what it can do.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { firstMicroWeights } from '../../../runtime/agents/micro/programs.ts';
import { decodeTokens, encodeText } from '../../../runtime/agents/micro/tokenizer.ts';
import { END, PATCH } from '../../../runtime/agents/micro/vocabulary.ts';
import { encodeMicro } from '../../../runtime/agents/micro/weights-file.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { type TokensTrace, trainingChoice } from '../../../runtime/core/trace.ts';
import { usesOf } from '../../../runtime/endpoints/capabilities.ts';
import { EndpointClient } from '../../../runtime/endpoints/client.ts';
import { httpTransport } from '../../../runtime/endpoints/http-transport.ts';
import { ApiKey } from '../../../runtime/endpoints/keys.ts';
import { probeEndpoint } from '../../../runtime/endpoints/probe.ts';
import { readReply } from '../../../runtime/endpoints/reply.ts';
import { TINY, tinyWeights } from '../../agents/micro/tiny.ts';
import { imageChunk, LIVE, screenPng } from '../../learner/micro/fixture.ts';
import { temporaryFolder } from '../../temporary.ts';
import { KEY, type TinyServer, tinyServer } from './tiny-server.ts';

let server: TinyServer;
beforeAll(async () => {
  server = await tinyServer();
});
afterAll(async () => {
  await server.close();
  expect(server.notices).toEqual([]);
});

const TEXT = 'Task: Mute the sound.\n';
const image = () => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${Buffer.from(screenPng()).toString('base64')}` },
});

const chat = async (fields: object = {}) =>
  (
    await server.post('/v1/chat/completions', {
      ...{ model: 'micro', seed: 3, max_tokens: 12, logprobs: true, return_token_ids: true },
      messages: [{ role: 'user', content: [image(), { type: 'text', text: TEXT }] }],
      ...fields,
    })
  ).json();

function endpointClient(): EndpointClient {
  const transport = httpTransport();
  onTestFinished(() => transport.close());
  return new EndpointClient({
    ...{ name: 'micro', url: server.url, key: new ApiKey(KEY), timeoutMs: 60_000, transport },
    clock: systemClock,
  });
}

test('a reply has the ids of its prompt, patches first, and of its tokens', async () => {
  const { prompt_token_ids, choices, usage } = await chat();
  const patches = Array.from({ length: imageChunk().tokens }, () => PATCH);
  expect(prompt_token_ids).toEqual([...patches, ...encodeText(TEXT)]);
  expect(prompt_token_ids).toHaveLength(usage.prompt_tokens);
  const ids: number[] = choices[0].token_ids;
  expect(ids).toHaveLength(choices[0].logprobs.content.length);
  expect(decodeTokens(ids.filter(id => id !== END))).toBe(choices[0].message.content);
});

test('without the request, a reply has no ids', async () => {
  const reply = await chat({ return_token_ids: false });
  expect(reply).not.toHaveProperty('prompt_token_ids');
  expect(reply.choices[0]).not.toHaveProperty('token_ids');
});

test('a stream has the same ids', async () => {
  const whole = await chat();
  const response = await server.post('/v1/chat/completions', {
    ...{ model: 'micro', seed: 3, max_tokens: 12, stream: true, return_token_ids: true },
    messages: [{ role: 'user', content: [image(), { type: 'text', text: TEXT }] }],
  });
  const events = (await response.text()).split('\n\n').flatMap(each => {
    const text = each.replace('data: ', '');
    return text === '' || text === '[DONE]' ? [] : [JSON.parse(text)];
  });
  expect(events[0].prompt_token_ids).toEqual(whole.prompt_token_ids);
  expect(events.flatMap(({ choices }) => choices[0]?.token_ids ?? [])).toEqual(whole.choices[0].token_ids);
});

test('an empty prompt is a fault of the request', async () => {
  const { error } = await chat({ messages: [{ role: 'user', content: '' }] });
  expect(error).toMatchObject({ type: 'invalid_request_error', param: 'messages' });
  expect(error.message).toMatch(/has no tokens/);
});

test('a reply reports the version of its weights', async () => {
  expect(await chat()).toMatchObject({
    ...{ model: 'micro', system_fingerprint: 'micro-7', metadata: { weight_version: '7' } },
  });
});

test.each([false, true])('the probe allows training, with images: %s', async images => {
  const options = { client: endpointClient(), model: 'micro', images, clock: systemClock, signal: LIVE };
  const capabilities = await probeEndpoint(options);
  expect(capabilities).toMatchObject({
    ...{ tokenIds: true, promptIds: true, topCount: 20, versionIn: 'reply', weightVersion: '7', defects: [] },
    server: { kind: 'dartboard', lora: 'present', pause: 'present' },
  });
  expect(usesOf(capabilities, { images }).training).toEqual({ allowed: true, reasons: [] });
});

test('a reply can be trained on', async () => {
  const body = {
    ...{ model: 'micro', messages: [{ role: 'user', content: TEXT }], max_tokens: 12, logprobs: true },
    ...{ top_logprobs: 4, return_token_ids: true },
  };
  const reply = readReply(await endpointClient().chat([JSON.stringify(body)], LIVE), {
    ...{ model: 'micro', topCount: 4 },
  });
  const served = { endpoint: 'micro', model: 'micro', latencyMs: 1, retries: [] };
  const trace: TokensTrace = { kind: 'tokens', ...reply, served };
  const choice = trainingChoice(trace);
  expect(choice).toMatchObject({ kind: 'tokens', prompt: encodeText(TEXT) });
  expect(choice?.kind === 'tokens' && choice.ids.length === choice.logProbabilities?.length).toBe(true);
});

/** A file with other weights. */
function adapterFile(version: number): string {
  const file = join(temporaryFolder('adapter'), `weights-${version}.safetensors`);
  writeFileSync(file, encodeMicro({ shape: TINY, version, weights: tinyWeights(`adapter ${version}`) }));
  return file;
}

test('adapters are loaded, listed, served by name and unloaded', async () => {
  const path = adapterFile(12);
  const load = (fields: object = {}) =>
    server.post('/v1/load_lora_adapter', { lora_name: 'run-v12', lora_path: path, ...fields });
  expect((await load()).status).toBe(200);
  expect(await (await server.get('/v1/models')).json()).toMatchObject({
    data: [{ id: 'micro' }, { id: 'run-v12', root: path, parent: 'micro' }],
  });
  const [base, adapted] = [await chat(), await chat({ model: 'run-v12' })];
  expect(adapted).toMatchObject({ model: 'run-v12', metadata: { weight_version: '12' } });
  expect(adapted.choices[0].logprobs).not.toEqual(base.choices[0].logprobs);
  // The base weights are as before.
  expect((await chat()).choices).toEqual(base.choices);

  expect((await load()).status).toBe(400);
  expect((await load({ lora_path: adapterFile(13), load_inplace: true })).status).toBe(200);
  expect((await chat({ model: 'run-v12' })).metadata).toEqual({ weight_version: '13' });

  expect((await server.post('/v1/unload_lora_adapter', { lora_name: 'run-v12' })).status).toBe(200);
  expect((await server.post('/v1/unload_lora_adapter', { lora_name: 'run-v12' })).status).toBe(404);
  expect((await chat({ model: 'run-v12' })).error.code).toBe('model_not_found');
});

test.each([
  ['no file', { lora_name: 'a', lora_path: '/nowhere/weights.safetensors' }, 404, /no file/],
  ['a folder', { lora_name: 'a', lora_path: '/' }, 400, /cannot be read/],
  ['the name of the server', { lora_name: 'micro', lora_path: '/x' }, 400, /belongs to the server/],
  ['a name with a slash', { lora_name: 'a/b', lora_path: '/x' }, 400, /lora_name/],
  [
    'an unknown path of Tinker',
    { lora_name: 'a', lora_path: 'tinker://s:train:0/sampler_weights/x' },
    400,
    /no weights/,
  ],
  ['a hostile path of Tinker', { lora_name: 'a', lora_path: 'tinker://../../etc/passwd' }, 400, /no path/],
  ['no body', {}, 400, /lora_name/],
])('an adapter is refused: %s', async (_, body, status, message) => {
  const response = await server.post('/v1/load_lora_adapter', body);
  expect(response.status).toBe(status);
  expect((await response.json()).error.message).toMatch(message);
  expect((await (await server.get('/v1/models')).json()).data).toHaveLength(1);
});

test('weights of another network are refused', async () => {
  const shape = { ...TINY, hidden: TINY.hidden + 1 };
  const file = join(temporaryFolder('adapter'), 'other.safetensors');

  writeFileSync(file, encodeMicro({ shape, version: 1, weights: firstMicroWeights(shape, () => 0.5) }));
  const response = await server.post('/v1/load_lora_adapter', { lora_name: 'a', lora_path: file });
  expect((await response.json()).error.message).toMatch(/have the network/);
});

test('a request during a pause is answered after it, with the weights of then', async () => {
  await server.post('/v1/load_lora_adapter', { lora_name: 'run', lora_path: adapterFile(1) });
  expect(await (await server.post('/pause?mode=wait', {})).json()).toEqual({ is_paused: true });
  expect(await (await server.get('/is_paused')).json()).toEqual({ is_paused: true });
  const waiting = chat({ model: 'run' });
  const inPlace = { lora_name: 'run', lora_path: adapterFile(2), load_inplace: true };
  expect((await server.post('/v1/load_lora_adapter', inPlace)).status).toBe(200);
  expect(await (await server.post('/resume', {})).json()).toEqual({ is_paused: false });
  expect((await waiting).metadata).toEqual({ weight_version: '2' });
  await server.post('/v1/unload_lora_adapter', { lora_name: 'run' });
});

test('an unknown mode of a pause is refused', async () => {
  expect((await server.post('/pause?mode=later', {})).status).toBe(400);
  expect(await (await server.get('/is_paused')).json()).toEqual({ is_paused: false });
});

test.each(['/v1/load_lora_adapter', '/v1/unload_lora_adapter', '/pause', '/resume', '/api/v1/optim_step'])(
  'the control route %s needs the key',
  async path => {
    const response = await fetch(server.tinkerUrl + path, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
  },
);
