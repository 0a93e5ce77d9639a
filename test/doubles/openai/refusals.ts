// The chats that a server rejects, with the status and the words of the program.

import { pngSize } from '../../../runtime/core/png.ts';
import type { HttpReply } from '../../../runtime/endpoints/http-transport.ts';
import type { ChatBody, InputMessage } from './chat-input.ts';
import { errorReply } from './replies.ts';
import { pieces } from './tokens.ts';
import type { ServerTraits } from './traits.ts';

/** The fields of the OpenAI protocol. */
const KNOWN = [
  ...[
    'model',
    'messages',
    'temperature',
    'top_p',
    'seed',
    'frequency_penalty',
    'presence_penalty',
    'n',
    'stream',
  ],
  ...['logprobs', 'top_logprobs', 'stop', 'max_completion_tokens'],
];

export function chatRefusal(
  traits: ServerTraits,
  body: ChatBody,
  messages: readonly InputMessage[],
): HttpReply | undefined {
  const names = [...traits.names, ...(traits.adapters ?? [])];
  if (!traits.anyModel && !names.includes(body.model) && !names.includes(`${body.model}:latest`))
    return errorReply(404, `The model \`${body.model}\` does not exist.`);
  return (
    fieldRefusal(traits, body) ??
    valueRefusal(traits, body) ??
    imageRefusal(traits, messages, body) ??
    limitRefusal(traits, body)
  );
}

function limitRefusal({ hiddenTokens = 0 }: ServerTraits, body: ChatBody): HttpReply | undefined {
  const limit = Number(body['max_completion_tokens'] ?? body['max_tokens'] ?? Number.POSITIVE_INFINITY);
  return hiddenTokens < limit
    ? undefined
    : errorReply(
        400,
        'Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.',
      );
}

function fieldRefusal(traits: ServerTraits, body: ChatBody): HttpReply | undefined {
  const { extraFields, limitFields, rejectedFields = [], unknownFields } = traits;
  const rejected = rejectedFields.find(name => name in body);
  if (rejected !== undefined)
    return errorReply(400, `Unsupported parameter: '${rejected}' is not supported with this model.`);
  if (unknownFields === 'ignored') return undefined;
  if ('max_tokens' in body && !limitFields.includes('max_tokens'))
    return errorReply(
      400,
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: 'max_tokens', code: 'unsupported_parameter' },
    );
  const unknown = Object.keys(body).find(
    name => ![...KNOWN, ...extraFields, ...limitFields].some(known => known === name),
  );
  return unknown === undefined
    ? undefined
    : errorReply(400, `Unrecognized request argument supplied: ${unknown}`, { code: null });
}

function valueRefusal(
  { logProbabilities, maxTop, leastTopK }: ServerTraits,
  body: ChatBody,
): HttpReply | undefined {
  const { top_logprobs: top, top_k: topK } = body;
  if (body['logprobs'] === true && logProbabilities === 'rejected')
    return errorReply(500, 'logprobs is not supported for models created with logits_all=False');
  if (typeof top === 'number' && top > maxTop)
    return errorReply(
      400,
      `Requested sample logprobs of ${top}, which is greater than max allowed: ${maxTop}`,
    );
  if (typeof topK === 'number' && leastTopK !== undefined && topK < leastTopK)
    return errorReply(422, `Input should be greater than or equal to ${leastTopK}`);
  return undefined;
}

const IMAGE_PATCH = 28;

function imageRefusal(
  { images: support, maxImages = Infinity, context = Infinity }: ServerTraits,
  messages: readonly InputMessage[],
  body: ChatBody,
): HttpReply | undefined {
  const images = messages.flatMap(each => each.images);
  if (images.length > 0 && support !== 'accepted')
    return errorReply(
      500,
      'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
    );
  if (images.length > maxImages)
    return errorReply(400, `At most ${maxImages} image(s) may be provided in one prompt.`);
  const imageTokens = images.map(pngSize).map(({ width, height }) => (width * height) / IMAGE_PATCH ** 2);
  const prompt =
    Math.round(imageTokens.reduce((sum, each) => sum + each, 0)) +
    pieces(messages.map(({ text }) => text).join('')).length;
  const reply = Number(body['max_tokens'] ?? body['max_completion_tokens'] ?? 0);
  return prompt + reply > context
    ? errorReply(
        400,
        `This model's maximum context length is ${context} tokens. However, you requested ${prompt + reply} tokens. Please reduce the length of the messages or completion.`,
      )
    : undefined;
}
