// The sessions of clients and their models. A session whose client is silent for ten minutes makes room for other models.

import { ApiError } from '../api-error.ts';
import type { OrderedRequests } from './ordered-requests.ts';
import type { TrainingModel } from './training-model.ts';

export interface SessionModel {
  readonly id: string;
  readonly sessionId: string;
  readonly model: TrainingModel;
  readonly requests: OrderedRequests;
}

interface Session {
  readonly heardAt: number;
  readonly isFinished: boolean;
}

/** Each takes about 40 MB: weights, two moments and a gradient. */
const MAX_MODELS = 16;
const MAX_SESSIONS = 1024;
/** The SDK sends a heartbeat every 10 s. */
const SILENT_MS = 600_000;

export class Sessions {
  readonly #now: () => number;
  /** Longest unheard first. */
  readonly #sessions = new Map<string, Session>();
  readonly #models = new Map<string, SessionModel>();

  /** `now` in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  begin(id: string): void {
    this.#sessions.set(id, { heardAt: this.#now(), isFinished: false });
    // Nobody uses the finished ones.
    for (const every of [false, true])
      for (const [oldest, { isFinished }] of this.#sessions) {
        if (this.#sessions.size <= MAX_SESSIONS) return;
        if (isFinished || every) this.#sessions.delete(oldest);
      }
  }

  /** Throws an ApiError for a session that is unknown or finished. */
  hear(id: string): void {
    const session = this.#sessions.get(id);
    if (session === undefined)
      throw new ApiError(404, `The session '${id}' is unknown. Create one with create_session.`, {
        type: 'not_found_error',
      });
    if (session.isFinished)
      throw new ApiError(410, `The session '${id}' is finished. Create a new one with create_session.`);
    // Now the last one that is dropped.
    this.#sessions.delete(id);
    this.#sessions.set(id, { heardAt: this.#now(), isFinished: false });
  }

  isOpen(id: string): boolean {
    return this.#sessions.get(id)?.isFinished === false;
  }

  finish(id: string): void {
    this.hear(id);
    this.#sessions.set(id, { heardAt: this.#now(), isFinished: true });
    for (const { sessionId, id: model } of this.#models.values())
      if (sessionId === id) this.#models.delete(model);
  }

  find(modelId: string): SessionModel | undefined {
    return this.#models.get(modelId);
  }

  /** Throws an ApiError. */
  model(modelId: string): SessionModel {
    const found = this.#models.get(modelId);
    if (found === undefined)
      throw new ApiError(404, `The model '${modelId}' is unknown. Create one with create_model.`, {
        type: 'not_found_error',
      });
    return found;
  }

  /** Throws an ApiError if there is no room. */
  add(model: SessionModel): void {
    if (this.#models.size >= MAX_MODELS) this.#dropSilent();
    if (this.#models.size >= MAX_MODELS)
      throw new ApiError(
        429,
        `${MAX_MODELS} models are in use. Unload one with unload_model, or wait until a session ends.`,
        {
          ...{ type: 'rate_limit_error', retryAfter: 60 },
        },
      );
    this.#models.set(model.id, model);
  }

  drop(modelId: string): void {
    this.#models.delete(modelId);
  }

  #dropSilent(): void {
    for (const { id, sessionId } of this.#models.values()) {
      const session = this.#sessions.get(sessionId);
      if (session === undefined || this.#now() - session.heardAt > SILENT_MS) this.#models.delete(id);
    }
  }
}
