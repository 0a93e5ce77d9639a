// Writes a chat as the body of a request in the OpenAI protocol.

import type { ChatMessage } from '../core/chat.ts';
import type { ChatRequest } from './chat.ts';

/** The variant of the protocol that a server accepts; probe.ts finds it. */
export interface WireDialect {
  /** Newer hosted models reject `max_tokens`; many servers ignore `max_completion_tokens`. */
  readonly limitField: 'max_tokens' | 'max_completion_tokens';
  /** Temperature, nucleus, seed and penalties. Reasoning models of hosted services reject them. */
  readonly sampling: boolean;
  /** The number of reported tokens at each position; 0: only the sampled one; undefined: the server rejects log-probabilities. */
  readonly topCount?: number;
  /** The fields that vLLM, SGLang and llama.cpp add to the protocol. Hosted services reject unknown fields. */
  readonly extras: boolean;
  /** The value of `top_k` for all tokens. */
  readonly allTokens: -1 | 0;
}

/** The data URL of an image as ASCII. */
export type DataUrlSource = (sha256: string) => Uint8Array;

/**
 * JSON in parts, so that images are not copied into one string. It contains every sampling field, with neutral penalties: servers fill
 * missing ones from the checkpoint. It contains no stop strings: servers cut them from the text but not from the tokens.
 */
export function chatBody(
  { messages, sampling }: Pick<ChatRequest, 'messages' | 'sampling'>,
  model: string,
  dialect: WireDialect,
  images: DataUrlSource,
): readonly (string | Uint8Array)[] {
  const { temperature, topP, topK, maxTokens, seed } = sampling;
  const { limitField, topCount, extras, allTokens } = dialect;
  const fields = {
    model,
    ...(dialect.sampling && {
      ...{ temperature, top_p: topP, seed, frequency_penalty: 0, presence_penalty: 0 },
    }),
    ...{ n: 1, stream: false, [limitField]: maxTokens },
    ...(topCount !== undefined && { logprobs: true }),
    ...(topCount !== undefined && topCount > 0 && { top_logprobs: topCount }),
    ...(extras && {
      top_k: topK < 1 ? allTokens : topK,
      min_p: 0,
      // The names of vLLM and SGLang, and of llama.cpp.
      ...{ repetition_penalty: 1, repeat_penalty: 1 },
      // Special tokens are a part of the text: box tokens of UI-TARS mark coordinates.
      ...{ skip_special_tokens: false, return_token_ids: true, return_meta_info: true },
    }),
  };
  return [`${JSON.stringify(fields).slice(0, -1)},"messages":[`, ...messageParts(messages, images), ']}'];
}

function messageParts(messages: readonly ChatMessage[], images: DataUrlSource): (string | Uint8Array)[] {
  return messages.flatMap(({ role, parts }, index) => {
    const start = `${index === 0 ? '' : ','}{"role":${JSON.stringify(role)},"content":`;
    // Servers of models without vision accept only a string.
    const texts = parts.map(part => (part.type === 'text' ? part.text : undefined));
    if (!texts.includes(undefined)) return [`${start}${JSON.stringify(texts.join(''))}}`];
    const content = parts.flatMap((part, position) => {
      const comma = position === 0 ? '' : ',';
      if (part.type === 'text') return [comma + JSON.stringify(part)];
      return [
        `${comma}{"type":"image_url","image_url":{"url":"`,
        // Base64 needs no escapes.
        images(part.sha256),
        '"}}',
      ];
    });
    return [`${start}[`, ...content, ']}'];
  });
}
