// A double of a Tinker server behind the transport, with a model that really learns. Requests to a model are carried out in the order of
// their numbers; a request waits until those before it have arrived.

import type { Clock } from '../../../runtime/core/clock.ts';
import type {
  HttpBytesReply,
  HttpBytesTransport,
  HttpRequest,
} from '../../../runtime/endpoints/http-transport.ts';
import {
  createModelRequest,
  createSessionRequest,
  loadWeightsRequest,
  modelRequest,
  optimStepRequest,
  retrieveFutureRequest,
  sampleRequest,
  saveWeightsForSamplerRequest,
  saveWeightsRequest,
  sessionHeartbeatRequest,
} from '../../../runtime/learner/tinker/wire/control.ts';
import { lengthOf, passed, passIn } from './passes.ts';
import { RequestOrder } from './request-order.ts';
import { Refusal, replyOf, resultReply, type ServedResult } from './served-result.ts';
import { TableModel, type TableState } from './table-model.ts';
import { HOSTED, hardwareTime, type TinkerTraits } from './traits.ts';

interface Served {
  readonly session: string;
  readonly table: TableModel;
  readonly order: RequestOrder;
}

const SESSION_MS = 300_000;

interface Future {
  result?: ServedResult;
}

export class TinkerServer implements HttpBytesTransport {
  /** The routes of all requests. */
  readonly routes: string[] = [];
  /** Checkpoints survive every restart. */
  readonly disk = new Map<string, TableState>();
  readonly #traits: TinkerTraits;
  readonly #clock: Clock;
  /** The time of the last heartbeat. */
  readonly #sessions = new Map<string, number>();
  readonly #models = new Map<string, Served>();
  /** Like SkyRL on JAX, a server that takes means gives the next model the gradients that were left in these. */
  readonly #unloaded: TableModel[] = [];
  readonly #futures = new Map<string, Future>();
  /** The futures of models, by session and number. */
  readonly #created = new Map<string, string>();
  #made = 0;

  constructor(traits: Partial<TinkerTraits>, clock: Clock) {
    this.#traits = { ...HOSTED, ...traits };
    this.#clock = clock;
  }

  /** Starts again with the checkpoints alone. */
  restart(): void {
    this.#sessions.clear();
    this.#models.clear();
    this.#unloaded.splice(0);
    this.#futures.clear();
  }

  /** Forgets the results, but neither models nor the numbers of requests. */
  dropResults(): void {
    this.#futures.clear();
  }

  /** The ids of the models that are loaded. */
  get loaded(): readonly string[] {
    return [...this.#models.keys()];
  }

  async sendForBytes(request: HttpRequest): Promise<HttpBytesReply> {
    const route = new URL(request.url).pathname.replace('/api/v1', '');
    this.routes.push(route);
    this.#expire();
    if (this.#traits.key !== undefined && request.headers['x-api-key'] !== this.#traits.key)
      return replyOf(401, { detail: `Invalid API key ${request.headers['x-api-key'] ?? ''}` });
    const parts = request.body.map(part =>
      typeof part === 'string' ? Buffer.from(part) : Buffer.from(part),
    );
    try {
      return await this.#answer(route, Buffer.concat(parts), request);
    } catch (error) {
      if (request.signal.aborted) throw error;
      if (error instanceof Refusal) return replyOf(error.status, { detail: error.message });
      // The schemas reject what a real server rejects.
      return replyOf(422, { detail: [{ msg: String(error) }] });
    }
  }

  close(): void {}

  async #answer(route: string, body: Buffer, request: HttpRequest): Promise<HttpBytesReply> {
    if (route === '/get_server_capabilities')
      return replyOf(200, { supported_models: [{ model_name: this.#traits.model }] });
    if (route === '/forward' || route === '/forward_backward') {
      const pass = passIn(route, body, request, this.#traits);
      return this.#inOrder(pass.modelId, pass.seqId, body, table => passed(table, pass, this.#traits));
    }
    const value: unknown = JSON.parse(body.toString());
    if (route === '/retrieve_future') return this.#retrieve(value, request);
    if (route === '/create_session') {
      createSessionRequest.parse(value);
      const session = this.#id('session');
      this.#sessions.set(session, this.#clock.now());
      return replyOf(200, { type: 'create_session', session_id: session });
    }
    if (route === '/session_heartbeat') {
      const { session_id: session } = sessionHeartbeatRequest.parse(value);
      this.#checkSession(session);
      this.#sessions.set(session, this.#clock.now());
      return replyOf(200, { type: 'session_heartbeat' });
    }
    if (route === '/create_model') return this.#createModel(value);
    if (route === '/unload_model') {
      const { model_id: id } = modelRequest.parse(value);
      const { table } = this.#served(id);
      this.#models.delete(id);
      if (this.#traits.reduction === 'row-mean') this.#unloaded.push(table);
      return this.#accepted({ kind: 'json', value: { type: 'unload_model', model_id: id } });
    }
    if (route === '/asample') return this.#sample(value);
    return this.#numbered(route, value, body);
  }

  #numbered(route: string, value: unknown, body: Buffer): HttpBytesReply {
    if (route === '/optim_step') {
      const { model_id: id, seq_id: number, adam_params: adam } = optimStepRequest.parse(value);
      return this.#inOrder(id, number, body, table => {
        const { reduction, maxLearningRate = Infinity } = this.#traits;
        if (adam.learning_rate > maxLearningRate)
          throw new Error('The step is not applied: its weights are not finite. Lower the learning rate');
        const norm = table.step(adam, reduction);
        const metrics = { 'double/grad_norm': norm, ...hardwareTime(this.#traits) };
        return { kind: 'json', value: { metrics } };
      });
    }
    if (route === '/save_weights') {
      const { model_id: id, seq_id: number, path } = saveWeightsRequest.parse(value);
      return this.#inOrder(id, number, body, table => this.#store(`${id}/weights/${path}`, table.state));
    }
    if (route === '/save_weights_for_sampler') {
      const { model_id: id, seq_id: number, path } = saveWeightsForSamplerRequest.parse(value);
      return this.#inOrder(id, number, body, table =>
        this.#store(`${id}/sampler_weights/${path}`, table.state),
      );
    }
    if (route !== '/load_weights') throw new Refusal(404, 'Not Found');
    const { model_id: id, seq_id: number, path } = loadWeightsRequest.parse(value);
    const state = this.disk.get(path);
    if (state === undefined) throw new Refusal(404, `Checkpoint not found: ${path}`);
    if (number !== 1) throw new Refusal(400, 'load_weights must be the first request of a model');
    return this.#inOrder(id ?? '', number, body, table => {
      table.state = state;
      return { kind: 'json', value: { type: 'load_weights' } };
    });
  }

  #createModel(value: unknown): HttpBytesReply {
    const request = createModelRequest.parse(value);
    const { session_id: session, base_model: base, model_seq_id: number } = request;
    this.#checkSession(session);
    const key = `${session}:${number}`;
    const earlier = this.#traits.recognisesRepeats ? this.#created.get(key) : undefined;
    if (earlier !== undefined) return replyOf(200, { request_id: earlier });
    if (base !== this.#traits.model) throw new Refusal(400, `Unknown base model ${base}`);
    if (this.#models.size >= this.#traits.room)
      return this.#accepted({ kind: 'failed', error: 'Maximum number of LoRA adapters reached' });
    const id = this.#id('model');
    const table = this.#unloaded.shift()?.heir() ?? new TableModel();
    this.#models.set(id, { session, table, order: new RequestOrder() });
    const future = this.#stored({ kind: 'json', value: { type: 'create_model', model_id: id } });
    this.#created.set(key, future);
    return replyOf(200, { request_id: future });
  }

  #sample(value: unknown): HttpBytesReply {
    const { prompt, base_model: base } = sampleRequest.parse(value);
    if (!this.#traits.promptLogProbabilities || base !== this.#traits.model)
      return this.#accepted({ kind: 'failed', error: 'prompt_logprobs is not supported' });
    const tokens = prompt.chunks.flatMap(chunk =>
      chunk.kind === 'text' ? chunk.tokens : Array.from({ length: lengthOf(chunk) }, () => 0),
    );
    const target = { type: 'int64', data: [...tokens.slice(1), 0] } as const;
    const datum = { input: prompt.chunks, lossInputs: { target_tokens: target } };
    const values = new TableModel().pass(datum, { lossFn: 'cross_entropy' }, 'sum', false);
    const sequences = [{ stopReason: 'length', tokens: [0], logprobs: [-1] }] as const;
    const promptLogprobs = [null, ...values.slice(0, -1)];
    return this.#accepted({ kind: 'samples', value: { sequences, promptLogprobs } });
  }

  #store(name: string, state: TableState): ServedResult {
    const path = `tinker://${name}`;
    if (this.disk.has(path)) throw new Refusal(409, `Checkpoint '${name}' already exists`);
    this.disk.set(path, state);
    return { kind: 'json', value: { path } };
  }

  #inOrder(
    id: string,
    number: number | null | undefined,
    body: Buffer,
    work: (table: TableModel) => ServedResult,
  ): HttpBytesReply {
    const { table, order } = this.#served(id);
    const isNumbered = typeof number === 'number' && this.#traits.recognisesRepeats;
    const earlier = isNumbered ? order.repeated(number, body) : undefined;
    if (earlier !== undefined) return replyOf(200, { request_id: earlier });
    const future = this.#id('future');
    const entry: Future = {};
    this.#futures.set(future, entry);
    const run = () => {
      try {
        entry.result = work(table);
      } catch (error) {
        entry.result = { kind: 'failed', error: error instanceof Error ? error.message : String(error) };
      }
    };
    if (isNumbered) order.accept(number, body, future, run);
    else run();
    return replyOf(200, { request_id: future });
  }

  async #retrieve(value: unknown, { headers, signal }: HttpRequest): Promise<HttpBytesReply> {
    const future = this.#futures.get(retrieveFutureRequest.parse(value).request_id);
    if (future === undefined) throw new Refusal(404, 'Future not found');
    if (future.result === undefined) {
      await this.#clock.sleep(5000, signal);
      return replyOf(200, { type: 'try_again', request_id: '', queue_state: 'active' });
    }
    return resultReply(
      future.result,
      this.#traits.protobuf && headers['accept'] === 'application/x-protobuf',
    );
  }

  #accepted(result: ServedResult): HttpBytesReply {
    return replyOf(200, { request_id: this.#stored(result) });
  }

  #stored(result: ServedResult): string {
    const future = this.#id('future');
    this.#futures.set(future, { result });
    return future;
  }

  #served(id: string): Served {
    const served = this.#models.get(id);
    if (served === undefined) throw new Refusal(404, 'Model not found');
    return served;
  }

  /** Frees the models of sessions without heartbeats. */
  #expire(): void {
    for (const [session, last] of this.#sessions)
      if (this.#clock.now() - last > SESSION_MS) this.#sessions.delete(session);
    for (const [id, { session }] of this.#models) if (!this.#sessions.has(session)) this.#models.delete(id);
  }

  #checkSession(session: string): void {
    if (!this.#sessions.has(session)) throw new Refusal(404, 'Session not found');
  }

  #id(kind: string): string {
    this.#made += 1;
    return `${kind}_${this.#made}`;
  }
}
