// The probe against the double of each kind of server: what it finds, with how many requests, and that it never touches a control route.

import { describe, expect, test } from 'vitest';
import { seeded } from '../../runtime/core/rng.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { EndpointClient } from '../../runtime/endpoints/client.ts';
import type { HttpTransport } from '../../runtime/endpoints/http-transport.ts';
import { ApiKey } from '../../runtime/endpoints/keys.ts';
import { type ProbeOptions, probeEndpoint } from '../../runtime/endpoints/probe.ts';
import { type Faults, FaultyTransport } from '../doubles/openai/faulty.ts';
import { ModelServer } from '../doubles/openai/model-server.ts';
import { errorReply } from '../doubles/openai/replies.ts';
import {
  HOSTED,
  LLAMA_CPP,
  LLAMA_CPP_PYTHON,
  OLLAMA,
  type ServerTraits,
  SGLANG,
  VLLM,
} from '../doubles/openai/traits.ts';

interface Setup {
  readonly traits: ServerTraits;
  readonly model?: string;
  readonly images?: boolean;
  readonly key?: string;
  readonly between?: (server: HttpTransport, clock: VirtualClock) => HttpTransport;
}

async function probe({ traits, model = 'tars', images = true, key, between }: Setup) {
  const clock = new VirtualClock();
  const server = new ModelServer({ traits, clock });
  const client = new EndpointClient({
    ...{ name: 'lab', url: 'http://lab:8000/v1', timeoutMs: 60_000, clock },
    transport: between?.(server, clock) ?? server,
    ...(key !== undefined && { key: new ApiKey(key) }),
  });
  const options: ProbeOptions = { client, model, images, clock, signal: new AbortController().signal };
  const result = probeEndpoint(options).then(
    found => ({ found, error: undefined }),
    (error: unknown) => ({ found: undefined, error }),
  );
  await clock.run();
  return { ...(await result), server, ms: clock.now() };
}

describe('vLLM', () => {
  test('that accepts everything gets one chat', async () => {
    const { found, server } = await probe({ traits: VLLM });
    expect(server.chats).toHaveLength(1);
    expect(found).toEqual({
      ...{ model: 'tars', aliases: ['lab/tars-7b'], models: ['tars'], answeredBy: 'tars' },
      server: { kind: 'vllm', version: '0.19.0', lora: 'present', pause: 'present' },
      ...{ limitField: 'max_tokens', keepsLimit: true, sampling: true, extras: true, allTokens: -1 },
      ...{ images: true, topCount: 20, tokenIds: true, promptIds: true, versionIn: 'nowhere', defects: [] },
    });
  });

  test('receives GET requests to read-only routes, and no POST but chats', async () => {
    const { server } = await probe({ traits: { ...VLLM, weightVersions: ['7'] } });
    expect(server.routes).toEqual([
      'GET /v1/models',
      'POST /v1/chat/completions',
      'GET /openapi.json',
      'GET /version',
      'GET /weight_info',
    ]);
  });

  test('fills in nothing: each request has all sampling fields', async () => {
    const generationConfig = {
      temperature: 0.6,
      top_k: 20,
      top_p: 0.95,
      min_p: 0.1,
      repetition_penalty: 1.05,
    };
    const { server } = await probe({ traits: { ...VLLM, generationConfig } });
    const neutral = { temperature: 1, top_k: -1, top_p: 1, min_p: 0, repetition_penalty: 1 };
    expect(server.sampled).toMatchObject([neutral]);
  });

  test('with a lower limit of candidates gets fewer', async () => {
    const { found } = await probe({ traits: { ...VLLM, maxTop: 5 } });
    expect(found).toMatchObject({ topCount: 5, extras: true });
    expect((await probe({ traits: { ...VLLM, maxTop: 0 } })).found).toMatchObject({ topCount: 0 });
  });

  test('without the list of routes has unknown abilities, and without the routes none', async () => {
    const hidden = await probe({ traits: { ...VLLM, openApi: false } });
    expect(hidden.found?.server).toMatchObject({ version: '0.19.0', lora: 'unknown', pause: 'unknown' });
    const without = await probe({ traits: { ...VLLM, lora: false, control: false } });
    expect(without.found?.server).toMatchObject({ lora: 'absent', pause: 'absent' });
  });

  test('reports the version of its weights in a reply or by a route', async () => {
    const traits = { ...VLLM, weightVersions: ['7'] };
    expect((await probe({ traits })).found).toMatchObject({ versionIn: 'route', weightVersion: '7' });
    const spans = await probe({ traits: { ...traits, versionReport: 'spans' } });
    expect(spans.found).toMatchObject({ versionIn: 'reply', weightVersion: '7', defects: [] });
    const mixed = await probe({ traits: { ...traits, weightVersions: ['7', '8'], versionReport: 'spans' } });
    expect(mixed.found?.defects).toEqual(['mixed-versions']);
  });

  test('answers for a second name with the first one', async () => {
    const { found } = await probe({ traits: { ...VLLM, names: ['first', 'tars'] } });
    expect(found).toMatchObject({ answeredBy: 'first', defects: [] });
    expect(found?.aliases).toEqual(['first', 'lab/tars-7b']);
  });

  test('answers for an adapter by its name', async () => {
    const { found } = await probe({ traits: { ...VLLM, names: ['base'], adapters: ['tars'] } });
    expect(found).toMatchObject({ answeredBy: 'tars', aliases: [], models: ['base', 'tars'], defects: [] });
  });

  test('prints tokens as their ids if it was started so', async () => {
    const { found } = await probe({ traits: { ...VLLM, tokenIds: 'in-text' } });
    expect(found).toMatchObject({ tokenIds: true, defects: [] });
    const old = await probe({ traits: { ...VLLM, tokenIds: 'none' } });
    expect(old.found).toMatchObject({ tokenIds: false, promptIds: false });
  });
});

test('SGLang reports ids of tokens and the version of its weights', async () => {
  const { found, server } = await probe({ traits: SGLANG });
  expect(found).toMatchObject({
    server: { kind: 'sglang', version: '0.5.16', lora: 'present', pause: 'present' },
    ...{ topCount: 20, tokenIds: true, promptIds: false, versionIn: 'reply', weightVersion: 'default' },
  });
  expect(server.routes.filter(route => /flush|pause|lora|update/.test(route))).toEqual([]);
  const without = await probe({ traits: { ...SGLANG, lora: false } });
  expect(without.found?.server).toMatchObject({ lora: 'absent' });
});

/** Without versions in replies. */
const { versionReport: _, ...OLD_SGLANG } = { ...SGLANG, tokenIds: 'none' } as const;

test('an older SGLang has other routes', async () => {
  const { found } = await probe({ traits: { ...OLD_SGLANG, oldRoutes: true } });
  expect(found).toMatchObject({
    server: { kind: 'sglang', version: '0.5.16', weightVersion: 'default' },
    versionIn: 'route',
  });
});

test.each([VLLM, SGLANG, LLAMA_CPP, OLLAMA])(
  '$kind is recognised by its routes behind a gateway',
  async traits => {
    const { found } = await probe({ traits: { ...traits, owner: 'gateway', anyModel: true } });
    expect(found?.server).toMatchObject({ kind: traits.kind, version: traits.version });
  },
);

test('an unknown server has no version, and its abilities are unknown', async () => {
  const { found } = await probe({ traits: { ...OLLAMA, kind: 'unknown' } });
  expect(found?.server).toEqual({ kind: 'unknown', lora: 'unknown', pause: 'unknown' });
});

test('llama.cpp without vision rejects images, and only those', async () => {
  const { found } = await probe({ traits: LLAMA_CPP });
  expect(found).toMatchObject({
    server: { kind: 'llama.cpp', version: 'b7000-1a2b3c4', lora: 'absent', pause: 'absent' },
    ...{ images: false, extras: true, topCount: 20, tokenIds: false, limitField: 'max_tokens' },
  });
});

test('llama-cpp-python rejects negative numbers, arrays as content, and log-probabilities with status 500', async () => {
  const { found } = await probe({ traits: LLAMA_CPP_PYTHON });
  expect(found).toMatchObject({
    server: { kind: 'llama-cpp-python', version: '0.3.16' },
    ...{ images: false, extras: true, allTokens: 0 },
  });
  expect(found).not.toHaveProperty('topCount');
  const all = await probe({ traits: { ...LLAMA_CPP_PYTHON, logProbabilities: 'raw' }, images: false });
  expect(all.found).toMatchObject({ topCount: 20, allTokens: 0 });
  expect(all.found).not.toHaveProperty('images');
});

test('Ollama adds a tag to the name of the model', async () => {
  const { found } = await probe({ traits: OLLAMA });
  expect(found).toMatchObject({
    server: { kind: 'ollama', version: '0.13.1' },
    ...{ aliases: ['tars:latest'], answeredBy: 'tars:latest', defects: [] },
  });
});

describe('a hosted service', () => {
  const hosted = { traits: { ...HOSTED, key: 'sk-hosted' }, model: 'gpt-x', key: 'sk-hosted' };

  test('that rejects unknown fields and max_tokens gets neither', async () => {
    const { found, server } = await probe(hosted);
    expect(found).toMatchObject({
      server: { kind: 'openai' },
      ...{ limitField: 'max_completion_tokens', extras: false, sampling: true, topCount: 20, images: true },
      ...{ answeredBy: 'gpt-x-2026-01-15', defects: [] },
    });
    expect(server.routes.filter(route => route.startsWith('GET'))).toEqual(['GET /v1/models']);
  });

  test('whose model rejects sampling gets no sampling fields', async () => {
    const rejectedFields = ['temperature', 'top_p', 'presence_penalty', 'logprobs'];
    const { found, server } = await probe({ ...hosted, traits: { ...hosted.traits, rejectedFields } });
    expect(found).toMatchObject({ sampling: false, extras: false, limitField: 'max_completion_tokens' });
    expect(found).not.toHaveProperty('topCount');
    expect(server.sampled[0]).not.toHaveProperty('temperature');
  });

  test('whose model thinks longer than the probe allows is known by what it rejects', async () => {
    const rejectedFields = ['temperature', 'top_p', 'presence_penalty', 'logprobs'];
    const { found } = await probe({
      ...hosted,
      traits: { ...hosted.traits, rejectedFields, hiddenTokens: 100 },
    });
    expect(found).toMatchObject({ sampling: false, extras: false, limitField: 'max_completion_tokens' });
  });

  test('with a wrong key is asked once', async () => {
    const { error, server } = await probe({ ...hosted, key: 'sk-wrong' });
    expect(error).toMatchObject({ reason: 'unauthorized' });
    expect(server.routes).toHaveLength(1);
  });
});

describe('the limit of tokens', () => {
  test('is sent in the field that the server honours', async () => {
    const { found } = await probe({ traits: { ...VLLM, limitFields: ['max_completion_tokens'] } });
    expect(found).toMatchObject({ limitField: 'max_completion_tokens', keepsLimit: true, topCount: 20 });
  });

  test('that is ignored is a capability that the server lacks', async () => {
    const { found } = await probe({ traits: { ...VLLM, limitFields: [] } });
    expect(found).toMatchObject({ limitField: 'max_tokens', keepsLimit: false, topCount: 20, images: true });
  });
});

test('wrong reports are found', async () => {
  const cases: readonly (readonly [Partial<ServerTraits>, string])[] = [
    [{ missingLogProbability: true }, 'log-probability-invalid'],
    [{ shortReport: true }, 'log-probabilities-length'],
    [{ answersAs: 'other' }, 'wrong-model'],
  ];
  for (const [traits, defect] of cases)
    expect((await probe({ traits: { ...VLLM, ...traits } })).found?.defects).toContain(defect);
});

describe('the model list', () => {
  test('may be missing', async () => {
    const { found } = await probe({ traits: { ...VLLM, listsModels: false } });
    expect(found).toMatchObject({ models: [], server: { kind: 'vllm' }, topCount: 20 });
  });

  /** The route answers with status 403, or all of them do. */
  const forbidding = (all: boolean) => (server: HttpTransport) => ({
    send: async (request: Parameters<HttpTransport['send']>[0]) =>
      all || request.url.endsWith('/models')
        ? errorReply(403, 'Missing scopes: api.model.read')
        : server.send(request),
    close: () => undefined,
  });

  test('may be forbidden to a key that may chat', async () => {
    const { found } = await probe({ traits: VLLM, between: forbidding(false) });
    expect(found).toMatchObject({ models: [], server: { kind: 'vllm' }, topCount: 20 });
  });

  test('is not the only route that a wrong key may not use', async () => {
    const { error } = await probe({ traits: VLLM, between: forbidding(true) });
    expect(error).toMatchObject({ reason: 'unauthorized' });
  });

  test('helps with a wrong name', async () => {
    const { error } = await probe({ traits: { ...VLLM, names: ['qwen', 'gpt'] }, model: 'tars' });
    expect(error).toMatchObject({
      reason: 'no-such-model',
      failure: {
        message:
          "The server does not list the model 'tars', and rejects requests for it. It lists 'qwen', 'gpt'. Correct 'model'.",
      },
    });
  });

  test('does not matter to a server that answers for any name', async () => {
    const { found } = await probe({ traits: { ...LLAMA_CPP, names: ['other.gguf'] } });
    expect(found).toMatchObject({ model: 'tars', aliases: [], models: ['other.gguf'], defects: [] });
  });
});

describe('temporary failures', () => {
  /** The first requests fail. */
  const failing = (count: number, faults: Faults) => (server: HttpTransport, clock: VirtualClock) => {
    const faulty = new FaultyTransport({ server, clock, random: seeded('faults'), faults });
    let sent = 0;
    return {
      send: (request: Parameters<HttpTransport['send']>[0]) =>
        (sent++ < count ? faulty : server).send(request),
      close: () => undefined,
    };
  };

  test('are repeated', async () => {
    for (const faults of [{ serverError: 1 }, { reset: 1 }, { truncatedJson: 1 }, { rateLimited: 1 }])
      expect((await probe({ traits: VLLM, between: failing(2, faults) })).found).toMatchObject({
        topCount: 20,
      });
  });

  test('wait as long as the server asks', async () => {
    const { ms } = await probe({ traits: VLLM, between: failing(1, { rateLimited: 1 }) });
    expect(ms).toBeGreaterThanOrEqual(2000);
  });

  test('are bounded', async () => {
    const { error, server } = await probe({ traits: VLLM, between: failing(3, { reset: 1 }) });
    expect(error).toMatchObject({ reason: 'unreachable' });
    expect(server.routes).toEqual([]);
  });
});
