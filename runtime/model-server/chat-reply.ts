// The bodies of replies in the shape of the OpenAI API: one object, or chunks of a stream. Pure.

import type { Completion, ModelCard } from './backend.ts';
import type { ChatCompletionRequest } from './chat-request.ts';
import type { CompletionToken } from './completion.ts';

/** Identifies one reply. */
export interface ReplyHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
}

type ReplyOptions = Pick<ChatCompletionRequest, 'maxTokens' | 'topLogprobs' | 'ignored'>;

/** What is sent of a completion: its first tokens, and why it ends. */
const sent = ({ tokens, text, finish = 'stop' }: Completion, { maxTokens }: ReplyOptions) => {
  const first = tokens.slice(0, maxTokens);
  const isCut = tokens.length > maxTokens;
  return {
    tokens: first,
    text: isCut ? spelled(first) : (text ?? spelled(first)),
    finish: isCut ? 'length' : finish,
  };
};

const spelled = (tokens: readonly CompletionToken[]): string => tokens.map(({ text }) => text).join('');

export function chatReply(completion: Completion, options: ReplyOptions, head: ReplyHead): unknown {
  const { tokens, text, finish } = sent(completion, options);
  const message = { role: 'assistant', content: text, refusal: null };
  return {
    ...{ ...head, object: 'chat.completion', model: completion.model },
    choices: [
      { index: 0, message, logprobs: logprobsOf(tokens, options.topLogprobs), finish_reason: finish },
    ],
    usage: usageOf(completion, tokens.length),
    system_fingerprint: completion.fingerprint,
    ...extension(options),
  };
}

/** One chunk for each token, between one with the role and one with the reason for the end. */
export function chatChunks(
  completion: Completion,
  options: ReplyOptions & Pick<ChatCompletionRequest, 'streamUsage'>,
  head: ReplyHead,
): readonly unknown[] {
  const { tokens, finish } = sent(completion, options);
  const chunk = (choices: readonly unknown[], more: object = {}) => ({
    ...{ ...head, object: 'chat.completion.chunk', model: completion.model },
    ...{ choices, system_fingerprint: completion.fingerprint },
    // Every chunk has the field when one has: clients read it from the last.
    ...(options.streamUsage && { usage: null }),
    ...more,
  });
  const choice = (delta: object, finishReason: string | null = null, logprobs: unknown = null) => ({
    ...{ index: 0, delta, logprobs, finish_reason: finishReason },
  });
  return [
    chunk([choice({ role: 'assistant', content: '' })], extension(options)),
    ...tokens.map(token =>
      chunk([choice({ content: token.text }, null, logprobsOf([token], options.topLogprobs))]),
    ),
    chunk([choice({}, finish)]),
    ...(options.streamUsage ? [chunk([], { usage: usageOf(completion, tokens.length) })] : []),
  ];
}

/** The end of a stream, as its last event. */
export const STREAM_END = '[DONE]';

/** A server-sent event. JSON has no line breaks, which would end the event. */
export const serverSentEvent = (data: unknown): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

const extension = ({ ignored }: ReplyOptions): object =>
  ignored.length === 0 ? {} : { dartboard: { ignored } };

const usageOf = ({ promptTokens }: Completion, completionTokens: number) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
});

function logprobsOf(tokens: readonly CompletionToken[], top: number | undefined): unknown {
  if (top === undefined) return null;
  const entry = ({ text, logProbability }: Pick<CompletionToken, 'text' | 'logProbability'>) => ({
    ...{ token: text, logprob: logProbability, bytes: [...new TextEncoder().encode(text)] },
  });
  return {
    content: tokens.map(token => ({
      ...entry(token),
      top_logprobs: token.alternatives.slice(0, top).map(entry),
    })),
    refusal: null,
  };
}

/** The body of GET /v1/models. */
export const modelList = (cards: readonly ModelCard[]): unknown => ({
  object: 'list',
  data: cards.map(modelObject),
});

export const modelObject = ({ id, created, alias }: ModelCard) => ({
  ...{ id, object: 'model', created, owned_by: 'dartboard' },
  ...(alias !== undefined && { root: alias }),
});
