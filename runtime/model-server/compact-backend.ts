// The compact policy as a backend: conversation → observation → choice → tokens. It keeps no state between requests.

import { encode } from '../agents/compact/observation.ts';
import { tokensOf } from '../agents/compact/tokens.ts';
import type { Clock } from '../core/clock.ts';
import { DeadlineExceeded, withDeadline } from '../core/deadline.ts';
import { sentenceOf } from '../core/errors.ts';
import { seed } from '../core/ids.ts';
import type { Choice, DecisionRequest, Mode, PolicyPool } from '../core/policy.ts';
import { ApiError } from './api-error.ts';
import type { ChatBackend, Completion, ModelCard } from './backend.ts';
import type { ChatCompletionRequest } from './chat-request.ts';
import { writeCompletion } from './completion.ts';
import { conversationIn } from './conversation.ts';
import { type Coordinates, observeConversation } from './observe-conversation.ts';
import type { ServedVersions } from './served-versions.ts';

export interface CompactBackendOptions {
  readonly versions: Pick<ServedVersions, 'find' | 'cards'>;
  readonly pool: PolicyPool;
  readonly mode: Mode;
  readonly coordinates: Coordinates;
  /** The seed of a request that names none. */
  readonly randomSeed: () => number;
  readonly clock: Clock;
}

/** A decision takes milliseconds; a worker that died needs seconds to be replaced. */
const DECISION_TIMEOUT_MS = 60_000;

export class CompactBackend implements ChatBackend {
  readonly #options: CompactBackendOptions;

  constructor(options: CompactBackendOptions) {
    this.#options = options;
  }

  models(): Promise<readonly ModelCard[]> {
    return this.#options.versions.cards();
  }

  async complete(request: ChatCompletionRequest): Promise<Completion> {
    const { versions, mode, coordinates, randomSeed } = this.#options;
    const { id, version, fingerprint } = await versions.find(request.model);
    const { observation, space } = observeConversation(conversationIn(request.messages), mode, coordinates);
    const choice = await this.#decide({
      observation: encode(observation),
      seed: seed(request.seed ?? randomSeed()),
      temperature: request.temperature,
      exploration: 0,
      version,
    });
    const context = { observation, tokens: tokensOf(observation) };
    return {
      ...{ model: id, fingerprint },
      tokens: writeCompletion(choice, context, space),
      promptTokens: context.tokens.count,
    };
  }

  async #decide(request: DecisionRequest): Promise<Choice> {
    const { pool, clock } = this.#options;
    try {
      return await withDeadline(pool.decide(request), {
        ...{ what: 'The decision', ms: DECISION_TIMEOUT_MS, clock },
      });
    } catch (error) {
      const status = error instanceof DeadlineExceeded ? 504 : 503;
      throw new ApiError(
        status,
        `${sentenceOf(error)} Send the request again.`,
        { type: 'server_error', retryAfter: 1 },
        { cause: error },
      );
    }
  }
}
