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

type ReplyOptions = Pick<ChatCompletionRequest, 'maxTokens' | 'topLogprobs' | 'tokenIds' | 'ignored'>;

/** What is sent of a completion: its first tokens, and why it ends. */
const sent = ({ tokens, finish = 'stop' }: Completion, { maxTokens }: ReplyOptions) => ({
  tokens: tokens.slice(0, maxTokens),
  finish: tokens.length > maxTokens ? 'length' : finish,
});

const addedBy = ({ text, added = text }: CompletionToken): string => added;

export function chatReply(completion: Completion, options: ReplyOptions, head: ReplyHead): unknown {
  const { tokens, finish } = sent(completion, options);
  const message = { role: 'assistant', content: tokens.map(addedBy).join(''), refusal: null };
  const logprobs = logprobsOf(tokens, options.topLogprobs);
  return {
    ...{ ...head, object: 'chat.completion', model: completion.model },
    choices: [{ index: 0, message, logprobs, finish_reason: finish, ...idsOf(tokens, completion, options) }],
    usage: usageOf(completion, tokens.length),
    system_fingerprint: completion.fingerprint,
    ...promptIdsOf(completion, options),
    ...versionOf(completion),
    ...extension(completion, options),
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
    ...versionOf(completion),
    ...more,
  });
  const choice = (delta: object, finishReason: string | null = null, more: object = {}) => ({
    ...{ index: 0, delta, logprobs: null, finish_reason: finishReason },
    ...more,
  });
  return [
    chunk([choice({ role: 'assistant', content: '' })], {
      ...promptIdsOf(completion, options),
      ...extension(completion, options),
    }),
    ...tokens.map(token =>
      chunk([
        choice({ content: addedBy(token) }, null, {
          logprobs: logprobsOf([token], options.topLogprobs),
          ...idsOf([token], completion, options),
        }),
      ]),
    ),
    chunk([choice({}, finish)]),
    ...(options.streamUsage ? [chunk([], { usage: usageOf(completion, tokens.length) })] : []),
  ];
}

/** The fields of vLLM. */
const promptIdsOf = ({ promptIds }: Completion, { tokenIds }: ReplyOptions): object =>
  tokenIds && promptIds !== undefined ? { prompt_token_ids: promptIds } : {};

const idsOf = (
  tokens: readonly CompletionToken[],
  { promptIds }: Completion,
  { tokenIds }: ReplyOptions,
): object => (tokenIds && promptIds !== undefined ? { token_ids: tokens.flatMap(({ id }) => id ?? []) } : {});

/** The field of SGLang. */
const versionOf = ({ weightVersion }: Completion): object =>
  weightVersion === undefined ? {} : { metadata: { weight_version: weightVersion } };

/** The end of a stream, as its last event. */
export const STREAM_END = '[DONE]';

/** A server-sent event. JSON has no line breaks, which would end the event. */
export const serverSentEvent = (data: unknown): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

function extension({ promptIds }: Completion, { ignored, tokenIds }: ReplyOptions): object {
  const all = tokenIds && promptIds === undefined ? [...ignored, 'return_token_ids'] : ignored;
  return all.length === 0 ? {} : { dartboard: { ignored: all } };
}

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

export const modelObject = ({ id, created, alias, adapter }: ModelCard) => ({
  ...{ id, object: 'model', created, owned_by: 'dartboard' },
  ...(alias !== undefined && { root: alias }),
  ...(adapter && { root: adapter.path, parent: adapter.parent }),
});
