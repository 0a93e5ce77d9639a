// The micro model as a backend of the chat server: messages with images become the prompt of a row, and tokens become the reply.

import { chatPrompt, type PatchedMessage } from '../../agents/micro/chat-prompt.ts';
import { ContextLengthError, MAX_CONTEXT, type MicroDecoder } from '../../agents/micro/decoder.ts';
import { pictureOf } from '../../agents/micro/picture.ts';
import type { SampledToken } from '../../agents/micro/sampling.ts';
import { decodeTokens } from '../../agents/micro/tokenizer.ts';
import { END } from '../../agents/micro/vocabulary.ts';
import type { SavedMicro } from '../../agents/micro/weights-file.ts';
import { messageOf } from '../../core/errors.ts';
import { decodePng } from '../../core/png-reader.ts';
import { seeded } from '../../core/rng.ts';
import { ApiError, badRequest } from '../api-error.ts';
import type { ChatBackend, Completion, ModelCard } from '../backend.ts';
import type { ChatCompletionRequest, ChatRequestMessage } from '../chat-request.ts';
import type { CompletionToken } from '../completion.ts';

export interface MicroBackendOptions {
  /** The name in requests. */
  readonly name: string;
  readonly model: SavedMicro;
  readonly decoder: Pick<MicroDecoder, 'reply'>;
  /** Seconds since 1970. */
  readonly created: number;
  /** The seed of a request that names none. */
  readonly randomSeed: () => number;
}

export class MicroBackend implements ChatBackend {
  readonly #options: MicroBackendOptions;

  constructor(options: MicroBackendOptions) {
    this.#options = options;
  }

  async models(): Promise<readonly ModelCard[]> {
    const { name, created } = this.#options;
    return [{ id: name, created }];
  }

  async complete(request: ChatCompletionRequest): Promise<Completion> {
    const { name, model, decoder, randomSeed } = this.#options;
    if (request.model !== name)
      throw new ApiError(404, `The model '${request.model}' is not served. Use '${name}'.`, {
        ...{ type: 'not_found_error', code: 'model_not_found', param: 'model' },
      });
    const prompt = chatPrompt(request.messages.map(patched));
    const random = seeded(request.seed ?? randomSeed());
    try {
      const { tokens, finish } = await decoder.reply(prompt, {
        temperature: request.temperature,
        maxTokens: Math.min(request.maxTokens, MAX_CONTEXT),
        alternatives: request.topLogprobs ?? 0,
        random: () => random.next(),
        weights: model.weights,
      });
      return {
        ...{ model: name, fingerprint: `micro-${model.version}`, finish },
        text: decodeTokens(tokens.flatMap(({ id }) => (id === END ? [] : [id]))),
        tokens: tokens.map(completionToken),
        promptTokens: prompt.entries.length,
      };
    } catch (error) {
      if (!(error instanceof ContextLengthError)) throw error;
      throw badRequest('messages', error.message, error);
    }
  }
}

/** The end token has no text. */
const textOf = (id: number): string => (id === END ? '' : decodeTokens([id]));

const completionToken = ({ id, logProbability, alternatives }: SampledToken): CompletionToken => ({
  ...{ text: textOf(id), logProbability },
  alternatives: alternatives.map(each => ({ text: textOf(each.id), logProbability: each.logProbability })),
});

/** The largest screen that the model was made for; it bounds the memory of a request. */
const MAX_IMAGE_PIXELS = 1024 * 1024;
const DATA_URL = /^data:image\/png;base64,/;

function patched({ role, parts }: ChatRequestMessage, index: number): PatchedMessage {
  return {
    role,
    parts: parts.map(part => {
      if (part.type === 'text') return part;
      const { url } = part.image_url;
      if (!DATA_URL.test(url))
        throw badRequest(
          `messages.${index}`,
          `The image URL starts with '${url.slice(0, 30)}'. Send a PNG as a data URL: data:image/png;base64,…`,
        );
      try {
        const png = Buffer.from(url.replace(DATA_URL, ''), 'base64');
        return { type: 'image', picture: pictureOf(decodePng(png, MAX_IMAGE_PIXELS)) };
      } catch (error) {
        throw badRequest(`messages.${index}`, messageOf(error), error);
      }
    }),
  };
}
