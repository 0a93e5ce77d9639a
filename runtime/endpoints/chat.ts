// The interface between an agent and the servers that decide for it: a chat with images in, text with tokens out. Independent of the
// protocol of a server; client.ts writes and reads it.

import type { Version } from '../core/ids.ts';
import type { TokensTrace } from '../core/trace.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly ChatPart[];
}

export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  /** By content, so that a history refers to an image without a copy. */
  | { readonly type: 'image'; readonly sha256: string; readonly width: number; readonly height: number };

/** The PNG of an image in the messages, by its hash. */
export type ImageSource = (sha256: string) => Uint8Array;

/** Every field is sent in every request: servers fill missing ones from the checkpoint. */
export interface Sampling {
  /** 0 takes the likeliest token. */
  readonly temperature: number;
  readonly topP: number;
  /** -1 for all tokens. */
  readonly topK: number;
  readonly maxTokens: number;
  readonly seed: number;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly images: ImageSource;
  /** The same images as data URLs in ASCII, from callers that keep them: an image is sent in several turns. */
  readonly dataUrls?: ImageSource;
  readonly sampling: Sampling;
  /** Requests with the same key go to the same server while it is healthy. */
  readonly session: string;
  /** The adapter or model name of a required version; the configured model if absent. */
  readonly model?: string;
  readonly signal: AbortSignal;
}

/** A reply without the parts that the parser of a profile adds. */
export interface ChatReply extends Omit<TokensTrace, 'kind' | 'thought' | 'malformed'> {
  /** The optimiser steps of the weights that decided; absent if neither the router nor the server numbers them. */
  readonly version?: Version;
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
