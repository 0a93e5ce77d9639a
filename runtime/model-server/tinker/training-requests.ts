// The requests of the Tinker protocol that train: models and what they compute, save and load.

import type { SavedMicro } from '../../agents/micro/weights-file.ts';
import type { Clock } from '../../core/clock.ts';
import { type ForwardBackward, HARDWARE_SECONDS } from '../../learner/tinker/wire/messages.ts';
import { ApiError, badRequest } from '../api-error.ts';
import { TinkerFault } from './faults.ts';
import type { FutureResult, Futures } from './futures.ts';
import type { TrainerCalls } from './lazy-trainer.ts';
import { OrderedRequests } from './ordered-requests.ts';
import type { AdamParams, CreateModel, LoadWeights, SaveWeights } from './requests.ts';
import type { SavedWeights } from './saved-weights.ts';
import type { SessionModel, Sessions } from './sessions.ts';
import { savedPlace } from './tinker-path.ts';
import { TrainingModel } from './training-model.ts';

export interface TrainingRequestsOptions {
  /** The name of the model that all others begin from. */
  readonly baseName: string;
  readonly base: SavedMicro;
  readonly trainer: TrainerCalls;
  readonly sessions: Sessions;
  readonly futures: Futures;
  readonly saved: SavedWeights;
  readonly clock: Clock;
}

/** The reply to a request whose result comes later. */
export interface Submitted {
  readonly request_id: string;
  readonly model_id?: string;
  readonly sample_sequence_ids?: readonly string[];
}

interface Creation {
  readonly sessionId: string;
  readonly digest: string;
  readonly requestId: string;
}

export class TrainingRequests {
  readonly #options: TrainingRequestsOptions;
  /** The futures of models that were created, by model. */
  readonly #created = new Map<string, Creation>();

  constructor(options: TrainingRequestsOptions) {
    this.#options = options;
  }

  createModel(request: CreateModel, digest: string): Submitted {
    const { session_id, model_seq_id } = request;
    this.#checkBase(request.base_model);
    if ((request.optimizer_config?.type ?? 'adamw') !== 'adamw')
      throw badRequest(
        'optimizer_config',
        `The optimiser '${request.optimizer_config?.type}' is not served. Use 'adamw'.`,
      );
    return this.#create(session_id, model_seq_id ?? undefined, digest, async ({ id }) =>
      done({ type: 'create_model', model_id: id }),
    );
  }

  forwardBackward(request: ForwardBackward, digest: string): Submitted {
    const { model, requests, id } = this.#modelOf(request.modelId);
    const work = async (): Promise<FutureResult> => ({
      kind: 'trained',
      result: await model.forwardBackward(request),
    });
    return { request_id: requests.submit(request.seqId, digest, work), model_id: id };
  }

  optimStep(modelId: string, seqId: number | undefined, params: AdamParams, digest: string): Submitted {
    const { model, requests, id } = this.#modelOf(modelId);
    const { learning_rate, beta1, beta2, eps, weight_decay, grad_clip_norm } = params;
    const settings = {
      ...{ learningRate: learning_rate, beta1, beta2, epsilon: eps },
      ...{ weightDecay: weight_decay, clipNorm: Math.max(0, grad_clip_norm) },
    };
    const work = async () => {
      const { gradientNorm, step, seconds } = await model.optimStep(settings);
      const metrics = { 'gradient_norm:mean': gradientNorm, 'step:max': step, [HARDWARE_SECONDS]: seconds };
      return done({ metrics });
    };
    return { request_id: requests.submit(seqId, digest, work), model_id: id };
  }

  saveWeights({ model_id, seq_id, path, overwrite }: SaveWeights, digest: string): Submitted {
    const { model, requests, id } = this.#modelOf(model_id);
    const work = async () => {
      const place = savedPlace(id, 'weights', path ?? `step-${model.version}`);
      return done({
        type: 'save_weights',
        path: await this.#options.saved.write(place, model.save(), overwrite),
      });
    };
    return { request_id: requests.submit(seq_id ?? undefined, digest, work), model_id: id };
  }

  /** Into a model that exists, or into a new one of a session. */
  loadWeights(request: LoadWeights, digest: string): Submitted {
    const { model_id, session_id, model_seq_id, seq_id, base_model, path } = request;
    if (base_model != null) this.#checkBase(base_model);
    const load = async ({ model, id }: SessionModel): Promise<FutureResult> => {
      const { place, bytes } = await this.#options.saved.read(path);
      if (place.kind === 'weights') model.load(bytes, path, request.optimizer);
      else if (request.optimizer)
        throw new TinkerFault(
          `'${path}' has no optimiser. Load it without the optimiser, or name weights of save_weights.`,
        );
      else model.loadWeights(bytes, path);
      return done({ type: 'load_weights', path, model_id: id });
    };
    if (session_id != null) return this.#create(session_id, model_seq_id ?? undefined, digest, load);
    if (model_id == null)
      throw badRequest(
        'model_id',
        "A request to load weights names no model. Send 'model_id', or 'session_id' and 'model_seq_id'.",
      );
    const found = this.#modelOf(model_id);
    return { request_id: found.requests.submit(seq_id ?? undefined, digest, () => load(found)), model_id };
  }

  unload(modelId: string): Submitted {
    const { id } = this.#modelOf(modelId);
    this.#options.sessions.drop(id);
    const body = done({ type: 'unload_model', model_id: id });
    return { request_id: this.#options.futures.add(Promise.resolve(body)), model_id: id };
  }

  #modelOf(modelId: string): SessionModel {
    return this.#options.sessions.model(modelId);
  }

  #checkBase(name: string): void {
    const { baseName } = this.#options;
    if (name !== baseName)
      throw badRequest('base_model', `The model '${name}' is not served. Use '${baseName}'.`);
  }

  #create(
    sessionId: string,
    modelSeqId: number | undefined,
    digest: string,
    first: (model: SessionModel) => Promise<FutureResult>,
  ): Submitted {
    const { sessions, futures, trainer, base, clock } = this.#options;
    sessions.hear(sessionId);
    this.#forgetClosed();
    let number = modelSeqId ?? 0;
    while (modelSeqId === undefined && this.#created.has(modelId(sessionId, number))) number += 1;
    const id = modelId(sessionId, number);
    const known = this.#created.get(id);
    if (known?.digest === digest) return { request_id: known.requestId, model_id: id };
    if (known !== undefined)
      throw new ApiError(
        409,
        `The model_seq_id ${number} belongs to another model of the session. Count it up for each model.`,
      );
    const { shape, weights, version } = base;
    const model: SessionModel = {
      ...{ id, sessionId, model: new TrainingModel({ trainer, shape, weights, version }) },
      requests: new OrderedRequests(clock, work => futures.add(work)),
    };
    sessions.add(model);
    const begun = first(model);
    model.requests.after(begun);
    // A model whose weights could not be loaded does not exist.
    begun.catch(() => {
      sessions.drop(id);
      this.#created.delete(id);
    });
    const requestId = futures.add(begun);
    this.#created.set(id, { sessionId, digest, requestId });
    return { request_id: requestId, model_id: id };
  }

  /** Nothing can be created in a session that is finished or dropped. */
  #forgetClosed(): void {
    for (const [id, { sessionId }] of this.#created)
      if (!this.#options.sessions.isOpen(sessionId)) this.#created.delete(id);
  }
}

const modelId = (sessionId: string, number: number): string => `${sessionId}:train:${number}`;

export const done = (body: object): FutureResult => ({ kind: 'done', body });
