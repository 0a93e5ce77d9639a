// The official JavaScript client (`openai` on npm) against a real `dartboard model serve`.

import OpenAI, { APIConnectionError, AuthenticationError, BadRequestError, NotFoundError } from 'openai';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askAcrossRestart } from './restart.ts';
import { actionsIn, firstTurn, type ServedPolicy, STEP, servePolicy } from './served-policy.ts';

const MESSAGES = firstTurn();
const VERSION = `compact-v${STEP}`;

let served: ServedPolicy;
let client: OpenAI;
beforeAll(async () => {
  served = await servePolicy();
  client = new OpenAI({ baseURL: served.url, apiKey: served.key, maxRetries: 0 });
});
afterAll(async () => {
  expect(await served.stop()).toBe(0);
});

const ask = (fields: object = {}, asking = client): Promise<ChatCompletion> =>
  asking.chat.completions.create({
    ...{ model: 'compact', messages: MESSAGES, seed: 7, ...fields },
    stream: false,
  });

const textOf = ({ choices: [choice] }: ChatCompletion): string => choice?.message.content ?? '';

test('it lists the models, and finds one by name', async () => {
  const names: string[] = [];
  for await (const { id } of client.models.list()) names.push(id);
  expect(names).toEqual(['compact', VERSION]);
  expect(await client.models.retrieve(VERSION)).toMatchObject({ id: VERSION, owned_by: 'dartboard' });
});

describe('a chat completion', () => {
  test('has an action, the version that chose it, and the usage', async () => {
    const reply = await ask({ max_tokens: 512, top_p: 1, frequency_penalty: 0 });
    expect(actionsIn(textOf(reply))).toHaveLength(1);
    expect(reply.model).toBe(VERSION);
    expect(reply.choices[0]?.finish_reason).toBe('stop');
    const { prompt_tokens = 0, completion_tokens = 0, total_tokens } = reply.usage ?? {};
    expect(prompt_tokens).toBeGreaterThan(0);
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    expect(reply).not.toHaveProperty('dartboard');
  });

  test('is the same for the same seed, and greedy at temperature 0', async () => {
    expect(textOf(await ask())).toBe(textOf(await ask()));
    const greedy = await Promise.all([1, 2, 3].map(seed => ask({ seed, temperature: 0 })));
    expect(new Set(greedy.map(textOf)).size).toBe(1);
  });

  test('has log-probabilities that spell the reply', async () => {
    const { choices } = await ask({ logprobs: true, top_logprobs: 3 });
    const tokens = choices[0]?.logprobs?.content ?? [];
    expect(tokens.map(({ token }) => token).join('')).toBe(choices[0]?.message.content);
    expect(tokens.every(({ logprob }) => logprob <= 0 && Number.isFinite(logprob))).toBe(true);
    const chosen = tokens.filter(({ logprob }) => logprob < 0);
    expect(chosen).not.toEqual([]);
    for (const { token, bytes, top_logprobs } of chosen) {
      expect(Buffer.from(bytes ?? []).toString()).toBe(token);
      expect(top_logprobs.length).toBeGreaterThan(1);
      expect(top_logprobs.length).toBeLessThanOrEqual(3);
    }
  });

  test('names the fields that it ignores', async () => {
    expect(await ask({ presence_penalty: 1 })).toMatchObject({
      dartboard: { ignored: ['presence_penalty'] },
    });
  });
});

describe('a stream', () => {
  test('spells the reply without a stream, with the same log-probabilities', async () => {
    const fields = { model: 'compact', messages: MESSAGES, seed: 7, logprobs: true, top_logprobs: 2 };
    const whole = await client.chat.completions.create(fields);
    const stream = await client.chat.completions.create({
      ...{ ...fields, stream: true, stream_options: { include_usage: true } },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    const choices = chunks.flatMap(chunk => chunk.choices);
    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe(textOf(whole));
    expect(choices.flatMap(({ logprobs }) => logprobs?.content ?? [])).toEqual(
      whole.choices[0]?.logprobs?.content,
    );
    expect(choices.at(-1)?.finish_reason).toBe('stop');
    expect(chunks.at(-1)?.usage).toEqual(whole.usage);
  });

  test('is assembled by the client', async () => {
    const whole = await ask();
    const stream = client.chat.completions.stream({ model: 'compact', messages: MESSAGES, seed: 7 });
    const assembled = await stream.finalChatCompletion();
    expect(textOf(assembled)).toBe(textOf(whole));
    expect(assembled.choices[0]?.finish_reason).toBe('stop');
  });
});

describe('an error has the exception of the client that fits', () => {
  const failure = (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(() => undefined).catch(error => error);

  test('a wrong key', async () => {
    const other = new OpenAI({ baseURL: served.url, apiKey: 'a-wrong-key-of-some-length', maxRetries: 0 });
    const error = await failure(ask({}, other));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, code: 'invalid_api_key', type: 'authentication_error' });
  });

  test('a model that is not served', async () => {
    const error = await failure(ask({ model: 'compact-v1' }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
    expect(String(error)).toContain(`Use one of compact, ${VERSION}.`);
  });

  test('a route that is not served', async () => {
    const error = await failure(client.responses.create({ model: 'compact', input: 'Hello' }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ status: 404, code: 'unknown_url' });
  });

  test.each([
    ['several replies', { n: 2 }, 'n'],
    ['tools', { tools: [{ type: 'function', function: { name: 'click' } }] }, 'tools'],
    ['no screen', { messages: [{ role: 'user', content: 'Hello' }] }, 'messages'],
    [
      'an unknown kind of part',
      { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] },
      'messages.0.content',
    ],
  ])('%s', async (_, fields, param) => {
    const error = await failure(ask(fields));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', param });
  });

  test('no server', async () => {
    const { url, key, stop } = await servePolicy();
    await stop();
    const other = new OpenAI({ baseURL: url, apiKey: key, maxRetries: 0 });
    expect(await failure(ask({}, other))).toBeInstanceOf(APIConnectionError);
  });
});

test('a request is sent again until a restarted server answers', async () => {
  const { before, across } = await askAcrossRestart(async ({ url, key }) =>
    textOf(await ask({}, new OpenAI({ baseURL: url, apiKey: key, maxRetries: 1000 }))),
  );
  expect(actionsIn(before)).toHaveLength(1);
  expect(across).toBe(before);
});
