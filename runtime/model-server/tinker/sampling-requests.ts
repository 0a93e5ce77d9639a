// The requests of the Tinker protocol that sample: sampling sessions, and replies from their weights.

import type { MicroDecoder } from '../../agents/micro/decoder.ts';
import { decodeMicro, type SavedMicro } from '../../agents/micro/weights-file.ts';
import type { Clock } from '../../core/clock.ts';
import { ApiError, badRequest } from '../api-error.ts';
import type { GenerationGate } from '../micro/generation-gate.ts';
import { failureOf, TinkerFault } from './faults.ts';
import type { FutureResult, Futures } from './futures.ts';
import type { SampleBody, SaveWeightsForSampler } from './requests.ts';
import { sample } from './sampler.ts';
import { type SampledWeights, SamplingSession } from './sampling-session.ts';
import type { SavedWeights } from './saved-weights.ts';
import type { Sessions } from './sessions.ts';
import { savedPlace } from './tinker-path.ts';
import { done, type Submitted } from './training-requests.ts';

export interface SamplingRequestsOptions {
  readonly baseName: string;
  readonly base: SavedMicro;
  readonly decoder: Pick<MicroDecoder, 'reply' | 'score'>;
  readonly gate: Pick<GenerationGate, 'through'>;
  readonly sessions: Sessions;
  readonly futures: Futures;
  readonly saved: SavedWeights;
  readonly clock: Clock;
  readonly randomSeed: () => number;
}

/** Each may hold weights of about 10 MB. */
const MAX_SAMPLING_SESSIONS = 24;

export class SamplingRequests {
  readonly #options: SamplingRequestsOptions;
  /** Longest unused first. */
  readonly #sessions = new Map<string, SamplingSession>();

  constructor(options: SamplingRequestsOptions) {
    this.#options = options;
  }

  /** Throws an ApiError for an unknown session. */
  session(id: string): SamplingSession {
    const found = this.#sessions.get(id);
    if (found !== undefined) {
      // Now the last one that is dropped.
      this.#sessions.delete(id);
      this.#sessions.set(id, found);
      return found;
    }
    throw new ApiError(
      404,
      `The sampling session '${id}' is unknown. Create one with create_sampling_session.`,
      {
        type: 'not_found_error',
      },
    );
  }

  /** Rejects with an ApiError. */
  async createSession(
    sessionId: string,
    number: number,
    model: { readonly base?: string | undefined; readonly path?: string | undefined },
  ): Promise<SamplingSession> {
    this.#options.sessions.hear(sessionId);
    const id = samplingId(sessionId, number);
    if (this.#sessions.has(id)) return this.session(id);
    return this.#keep(this.#sessionOf(id, await this.#weightsOf(model)));
  }

  /** Under a path, or for one sampling session. */
  saveForSampler(request: SaveWeightsForSampler, digest: string): Submitted {
    const { model_id, seq_id, path, sampling_session_seq_id: number } = request;
    const { model, requests, sessionId } = this.#options.sessions.model(model_id);
    if (path == null && number == null)
      throw badRequest('path', "The weights get no name. Send 'path', or 'sampling_session_seq_id'.");
    const work = async () => {
      const type = 'save_weights_for_sampler';
      if (path != null) {
        const place = savedPlace(model_id, 'sampler_weights', path);
        return done({ type, path: await this.#options.saved.write(place, model.saveWeights(), true) });
      }
      const id = samplingId(sessionId, number ?? 0);
      this.#keep(this.#sessionOf(id, { weights: model.weights }));
      return done({ type, sampling_session_id: id });
    };
    return { request_id: requests.submit(seq_id ?? undefined, digest, work), model_id };
  }

  /** Rejects with an ApiError. */
  async sample(body: SampleBody, digest: string): Promise<Submitted> {
    const { decoder, gate, futures, randomSeed } = this.#options;
    const { sampling_session_id, base_model, model_path, sampling_params: given } = body;
    const session = sampling_session_id == null ? undefined : this.session(sampling_session_id);
    const { weights } =
      session?.from ??
      (await this.#weightsOf({ base: base_model ?? undefined, path: model_path ?? undefined }));
    if (given.top_p !== 1 || given.top_k > 0)
      throw badRequest(
        'sampling_params',
        `top_p is ${given.top_p} and top_k is ${given.top_k}. Leave them out: the micro model samples from the whole distribution.`,
      );
    const wantsScore = body.prompt_logprobs === true || body.topk_prompt_logprobs > 0;
    const request = {
      ...{ prompt: body.prompt.chunks, samples: body.num_samples, temperature: given.temperature },
      ...{ maxTokens: given.max_tokens ?? undefined, seed: given.seed ?? undefined },
      ...{ stop: given.stop ?? undefined, top: body.topk_sample_logprobs },
      score: wantsScore
        ? { top: body.topk_prompt_logprobs, last: body.prompt_logprobs_last_n ?? undefined }
        : undefined,
    };
    const work = async (): Promise<FutureResult> => ({
      kind: 'sampled',
      result: await gate.through(signal => sample(request, { decoder, weights, randomSeed, signal })),
    });
    const request_id = session?.submit(body.seq_id ?? undefined, digest, work) ?? futures.add(work());
    const ids = Array.from({ length: body.num_samples }, (_, index) => `${request_id}-${index}`);
    return { request_id, sample_sequence_ids: ids };
  }

  async #weightsOf({
    base,
    path,
  }: {
    readonly base?: string | undefined;
    readonly path?: string | undefined;
  }): Promise<SampledWeights> {
    const { baseName, base: saved } = this.#options;
    if (path === undefined) {
      if (base === baseName) return { weights: saved.weights };
      throw badRequest(
        'base_model',
        `The model '${base ?? ''}' is not served. Use '${baseName}', or 'model_path'.`,
      );
    }
    try {
      const { place, bytes } = await this.#options.saved.read(path);
      if (place.kind !== 'sampler_weights')
        throw new TinkerFault(
          `'${path}' are no weights for samplers. Save the model with save_weights_for_sampler.`,
        );
      const { weights, shape } = decodeMicro(bytes, path);
      if (JSON.stringify(shape) === JSON.stringify(saved.shape)) return { weights, path };
      throw new TinkerFault(
        `The weights in '${path}' have another network than the server. Use weights that it saved.`,
      );
    } catch (error) {
      const { category, error: message } = failureOf(error);
      throw category === 'user' ? badRequest('model_path', message, error) : error;
    }
  }

  #sessionOf(id: string, from: SampledWeights): SamplingSession {
    return new SamplingSession(id, from, this.#options.futures, this.#options.clock);
  }

  #keep(session: SamplingSession): SamplingSession {
    this.#sessions.set(session.id, session);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= MAX_SAMPLING_SESSIONS) break;
      this.#sessions.delete(oldest);
    }
    return session;
  }
}

const samplingId = (sessionId: string, number: number): string => `${sessionId}:sample:${number}`;
