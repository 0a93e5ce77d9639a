// Parses the body of POST /v1/chat/completions. Fields that change nothing here are accepted, and reported as ignored unless their value
// has no effect anyway; fields whose effect a client would miss are rejected.

import * as z from 'zod';
import { badRequest } from './api-error.ts';
import { checkedBody } from './checked-body.ts';

const MAX_MESSAGES = 4096;
export const MAX_TOP_LOGPROBS = 20;
const MAX_TEMPERATURE = 2;

const text = z.object({ type: z.literal('text'), text: z.string() });
const image = z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) });
const part = z.discriminatedUnion('type', [text, image]);

const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z.union([z.string(), z.array(part), z.null()]).optional(),
});

const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1).max(MAX_MESSAGES),
  temperature: z.number().min(0).max(MAX_TEMPERATURE).nullish(),
  /** Not `z.int()`, which rejects seeds of 64 bits. */
  seed: z.number().refine(Number.isInteger, 'use an integer').nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(MAX_TOP_LOGPROBS).nullish(),
  stream: z.boolean().nullish(),
  return_token_ids: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1).nullish(),
  tools: z.array(z.unknown()).max(0).nullish(),
});

const USED = new Set(Object.keys(chatRequest.shape));

/** The values that do not change the distribution of the policy, by field. Other fields are reported as ignored. */
const WITHOUT_EFFECT: ReadonlyMap<string, readonly unknown[]> = new Map([
  ['top_p', [1]],
  ['top_k', [-1, 0]],
  ['min_p', [0]],
  ['frequency_penalty', [0]],
  ['presence_penalty', [0]],
  ['repetition_penalty', [1]],
]);

export type MessagePart = z.infer<typeof part>;

export interface ChatRequestMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly MessagePart[];
}

export interface ChatCompletionRequest {
  readonly model: string;
  readonly messages: readonly ChatRequestMessage[];
  readonly temperature: number;
  /** From 0 to 2³² − 1; undefined for any. */
  readonly seed: number | undefined;
  readonly maxTokens: number;
  /** The number of alternatives for each token; undefined without log-probabilities. */
  readonly topLogprobs: number | undefined;
  /** Whether the reply contains the ids of its tokens and of the prompt. */
  readonly tokenIds: boolean;
  readonly stream: boolean;
  /** A stream ends with the numbers of tokens. */
  readonly streamUsage: boolean;
  /** Fields of the request without an effect on the reply. */
  readonly ignored: readonly string[];
}

/** Throws an ApiError. */
export function parseChatRequest(body: string): ChatCompletionRequest {
  const data = checkedBody(body, chatRequest, remedy);
  const wantsLogprobs = data.logprobs === true;
  if (!wantsLogprobs && (data.top_logprobs ?? 0) > 0)
    throw badRequest(
      'top_logprobs',
      `'top_logprobs' is ${data.top_logprobs} without 'logprobs'. Set 'logprobs' to true.`,
    );
  return {
    model: data.model,
    messages: data.messages.map(({ role, content }) => ({
      role: role === 'developer' ? 'system' : role,
      parts: typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []),
    })),
    temperature: data.temperature ?? 1,
    seed: data.seed == null ? undefined : wrapped(data.seed),
    maxTokens: data.max_completion_tokens ?? data.max_tokens ?? Number.POSITIVE_INFINITY,
    topLogprobs: wantsLogprobs ? (data.top_logprobs ?? 0) : undefined,
    tokenIds: data.return_token_ids === true,
    stream: data.stream === true,
    streamUsage: data.stream_options?.include_usage === true,
    ignored: Object.entries(data).flatMap(([name, value]) =>
      USED.has(name) || value == null || WITHOUT_EFFECT.get(name)?.includes(value) ? [] : [name],
    ),
  };
}

const SEEDS = 2 ** 32;

/** Seeds of other servers have 64 bits. */
const wrapped = (seed: number): number => ((seed % SEEDS) + SEEDS) % SEEDS;

const remedy = (param: string): string => {
  if (param === 'n') return 'A policy replies once: leave it out, and send several requests.';
  if (param === 'tools') return 'The policy calls no tools: leave it out.';
  return "See 'Serve the built-in policy' in docs/agents.md.";
};
