// The interface between the HTTP server and the model behind it. The compact policy is one backend; the server knows nothing else about it.

import type { ChatCompletionRequest } from './chat-request.ts';
import type { CompletionToken } from './completion.ts';

export interface ModelCard {
  /** The name in requests. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** The version behind a name that follows the newest one. */
  readonly alias?: string;
  /** The weights of an adapter, and the model that it adapts. */
  readonly adapter?: { readonly path: string; readonly parent: string };
}

export interface Completion {
  /** The version that answered, by its own name. */
  readonly model: string;
  /** Equal for equal weights. */
  readonly fingerprint: string;
  /** The version of the weights, if it is not in the name of the model. */
  readonly weightVersion?: string;
  /** All tokens of the reply; together they spell it. */
  readonly tokens: readonly CompletionToken[];
  /** 'length': the model itself stopped at the token limit. */
  readonly finish?: 'stop' | 'length';
  readonly promptTokens: number;
  /** Of a model with token ids. */
  readonly promptIds?: readonly number[];
}

export interface ChatBackend {
  /** The newest version first. */
  models(): Promise<readonly ModelCard[]>;
  /** Rejects with an ApiError for a fault of the request. `left` is aborted when its client leaves: nobody reads the reply. */
  complete(request: ChatCompletionRequest, left: AbortSignal): Promise<Completion>;
}
