// The micro model as a backend: what it is asked, and how its tokens become a reply. The decoder is scripted.

import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { MicroDecoder, ReplyOptions } from '../../../runtime/agents/micro/decoder.ts';
import { PromptLengthError } from '../../../runtime/agents/micro/decoder.ts';
import { MICRO } from '../../../runtime/agents/micro/network.ts';
import type { MicroRow } from '../../../runtime/agents/micro/row.ts';
import { encodeText } from '../../../runtime/agents/micro/tokenizer.ts';
import { END } from '../../../runtime/agents/micro/vocabulary.ts';
import { pngOf, pngRows } from '../../../runtime/core/png.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { chatChunks, chatReply } from '../../../runtime/model-server/chat-reply.ts';
import { parseChatRequest } from '../../../runtime/model-server/chat-request.ts';
import { MicroBackend } from '../../../runtime/model-server/micro/backend.ts';
import { GenerationGate } from '../../../runtime/model-server/micro/generation-gate.ts';
import { WeightsRegister } from '../../../runtime/model-server/micro/served-weights.ts';
import { blankPixels, block } from '../../agents/compact/screens.ts';
import { LIVE } from '../../learner/micro/fixture.ts';

const REPLY = "Action: type(content='Zoë ✓')";

function backendWith(reply: MicroDecoder['reply']): MicroBackend {
  const model = { shape: MICRO, version: 7, weights: new Float32Array() };
  const weights = new WeightsRegister({
    ...{ base: { name: 'micro', model, created: 5 }, now: () => 5 },
    read: path => Promise.reject(new Error(path)),
  });
  return new MicroBackend({
    weights,
    gate: new GenerationGate(new VirtualClock()),
    decoder: { reply },
    randomSeed: () => 1,
  });
}

const request = (parts: readonly unknown[], fields: object = {}) =>
  parseChatRequest(
    JSON.stringify({ model: 'micro', messages: [{ role: 'user', content: parts }], ...fields }),
  );

const tokens = [...encodeText(REPLY), END].map(id => ({
  ...{ id, logProbability: -0.5, alternatives: [{ id, logProbability: -0.5 }], entropy: 0.2 },
}));

test('a reply spells the text, also where characters are split over tokens', async () => {
  const asked: ReplyOptions[] = [];
  const backend = backendWith(async (_, options) => {
    asked.push(options);
    return { tokens, finish: 'stop' };
  });
  const completion = await backend.complete(
    request([{ type: 'text', text: 'Mute the sound.' }], {
      ...{ logprobs: true, top_logprobs: 2, temperature: 0.5, max_tokens: 40 },
    }),
    LIVE,
  );
  expect(completion).toMatchObject({ model: 'micro', fingerprint: 'micro-7', finish: 'stop' });
  const options = { maxTokens: 40, topLogprobs: 0, tokenIds: false, ignored: [], streamUsage: false };
  const head = { id: 'chatcmpl-1', created: 0 };
  expect(chatReply(completion, options, head)).toMatchObject({ choices: [{ message: { content: REPLY } }] });
  const deltas = chatChunks(completion, options, head).map(chunk => JSON.parse(JSON.stringify(chunk)));
  expect(deltas.map(({ choices: [choice] }) => choice?.delta.content ?? '').join('')).toBe(REPLY);
  expect(completion.tokens).toHaveLength(tokens.length);
  expect(completion.tokens.at(-1)?.text).toBe('');
  expect(asked[0]).toMatchObject({ temperature: 0.5, maxTokens: 40, alternatives: 2 });
});

test('the last image becomes patches of the prompt', async () => {
  const rows: MicroRow[] = [];
  const backend = backendWith(async row => {
    rows.push(row);
    return { tokens, finish: 'stop' };
  });
  const pixels = blankPixels(100, 60, 'rgb');
  block(pixels, 20, 20, 12, 8);
  const png = Buffer.from(pngOf(pixels, deflateSync(pngRows(pixels)))).toString('base64');
  await backend.complete(
    request([
      { type: 'text', text: 'Mute the sound.' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
    ]),
    LIVE,
  );
  expect(rows[0]?.squares.length).toBeGreaterThan(0);
});

test.each([
  ['another model', { model: 'other' }, [{ type: 'text', text: 'a' }], /Use one of micro/],
  [
    'an image that is no data URL',
    {},
    [{ type: 'image_url', image_url: { url: 'http://x/y.png' } }],
    /data URL/,
  ],
  [
    'an image that is no PNG',
    {},
    [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
    /signature/,
  ],
])('%s is a fault of the request', async (_, fields, parts, message) => {
  const backend = backendWith(async () => ({ tokens, finish: 'stop' }));
  await expect(backend.complete(request(parts, fields), LIVE)).rejects.toThrow(message);
});

test('a prompt that is too long is a fault of the request', async () => {
  const backend = backendWith(async () => {
    throw new PromptLengthError('The prompt has 2000 tokens. Send a shorter history.');
  });
  await expect(backend.complete(request([{ type: 'text', text: 'a' }]), LIVE)).rejects.toMatchObject({
    status: 400,
  });
});
