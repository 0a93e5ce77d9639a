// A real `dartboard model serve` with a micro model: both protocols on one port, in a process of its own.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeMicro } from '../../runtime/agents/micro/weights-file.ts';
import { TINY, tinyWeights } from '../agents/micro/tiny.ts';
import { below, called, type Process } from '../e2e/training.ts';
import { PATIENCE } from '../patience.ts';
import { type ServedPolicy, servePolicy } from './served-policy.ts';

const serve = () =>
  servePolicy({ weights: encodeMicro({ shape: TINY, version: 3, weights: tinyWeights('served') }) });

const enginesOf = ({ pid }: ServedPolicy): readonly Process[] =>
  below(pid ?? 0).filter(each => called([each], 'engine') !== undefined);

let served: ServedPolicy;
/** Of the engine of the replies, which starts with the server. */
let replying: number | undefined;
beforeAll(async () => {
  served = await serve();
  replying = enginesOf(served)[0]?.pid;
});
afterAll(() => served.stop());

const post = async (path: string, body: object) => {
  const response = await fetch(served.tinkerUrl + path, {
    method: 'POST',
    headers: { 'x-api-key': served.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
};

const result = async (route: string, body: object) =>
  post('/api/v1/retrieve_future', { request_id: (await post(`/api/v1/${route}`, body)).request_id });

async function createModel(): Promise<string> {
  const { session_id } = await post('/api/v1/create_session', { tags: [], sdk_version: '0.38.0' });
  const created = await result('create_model', { session_id, model_seq_id: 0, base_model: 'micro' });
  return created.model_id;
}

/** A pass with cross-entropy. */
const pass = (model_id: string, seq_id: number) => {
  const data = [
    {
      model_input: { chunks: [{ type: 'encoded_text', tokens: [40, 41, 42] }] },
      loss_fn_inputs: {
        target_tokens: { data: [0, 42, 2], dtype: 'int64' },
        weights: { data: [0, 1, 1], dtype: 'float32' },
      },
    },
  ];
  const forward_backward_input = { data, loss_fn: 'cross_entropy' };
  return result('forward_backward', { model_id, seq_id, forward_backward_input });
};

const step = (model_id: string, seq_id: number) =>
  result('optim_step', { model_id, seq_id, adam_params: { learning_rate: 0.01 } });

test('the generated key is one that clients of the Tinker protocol accept', () => {
  expect(served.key).toMatch(/^tml-/);
  expect(served.url).toBe(`${served.tinkerUrl}/v1`);
});

test('it chats', async () => {
  const reply = await post('/v1/chat/completions', {
    ...{
      model: 'micro',
      messages: [{ role: 'user', content: 'Task: a' }],
      max_tokens: 4,
      return_token_ids: true,
    },
  });
  expect(reply).toMatchObject({ model: 'micro', metadata: { weight_version: '3' } });
  expect(reply.choices[0].token_ids.length).toBeGreaterThan(0);
});

test('it trains, and serves what it trained', async () => {
  const model_id = await createModel();
  const trained = await pass(model_id, 1);
  expect(trained.metrics['loss:sum']).toBeGreaterThan(0);
  const stepped = await step(model_id, 2);
  expect(stepped.metrics['step:max']).toBe(4);
  const { path } = await result('save_weights_for_sampler', { model_id, seq_id: 3, path: 'one' });
  await post('/v1/load_lora_adapter', { lora_name: 'run-v4', lora_path: path });
  const chat = { model: 'run-v4', messages: [{ role: 'user', content: 'Task: a' }], max_tokens: 2 };
  expect((await post('/v1/chat/completions', chat)).metadata).toEqual({ weight_version: '4' });
});

test('when the engine of training dies, it reports that, and another engine makes the step with its gradient', async () => {
  const model_id = await createModel();
  await pass(model_id, 1);
  await step(model_id, 2);
  await pass(model_id, 3);
  const training = enginesOf(served).find(({ pid }) => pid !== replying);
  process.kill(training?.pid ?? expect.unreachable('There is no engine of training.'), 'SIGKILL');
  const chat = { model: 'micro', messages: [{ role: 'user', content: 'Task: a' }], max_tokens: 2 };
  expect(await post('/v1/chat/completions', chat)).toMatchObject({ model: 'micro' });
  const { metrics } = await step(model_id, 4);
  expect(metrics['step:max']).toBe(5);
  expect(metrics['gradient_norm:mean']).toBeGreaterThan(0);
  const report = /The engine process .* ended with SIGKILL\. The next request that trains starts /;
  await expect.poll(() => served.errors(), PATIENCE).toMatch(report);
});

test('when the engine of its replies dies, it ends with exit code 1 and prints the reason', async () => {
  const server = await serve();
  const engine = enginesOf(server)[0] ?? expect.unreachable('There is no engine.');
  process.kill(engine.pid, 'SIGKILL');
  expect(await server.ended).toBe(1);
  expect(server.errors()).toMatch(/The engine process \(process \d+\) ended with SIGKILL\. Start /);
});
