// The routes of the Tinker protocol, below /api/v1. Requests and replies are JSON, or protobuf where the client sends or accepts it.

import { createHash } from 'node:crypto';
import { MAX_CONTEXT } from '../../agents/micro/decoder.ts';
import { parsedJson } from '../../core/json.ts';
import {
  createSamplingSessionRequest,
  createSessionRequest,
  loadWeightsRequest,
  modelRequest,
  optimStepRequest,
  retrieveFutureRequest,
  saveWeightsForSamplerRequest,
  saveWeightsRequest,
  sessionHeartbeatRequest,
} from '../../learner/tinker/wire/control.ts';
import {
  checked,
  forwardBackwardFromJson,
  resultToJson,
  samplesToJson,
} from '../../learner/tinker/wire/json.ts';
import {
  type ForwardBackward,
  JSON_TYPE,
  PROTOBUF_TYPE,
  WireError,
} from '../../learner/tinker/wire/messages.ts';
import { decodeForwardBackward, encodeForwardBackward } from '../../learner/tinker/wire/protobuf.ts';
import { encodeResult } from '../../learner/tinker/wire/protobuf-results.ts';
import { encodeSamples } from '../../learner/tinker/wire/protobuf-samples.ts';
import { ApiError } from '../api-error.ts';
import { type ApiExchange, type ApiRoute, sendBody, sendJson } from '../api-server.ts';
import { readBytes } from '../request-body.ts';
import { TinkerFault } from './faults.ts';
import type { FutureResult, Futures } from './futures.ts';
import { createModel, joinSamplingSession, retrieveFutures, sampleBody, weightsInfo } from './requests.ts';
import type { SamplingRequests } from './sampling-requests.ts';
import type { SavedWeights } from './saved-weights.ts';
import type { Sessions } from './sessions.ts';
import { TINKER_SCHEME } from './tinker-path.ts';
import type { TrainingRequests } from './training-requests.ts';

export interface TinkerParts {
  readonly baseName: string;
  readonly sessions: Sessions;
  readonly training: TrainingRequests;
  readonly sampling: SamplingRequests;
  readonly futures: Futures;
  readonly saved: SavedWeights;
  readonly newId: () => string;
}

export const TINKER_ROOT = '/api/v1/';
/** The SDK gives up after 45 s. */
const POLL_MS = 30_000;

/** The body of a request, and its hash: equal hashes are equal requests. */
interface Body {
  readonly value: unknown;
  readonly digest: string;
}

export function tinkerRoutes(parts: TinkerParts): readonly ApiRoute[] {
  const { baseName, sessions, training, sampling, futures, saved, newId } = parts;
  const info = { base_model: baseName, is_lora: false };
  return [
    get('healthz', () => ({ status: 'ok' })),
    get('get_server_capabilities', () => ({
      supported_models: [
        { model_name: baseName, max_context_length: MAX_CONTEXT, trainable: true, sampleable: true },
      ],
    })),
    get('samplers/', ({ rest }) => {
      const { id, from } = sampling.session(rest);
      return { sampler_id: id, base_model: baseName, model_path: from.path ?? null };
    }),
    // The client polls one list of completions instead of each future.
    post('client/config', () => ({ pjwt_auth_enabled: false, sample_use_retrieve_futures: true })),
    post('client/dynamic_config', () => ({})),
    post('telemetry', () => ({ status: 'accepted' })),
    post('create_session', body => {
      checked(createSessionRequest, body.value, 'request to create a session');
      const session_id = newId();
      sessions.begin(session_id);
      return { type: 'create_session', session_id };
    }),
    post('session_heartbeat', body => {
      sessions.hear(checked(sessionHeartbeatRequest, body.value, 'heartbeat').session_id);
      return { type: 'session_heartbeat' };
    }),
    post('sessions/', (_, { rest }) => {
      const [, id = ''] = /^([^/]+)\/finish$/.exec(rest) ?? [];
      sessions.finish(id);
      return {};
    }),
    post('create_model', ({ value, digest }) =>
      training.createModel(checked(createModel, value, 'request to create a model'), digest),
    ),
    post('get_info', ({ value }) => {
      const { id } = sessions.model(checked(modelRequest, value, 'request for a model').model_id);
      const model_data = { arch: 'micro', model_name: baseName };
      return { type: 'get_info', model_id: id, model_name: baseName, model_data, is_lora: false };
    }),
    post('unload_model', ({ value }) =>
      training.unload(checked(modelRequest, value, 'request to unload a model').model_id),
    ),
    trainingRoute('forward', training),
    trainingRoute('forward_backward', training),
    post('optim_step', ({ value, digest }) => {
      const { model_id, seq_id, adam_params } = checked(optimStepRequest, value, 'request for a step');
      return training.optimStep(model_id, seq_id ?? undefined, adam_params, digest);
    }),
    post('save_weights', ({ value, digest }) =>
      training.saveWeights(checked(saveWeightsRequest, value, 'request to save weights'), digest),
    ),
    post('load_weights', ({ value, digest }) =>
      training.loadWeights(checked(loadWeightsRequest, value, 'request to load weights'), digest),
    ),
    post('save_weights_for_sampler', ({ value, digest }) =>
      sampling.saveForSampler(
        checked(saveWeightsForSamplerRequest, value, 'request to save weights'),
        digest,
      ),
    ),
    post('weights_info', async ({ value }) => {
      await saved.read(checked(weightsInfo, value, 'request about weights').tinker_path);
      return info;
    }),
    {
      ...route('DELETE', 'training_runs/'),
      answer: async ({ response, rest }) => {
        const [, run = '', checkpoint = ''] = /^([^/]+)\/checkpoints\/(.+)$/.exec(rest) ?? [];
        const path = `${TINKER_SCHEME}${run}/${checkpoint}`;
        if (!(await asFault(() => saved.remove(path))))
          throw new ApiError(404, `'${path}' has no weights in this server. They may be deleted already.`, {
            type: 'not_found_error',
          });
        sendJson(response, 200, {});
      },
    },
    post('create_sampling_session', async ({ value }) => {
      const request = checked(createSamplingSessionRequest, value, 'request to create a sampling session');
      const { id } = await sampling.createSession(request.session_id, request.sampling_session_seq_id, {
        ...{ base: request.base_model ?? undefined, path: request.model_path ?? undefined },
      });
      return { type: 'create_sampling_session', sampling_session_id: id };
    }),
    post('join_sampling_session', ({ value }) => {
      const { sampling_session_id } = checked(
        joinSamplingSession,
        value,
        'request to join a sampling session',
      );
      return { type: 'join_sampling_session', client_counter: sampling.session(sampling_session_id).join() };
    }),
    post('asample', ({ value, digest }) =>
      sampling.sample(checked(sampleBody, value, 'request to sample'), digest),
    ),
    {
      ...route('POST', 'retrieve_future'),
      limit: 'waiting',
      answer: exchange => retrieve(exchange, futures),
    },
    {
      ...route('POST', 'retrieve_futures'),
      limit: 'waiting',
      answer: exchange => retrieveAll(exchange, sampling),
    },
  ];
}

const route = (method: ApiRoute['method'], path: string) => ({ method, path: TINKER_ROOT + path });

const get = (path: string, reply: (exchange: ApiExchange) => object): ApiRoute => ({
  ...route('GET', path),
  answer: async exchange => sendJson(exchange.response, 200, await asFault(async () => reply(exchange))),
});

const post = (
  path: string,
  reply: (body: Body, exchange: ApiExchange) => object | Promise<object>,
): ApiRoute => ({
  ...route('POST', path),
  answer: async exchange => {
    const body = await jsonOf(exchange);
    sendJson(exchange.response, 200, await asFault(async () => reply(body, exchange)));
  },
});

/** The messages that may be protobuf. */
const trainingRoute = (path: 'forward' | 'forward_backward', training: TrainingRequests): ApiRoute => ({
  ...route('POST', path),
  answer: async exchange => {
    const bytes = await readBytes(exchange.request);
    const isProtobuf = exchange.request.headers['content-type']?.startsWith(PROTOBUF_TYPE) === true;
    const encoding = exchange.request.headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity')
      throw new ApiError(415, `The body is encoded as '${encoding}'. Send it without Content-Encoding.`);
    const reply = await asFault(async () => {
      const request = isProtobuf
        ? decodeForwardBackward(bytes)
        : forwardBackwardFromJson(parsedJson(bytes.toString('utf8')), path);
      return training.forwardBackward(numbered(request), digestOf(encodeForwardBackward(request)));
    });
    sendJson(exchange.response, 200, reply);
  },
});

/** In protobuf, 0 is a number that was left out. */
const numbered = ({ seqId, ...request }: ForwardBackward): ForwardBackward => ({
  ...request,
  ...(seqId !== undefined && seqId !== 0 && { seqId }),
});

async function retrieve(exchange: ApiExchange, futures: Futures): Promise<void> {
  const { value } = await jsonOf(exchange);
  const { request_id } = await asFault(async () =>
    checked(retrieveFutureRequest, value, 'request for a result'),
  );
  const result = await futures.wait(request_id, POLL_MS, exchange.closing);
  const { response, request } = exchange;
  const wantsProtobuf = request.headers.accept?.includes(PROTOBUF_TYPE) === true;
  if (result === undefined) sendJson(response, 200, { type: 'try_again', request_id, queue_state: 'active' });
  else if (wantsProtobuf && (result.kind === 'trained' || result.kind === 'sampled'))
    sendBody(response, 200, PROTOBUF_TYPE, protobufOf(result));
  else sendBody(response, 200, `${JSON_TYPE}; charset=utf-8`, Buffer.from(jsonTextOf(result)));
}

const protobufOf = (result: Extract<FutureResult, { kind: 'trained' | 'sampled' }>): Uint8Array =>
  result.kind === 'trained' ? encodeResult(result.result) : encodeSamples(result.result);

function jsonTextOf(result: FutureResult): string {
  switch (result.kind) {
    case 'trained':
      return resultToJson(result.result);
    case 'sampled':
      return samplesToJson(result.result);
    case 'done':
      return JSON.stringify(result.body);
    case 'failed':
      return JSON.stringify({ error: result.error, category: result.category });
  }
}

async function retrieveAll(exchange: ApiExchange, sampling: SamplingRequests): Promise<void> {
  const { value } = await jsonOf(exchange);
  const reply = await asFault(async () => {
    const { target, prev_cursor, timeout } = checked(retrieveFutures, value, 'request for results');
    const milliseconds = Math.min(POLL_MS, 1000 * (timeout ?? POLL_MS));
    const session = sampling.session(target.sampling_session_id);
    return session.completedAfter(target.cloned_sampler_id, prev_cursor, milliseconds, exchange.closing);
  });
  sendJson(exchange.response, 200, {
    completions: reply.completions.map(({ state, requestId }) => ({ state, request_id: requestId })),
    cursor: reply.cursor,
  });
}

async function jsonOf({ request }: ApiExchange): Promise<Body> {
  const bytes = await readBytes(request);
  const value = parsedJson(bytes.toString('utf8'));
  if (value === undefined)
    throw new ApiError(400, `The body of ${bytes.byteLength} bytes is not JSON. Send one JSON object.`);
  return { value, digest: digestOf(Buffer.from(request.url ?? ''), bytes) };
}

function digestOf(...parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

/** Errors of messages become faults of the request. */
async function asFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WireError || error instanceof TinkerFault)
      throw new ApiError(400, error.message, {}, { cause: error });
    throw error;
  }
}
