// A question to the model of a run, from a host that does not reach its servers, and the answer. Plain data.
//
// Law: a question that is delivered again is asked again, and the first answer counts.

import type { ChatMessage, ChatReply, Sampling } from './chat.ts';
import type { Failure } from './failure.ts';

export interface ModelQuestion {
  /** Unique in its run. */
  readonly id: string;
  readonly ask: ModelAsk;
}

export type ModelAsk =
  | {
      readonly kind: 'complete';
      readonly messages: readonly ChatMessage[];
      /** The PNG of each image in the messages, by its hash. */
      readonly images: Readonly<Record<string, Uint8Array>>;
      readonly sampling: Sampling;
      /** Unique per episode. */
      readonly session: string;
    }
  /** The session is over: its open questions need no answer. This has none. */
  | { readonly kind: 'end'; readonly session: string };

export type ModelAnswer =
  | { readonly question: string; readonly reply: ChatReply }
  | { readonly question: string; readonly failure: Failure };
