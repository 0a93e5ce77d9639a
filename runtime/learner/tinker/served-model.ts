// The model of a learner on its server: makes it, numbers the requests to it, and replaces it by a new one from a saved state.

import type { AdamSettings } from '../learner.ts';
import type { TinkerClient } from './client.ts';
import type { LossReduction } from './datums.ts';
import type { LearnerJournal, LearnerState, ModelSlot, SavedState } from './journal.ts';
import { checkListed } from './listed-models.ts';
import {
  type EncodedRequest,
  loadRequest,
  type NewModel,
  publishRequest,
  type RequestAddress,
  saveRequest,
  stepRequest,
} from './requests.ts';
import { DONE, SAVED, STEP } from './results.ts';
import { isTinkerError, TinkerError } from './tinker-error.ts';

export interface ServedModelOptions {
  /** The learner, for messages. */
  readonly name: string;
  readonly client: TinkerClient;
  readonly journal: LearnerJournal;
  readonly model: NewModel;
  readonly reduction: LossReduction;
}

/** Which of the two models: the one that is trained, or the one that keeps the first weights. */
export type ModelRole = 'policy' | 'reference';

type RequestBuilder = (address: RequestAddress) => EncodedRequest | Promise<EncodedRequest>;

/** A crash loses the numbers of the passes since the last change of the journal. */
const MAX_CONFLICTS = 4096;

export class ServedModel {
  readonly #options: ServedModelOptions;

  constructor(options: ServedModelOptions) {
    this.#options = options;
  }

  /** Makes the session and the model of a new learner. Rejects if the server lists other models alone. */
  async begin(signal: AbortSignal): Promise<void> {
    const { name, client, journal, model } = this.#options;
    await checkListed(client, model.baseModel, name, signal);
    const session = await client.createSession(signal);
    const policy = { id: await client.createModel(session, 0, model, signal), next: 1 };
    await journal.begin({
      ...{ model, session, models: 1, policy, encoding: 'protobuf', recognisesRepeats: false, clips: false },
      ...{ checkpoints: 0, generations: 0, step: 0 },
    });
  }

  /** Sends a request that changes nothing, so that it may be sent again under another number. Resolves with where its result will be. */
  async send(role: ModelRole, build: RequestBuilder, signal: AbortSignal): Promise<string> {
    const { client } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const { id, next } = this.#slot(role);
      try {
        const future = await client.submit(await build({ modelId: id, seqId: next }), signal);
        this.renumber(role, next + 1);
        return future;
      } catch (error) {
        if (!isTinkerError(error, 'conflict') || attempt >= MAX_CONFLICTS) throw error;
        this.renumber(role, next + 1);
      }
    }
  }

  /** The number of the next request. */
  renumber(role: ModelRole, next: number): void {
    const slot = { ...this.#slot(role), next };
    this.#options.journal.note(role === 'policy' ? { policy: slot } : { reference: slot });
  }

  async save(name: string, signal: AbortSignal): Promise<SavedState> {
    const { client, journal } = this.#options;
    const future = await this.send(
      'policy',
      async address => saveRequest(address, await this.#checkpoint(name)),
      signal,
    );
    const { path } = await client.result(future, SAVED, signal);
    const { step, last } = journal.state;
    const saved = { path, step, ...(last !== undefined && { last }) };
    await journal.commit({ saved });
    return saved;
  }

  /** Resolves with the path for servers of the policy. */
  async publish(name: string, signal: AbortSignal): Promise<string> {
    const { client, journal } = this.#options;
    const future = await this.send(
      'policy',
      async address => publishRequest(address, await this.#checkpoint(name)),
      signal,
    );
    const { path } = await client.result(future, SAVED, signal);
    await journal.commit({ published: { step: journal.state.step, path } });
    return path;
  }

  /** A name that was not used before, also not before a crash: some servers reject a second checkpoint of the same name. */
  async #checkpoint(name: string): Promise<string> {
    const { journal } = this.#options;
    const { checkpoints } = journal.state;
    await journal.commit({ checkpoints: checkpoints + 1 });
    return `${name.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, MAX_NAME)}-${checkpoints}`;
  }

  /**
   * Replaces the model by a new one with a saved state, or with the first weights. The old one serves until the new one is complete, if
   * the server has room for two. `changes` are committed with it.
   */
  async renew(
    saved: SavedState | undefined,
    signal: AbortSignal,
    changes: (slot: ModelSlot) => Partial<LearnerState> = () => ({}),
  ): Promise<void> {
    const { journal } = this.#options;
    const old = journal.state.policy;
    const slot = await this.#replacement(saved, signal);
    await journal.commit({
      ...{ policy: slot, saved, step: saved?.step ?? 0, last: saved?.last, published: undefined },
      ...changes(slot),
    });
    await this.#forget(old, signal);
  }

  async #replacement(saved: SavedState | undefined, signal: AbortSignal): Promise<ModelSlot> {
    const { client, journal } = this.#options;
    const old = journal.state.policy;
    let id: string;
    try {
      id = await this.#create(signal);
    } catch (error) {
      if (!isTinkerError(error, 'failed', 'bad-request')) throw error;
      await this.#forget(old, signal);
      id = await this.#createLast(signal);
    }
    if (saved === undefined) return { id, next: 1 };
    try {
      const future = await client.submit(loadRequest({ modelId: id, seqId: 1 }, saved.path), signal);
      await client.result(future, DONE, signal);
    } catch (error) {
      await this.#forget({ id, next: 2 }, signal);
      throw error;
    }
    return { id, next: 2 };
  }

  /** When the models that the learner knows are gone. What still takes room was made by a request whose answer was lost. */
  async #createLast(signal: AbortSignal): Promise<string> {
    const { client, journal } = this.#options;
    try {
      return await this.#create(signal);
    } catch (error) {
      // The server frees it with its session, which gets no more heartbeats.
      if (isTinkerError(error, 'failed', 'bad-request'))
        await journal.commit({ session: await client.createSession(signal), models: 0 });
      throw error;
    }
  }

  /** A second model with the first weights. */
  async createReference(signal: AbortSignal): Promise<void> {
    const { journal } = this.#options;
    await journal.commit({ reference: { id: await this.#create(signal), next: 1 } });
  }

  async dropReference(signal: AbortSignal): Promise<void> {
    const { journal } = this.#options;
    const { reference } = journal.state;
    if (reference === undefined) return;
    await journal.commit({ reference: undefined });
    await this.#forget(reference, signal);
  }

  async #create(signal: AbortSignal): Promise<string> {
    const { client, journal } = this.#options;
    const create = async () => {
      const { session, models, model } = journal.state;
      // A number is used once, also after a crash: the server answers the same number with the same model.
      await journal.commit({ models: models + 1 });
      return client.createModel(session, models, model, signal);
    };
    try {
      return await create();
    } catch (error) {
      if (!isTinkerError(error, 'no-model')) throw error;
      // The session ended without heartbeats, or with the server.
      journal.note({ session: await client.createSession(signal), models: 0 });
      return await create();
    }
  }

  /** Frees a model on the server. */
  async #forget({ id, next }: ModelSlot, signal: AbortSignal): Promise<void> {
    const { client, reduction } = this.#options;
    const useUpGradients = stepRequest({ modelId: id, seqId: next }, STILL);
    if (reduction === 'row-mean')
      await ignoreRefusal(async () =>
        client.result(await client.submit(useUpGradients, signal), STEP, signal),
      );
    // A server without this route frees the model with its session.
    await ignoreRefusal(() => client.unload(id, signal));
  }

  #slot(role: ModelRole): ModelSlot {
    const slot = this.#options.journal.state[role];
    if (slot === undefined)
      throw new TinkerError(
        'failed',
        this.#options.name,
        'The learner has no reference model. Open it with one.',
      );
    return slot;
  }
}

/** A step that changes nothing. SkyRL on JAX adds the gradients that an unloaded model left behind to those of the next one. */
export const STILL: AdamSettings = {
  ...{ learningRate: 0, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0, clipNorm: 0 },
};

async function ignoreRefusal(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isTinkerError(error)) throw error;
  }
}

/** Servers allow 255 characters. */
const MAX_NAME = 200;
