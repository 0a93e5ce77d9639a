// The interface between an agent and the servers that decide for it. client.ts writes and reads the protocol of a server.

import type { ChatMessage, ChatReply, Sampling } from '../core/chat.ts';

/** The PNG of an image in the messages, by its hash. */
export type ImageSource = (sha256: string) => Uint8Array;

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly images: ImageSource;
  /** The same images as data URLs in ASCII, from callers that keep them: an image is sent in several turns. */
  readonly dataUrls?: ImageSource;
  readonly sampling: Sampling;
  /** Requests with the same key go to the same server while it is healthy. */
  readonly session: string;
  readonly signal: AbortSignal;
}

export interface ChatModel {
  /**
   * Resolves with the first complete reply. Failed requests are sent again, and `served.retries` lists them. Rejects with an EndpointError
   * when the limits are reached, and with the signal's reason when it is aborted.
   */
  complete(request: ChatRequest): Promise<ChatReply>;
  /** Ends the session: its key may go to any server afterwards. */
  end(session: string): void;
}
