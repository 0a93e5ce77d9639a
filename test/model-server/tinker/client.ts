// A client of the Tinker protocol for tests, in JSON.

import { onTestFinished } from 'vitest';
import { encodeText } from '../../../runtime/agents/micro/tokenizer.ts';
import { END } from '../../../runtime/agents/micro/vocabulary.ts';
import type { TinyServer } from '../micro/tiny-server.ts';

export const PROMPT = encodeText('Task: Star the mail.\n');
export const REPLY = [...encodeText("Action: click(start_box='7')"), END];
export const ADAM = { learning_rate: 0.02, beta1: 0.9, beta2: 0.95, eps: 1e-8 };

const zeros = (count: number) => new Array<number>(count).fill(0);
const padded = (values: readonly number[]) => ({
  ...{ data: [...zeros(PROMPT.length - 1), ...values], dtype: 'float32' },
});

/** The prompt with a reply; the lists are those of its tokens. */
export const datum = (
  lists: Readonly<Record<string, readonly number[]>>,
  reply: readonly number[] = REPLY,
) => ({
  model_input: { chunks: [{ type: 'encoded_text', tokens: [...PROMPT, ...reply.slice(0, -1)] }] },
  loss_fn_inputs: {
    target_tokens: { ...padded(reply), dtype: 'int64' },
    ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, padded(list)])),
  },
});

/** One session. */
export class TestClient {
  readonly #server: TinyServer;
  readonly session: string;
  #models = 0;

  private constructor(server: TinyServer, session: string) {
    this.#server = server;
    this.session = session;
  }

  static async begin(server: TinyServer): Promise<TestClient> {
    const body = { tags: [], user_metadata: null, sdk_version: '0.38.0' };
    const reply = await (await server.post('/api/v1/create_session', body)).json();
    return new TestClient(server, reply.session_id);
  }

  async send(route: string, body: object) {
    return (await this.#server.post(`/api/v1/${route}`, body)).json();
  }

  async status(route: string, body: object): Promise<number> {
    return (await this.#server.post(`/api/v1/${route}`, body)).status;
  }

  async finish(): Promise<void> {
    await this.send(`sessions/${this.session}/finish`, { reason: { type: 'success' } });
  }

  /** The result of a request. */
  async result(route: string, body: object) {
    const { request_id } = await this.send(route, body);
    return this.send('retrieve_future', { request_id });
  }

  async createModel(): Promise<string> {
    const created = await this.result('create_model', {
      ...{ session_id: this.session, model_seq_id: this.#models++, base_model: 'micro' },
      lora_config: { rank: 8 },
    });
    return created.model_id;
  }

  /** The result of a pass with cross-entropy. */
  async pass(model_id: string, seq_id: number, weights: readonly number[] = REPLY.map(() => 1)) {
    return this.result('forward_backward', {
      ...{ model_id, seq_id },
      forward_backward_input: { data: [datum({ weights })], loss_fn: 'cross_entropy' },
    });
  }

  /** The log-probabilities of the reply. */
  async forward(model_id: string, seq_id: number): Promise<readonly number[]> {
    const { loss_fn_outputs } = await this.result('forward', {
      ...{ model_id, seq_id },
      forward_input: { data: [datum({ weights: REPLY.map(() => 0) })], loss_fn: 'cross_entropy' },
    });
    return loss_fn_outputs[0].logprobs.data.slice(PROMPT.length - 1);
  }

  async step(model_id: string, seq_id: number) {
    return this.result('optim_step', { model_id, seq_id, adam_params: ADAM });
  }

  async sample(from: object, fields: object = {}) {
    return this.result('asample', {
      ...{ prompt: { chunks: [{ type: 'encoded_text', tokens: PROMPT }] }, ...from },
      sampling_params: { max_tokens: 16, temperature: 0, seed: 1 },
      ...fields,
    });
  }
}

/** A client whose session ends with the test. */
export async function clientOf(server: TinyServer): Promise<TestClient> {
  const client = await TestClient.begin(server);
  onTestFinished(() => client.finish());
  return client;
}
