// A chat with the model of an agent, as plain data: messages with images in, text with tokens out. Independent of the protocol of a server.

import { type Version, version } from './ids.ts';
import type { TokensTrace } from './trace.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly ChatPart[];
}

export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  /** By content, so that a history refers to an image without a copy. */
  | { readonly type: 'image'; readonly sha256: string; readonly width: number; readonly height: number };

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

/** The version of servers that do not number their weights: they always use the same. */
export const UNVERSIONED = version(0);

/** A reply without the parts that the parser of a profile adds. */
export interface ChatReply extends Omit<TokensTrace, 'kind' | 'thought' | 'malformed'> {
  /** The optimiser steps of the weights that decided; absent if neither the router nor the server numbers them. */
  readonly version?: Version;
}
