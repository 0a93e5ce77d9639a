// The Tinker protocol over HTTP: samples, the scores of prompts, and sampling sessions.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeTokens, encodeText } from '../../../runtime/agents/micro/tokenizer.ts';
import { at } from '../../../runtime/core/at.ts';
import { PROTOBUF_TYPE } from '../../../runtime/learner/tinker/wire/messages.ts';
import { decodeSamples } from '../../../runtime/learner/tinker/wire/protobuf-samples.ts';
import { type TinyServer, tinyServer } from '../micro/tiny-server.ts';
import { clientOf, datum, PROMPT } from './client.ts';

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

describe('sampling', () => {
  test('in a session for one step uses the weights of then', async () => {
    const client = await begun();
    const model = await client.createModel();
    const { sampling_session_id } = await client.result('save_weights_for_sampler', {
      ...{ model_id: model, seq_id: 1, sampling_session_seq_id: 0 },
    });
    const before = await client.sample({ sampling_session_id, seq_id: 0 });
    await client.pass(model, 2);
    await client.step(model, 3);
    expect(await client.sample({ sampling_session_id, seq_id: 1 })).toEqual(before);
    expect(await (await server.get(`/api/v1/samplers/${sampling_session_id}`)).json()).toEqual({
      ...{ sampler_id: sampling_session_id, base_model: 'micro', model_path: null },
    });
  });

  test('in a session that is used stays possible, however many newer ones there are', async () => {
    const client = await begun();
    const model = await client.createModel();
    const sessionOf = async (number: number): Promise<string> => {
      const { sampling_session_id } = await client.result('save_weights_for_sampler', {
        ...{ model_id: model, seq_id: number + 1, sampling_session_seq_id: number },
      });
      return sampling_session_id;
    };
    const [used, unused] = [await sessionOf(0), await sessionOf(1)];
    for (let number = 2; number < 30; number += 1) {
      await sessionOf(number);
      await client.sample({ sampling_session_id: used, seq_id: number });
    }
    expect((await server.get(`/api/v1/samplers/${unused}`)).status).toBe(404);
  });

  test('the log-probabilities of samples and of a forward pass are equal', async () => {
    const client = await begun();
    const body = {
      ...{
        base_model: 'micro',
        prompt: { chunks: [{ type: 'encoded_text', tokens: PROMPT }] },
        num_samples: 3,
      },
      ...{ sampling_params: { max_tokens: 8, seed: 5 }, topk_sample_logprobs: 2 },
    };
    const sent = await client.send('asample', body);
    expect(sent.sample_sequence_ids).toHaveLength(3);
    const reply = await server.post(
      '/api/v1/retrieve_future',
      { request_id: sent.request_id },
      { accept: PROTOBUF_TYPE },
    );
    const { sequences } = decodeSamples(new Uint8Array(await reply.arrayBuffer()));
    expect(new Set(sequences.map(({ tokens }) => tokens.join())).size).toBeGreaterThan(1);
    const model = await client.createModel();
    const data = sequences.map(({ tokens }) => datum({ weights: tokens.map(() => 0) }, tokens));
    const { loss_fn_outputs } = await client.result('forward', {
      ...{ model_id: model, seq_id: 1, forward_input: { data, loss_fn: 'cross_entropy' } },
    });
    for (const [index, { logprobs, topLogprobs }] of sequences.entries()) {
      const assessed = loss_fn_outputs[index].logprobs.data.slice(PROMPT.length - 1);
      for (const [token, each] of (logprobs ?? []).entries()) expect(assessed[token]).toBeCloseTo(each, 3);
      expect(topLogprobs?.every(top => top?.length === 2)).toBe(true);
    }
  });

  test('ends at stop tokens and stop texts, or at neither', async () => {
    const client = await begun();
    const seed = { max_tokens: 12, seed: 5 };
    const tokensFor = async (stop: unknown): Promise<readonly number[]> =>
      (await client.sample({ base_model: 'micro' }, { sampling_params: { ...seed, stop } })).sequences[0]
        .tokens;
    const free = await tokensFor([]);
    expect(free).toHaveLength(12);
    const third = at(free, 2);
    const place = free.indexOf(third);
    expect(await tokensFor([third])).toEqual(free.slice(0, place + 1));
    const text = decodeTokens(free.slice(0, 3));
    expect(text).not.toBe('');
    const end = free.findIndex((_, index) => decodeTokens(free.slice(0, index + 1)).includes(text));
    expect(await tokensFor(['never written', text])).toEqual(free.slice(0, end + 1));
    expect(await tokensFor(text)).toEqual(free.slice(0, end + 1));
  });

  test('scores the prompt, and the last tokens of it alone', async () => {
    const client = await begun();
    const scored = await client.sample(
      { base_model: 'micro' },
      { prompt_logprobs: true, topk_prompt_logprobs: 2 },
    );
    expect(scored.prompt_logprobs).toHaveLength(PROMPT.length);
    expect(scored.prompt_logprobs[0]).toBeNull();
    expect(scored.prompt_logprobs.slice(1).every((each: number) => each < 0)).toBe(true);
    expect(scored.topk_prompt_logprobs.slice(1).every((each: readonly unknown[]) => each.length === 2)).toBe(
      true,
    );
    const last = await client.sample(
      { base_model: 'micro' },
      { prompt_logprobs: true, prompt_logprobs_last_n: 2 },
    );
    expect(last.prompt_logprobs.slice(0, -2).every((each: unknown) => each === null)).toBe(true);
    expect(last.prompt_logprobs.slice(-2)).toEqual(scored.prompt_logprobs.slice(-2));
  });

  test('scores a prompt behind its first character, also if this has a token for each byte', async () => {
    const client = await begun();
    const tokens = encodeText('École');
    expect(encodeText('É')).toHaveLength(2);
    const { prompt_logprobs } = await client.sample(
      { base_model: 'micro', prompt: { chunks: [{ type: 'encoded_text', tokens }] } },
      { prompt_logprobs: true },
    );
    expect(prompt_logprobs).toHaveLength(tokens.length);
    expect(prompt_logprobs.slice(0, 2)).toEqual([null, null]);
    expect(prompt_logprobs.slice(2).every((each: number) => each < 0)).toBe(true);
  });

  test('with a seed of 64 bits has equal samples each time', async () => {
    const client = await begun();
    const sampling_params = { max_tokens: 12, seed: 2 ** 60 };
    const sampled = () => client.sample({ base_model: 'micro' }, { sampling_params });
    const first = await sampled();
    expect(first.sequences[0].tokens.length).toBeGreaterThan(0);
    expect(await sampled()).toEqual(first);
  });

  test('scores of a prompt equal a forward pass without a boundary', async () => {
    const client = await begun();
    const model = await client.createModel();
    const { prompt_logprobs } = await client.sample({ base_model: 'micro' }, { prompt_logprobs: true });
    const data = [
      {
        model_input: { chunks: [{ type: 'encoded_text', tokens: PROMPT.slice(0, -1) }] },
        loss_fn_inputs: {
          target_tokens: { data: PROMPT.slice(1), dtype: 'int64' },
          weights: { data: PROMPT.slice(1).map(() => 0), dtype: 'float32' },
        },
      },
    ];
    const { loss_fn_outputs } = await client.result('forward', {
      ...{ model_id: model, seq_id: 1, forward_input: { data, loss_fn: 'cross_entropy' } },
    });
    for (const [place, each] of prompt_logprobs.slice(1).entries())
      expect(loss_fn_outputs[0].logprobs.data[place]).toBeCloseTo(each, 3);
  });

  test('completions of a session are listed behind a cursor', async () => {
    const client = await begun();
    const { sampling_session_id } = await client.send('create_sampling_session', {
      ...{ session_id: client.session, sampling_session_seq_id: 0, base_model: 'micro' },
    });
    const body = {
      ...{
        prompt: { chunks: [{ type: 'encoded_text', tokens: PROMPT }] },
        sampling_params: { max_tokens: 2 },
      },
      ...{ sampling_session_id, seq_id: 0 },
    };
    const { request_id } = await client.send('asample', body);
    expect((await client.send('asample', body)).request_id).toBe(request_id);
    const poll = (prev_cursor: number, timeout?: number) =>
      client.send('retrieve_futures', {
        ...{ target: { type: 'sampling_session', sampling_session_id }, prev_cursor },
        ...(timeout !== undefined && { timeout }),
      });
    const first = await poll(0);
    expect(first.completions).toEqual([{ state: 'finished', request_id }]);
    expect((await poll(first.cursor, 0)).completions).toEqual([]);
  });

  test.each([
    ['top_p', { sampling_params: { top_p: 0.5 } }],
    ['top_p of 0', { sampling_params: { top_p: 0 } }],
    ['top_k', { sampling_params: { top_k: 5 } }],
    ['more than 1024 samples', { num_samples: 1025 }],
    ['more than 20 alternatives of a token', { topk_sample_logprobs: 21 }],
    ['more than 20 alternatives of a token of the prompt', { topk_prompt_logprobs: 21 }],
    ['alternatives of the prompt', { prompt_alt_tokens_k: 3 }],
    ['another base model', { base_model: 'Qwen/Qwen3-8B' }],
  ])('refuses %s', async (_, fields) => {
    const client = await begun();
    const prompt = { chunks: [{ type: 'encoded_text', tokens: PROMPT }] };
    expect(
      await client.status('asample', { base_model: 'micro', prompt, sampling_params: {}, ...fields }),
    ).toBe(400);
  });
});
