// The official Python client (`openai` on PyPI) against a real `dartboard model serve`.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { describeUnless } from '../environments/docker/engine.ts';
import { missingPackages, python } from './python.ts';
import { askAcrossRestart } from './restart.ts';
import { actionsIn, firstTurn, type ServedPolicy, STEP, servePolicy } from './served-policy.ts';

const VERSION = `compact-v${STEP}`;
const REQUEST = { model: 'compact', messages: firstTurn(), seed: 7 };

const reply = z.object({
  text: z.string(),
  finish: z.string(),
  model: z.string(),
  usage: z.tuple([z.number(), z.number(), z.number()]),
  tokens: z
    .array(
      z.object({
        token: z.string(),
        logprob: z.number().max(0),
        bytes: z.string(),
        top: z.array(z.tuple([z.string(), z.number()])),
      }),
    )
    .nullable(),
});

describeUnless(missingPackages, 'the Python client', () => {
  let served: ServedPolicy;
  beforeAll(async () => {
    served = await servePolicy();
  });
  afterAll(() => served.stop());

  const play = (scenario: string, fields: object = {}): Promise<unknown> =>
    python('openai_client.py', { ...{ scenario, url: served.url, key: served.key }, ...fields });
  const ask = async (request: object = {}) =>
    reply.parse(await play('chat', { request: { ...REQUEST, ...request } }));

  test('it lists the models, and finds one by name', async () => {
    expect(await play('models', { model: VERSION })).toEqual({
      ...{ listed: ['compact', VERSION], found: 'dartboard' },
    });
  });

  test('a completion has an action, the version that chose it, and the usage', async () => {
    const { text, finish, model, usage, tokens } = await ask({ max_tokens: 512, frequency_penalty: 0 });
    expect(actionsIn(text)).toHaveLength(1);
    expect({ finish, model, tokens }).toEqual({ finish: 'stop', model: VERSION, tokens: null });
    expect(usage[2]).toBe(usage[0] + usage[1]);
  });

  test('log-probabilities are typed, and spell the reply', async () => {
    const { text, tokens } = await ask({ logprobs: true, top_logprobs: 3 });
    expect(tokens?.map(({ token }) => token).join('')).toBe(text);
    expect(tokens?.map(({ bytes }) => bytes).join('')).toBe(text);
    const chosen = tokens?.filter(({ logprob }) => logprob < 0) ?? [];
    expect(chosen).not.toEqual([]);
    expect(chosen.every(({ top }) => top.length > 1 && top.length <= 3)).toBe(true);
  });

  test('a stream spells the reply of the same seed', async () => {
    const { text } = await ask();
    const streamed = await play('stream', { request: REQUEST });
    expect(streamed).toMatchObject({ text, finish: 'stop' });
  });

  test('requests at a time are answered each by its own seed', async () => {
    const { model, messages } = REQUEST;
    const seeds = [7, 8, 9, 10, 7, 8, 9, 10];
    const texts = z.array(z.string()).parse(await play('at_once', { request: { model, messages }, seeds }));
    expect(texts.slice(0, 4)).toEqual(texts.slice(4));
    expect(texts[0]).toBe((await ask()).text);
  });

  describe('an error has the exception of the client that fits', () => {
    test('a wrong key', async () => {
      const raised = await play('error', { key: 'a-wrong-key-of-some-length', request: REQUEST });
      expect(raised).toMatchObject({
        ...{ exception: 'AuthenticationError', status: 401, code: 'invalid_api_key' },
      });
    });

    test('a model that is not served', async () => {
      const raised = await play('error', { request: { ...REQUEST, model: 'compact-v1' } });
      expect(raised).toMatchObject({ exception: 'NotFoundError', status: 404, code: 'model_not_found' });
    });

    test('a field that is not accepted', async () => {
      const raised = await play('error', { request: { ...REQUEST, n: 2 } });
      expect(raised).toMatchObject({
        ...{ exception: 'BadRequestError', status: 400, param: 'n', type: 'invalid_request_error' },
      });
    });
  });

  test('a request is sent again until a restarted server answers', async () => {
    const { before, across } = await askAcrossRestart(async address =>
      reply.parse(await play('chat', { ...address, retries: 1000, request: REQUEST })),
    );
    expect(across.text).toBe(before.text);
  });
});
