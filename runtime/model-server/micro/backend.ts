// The micro model as a backend of the chat server: messages with images become the prompt of a row, and tokens become the reply.

import { chatPrompt, type PatchedMessage } from '../../agents/micro/chat-prompt.ts';
import { MAX_CONTEXT, type MicroDecoder, PromptLengthError } from '../../agents/micro/decoder.ts';
import { pictureOfPng } from '../../agents/micro/picture.ts';
import type { SampledToken } from '../../agents/micro/sampling.ts';
import { addedTexts, decodeTokens } from '../../agents/micro/tokenizer.ts';
import { END } from '../../agents/micro/vocabulary.ts';
import { at } from '../../core/at.ts';
import { messageOf } from '../../core/errors.ts';
import { seeded } from '../../core/rng.ts';
import { badRequest } from '../api-error.ts';
import type { ChatBackend, Completion, ModelCard } from '../backend.ts';
import type { ChatCompletionRequest, ChatRequestMessage } from '../chat-request.ts';
import type { CompletionToken } from '../completion.ts';
import type { GenerationGate } from './generation-gate.ts';
import type { WeightsRegister } from './served-weights.ts';

export interface MicroBackendOptions {
  readonly weights: Pick<WeightsRegister, 'find' | 'cards'>;
  readonly gate: Pick<GenerationGate, 'through'>;
  readonly decoder: Pick<MicroDecoder, 'reply'>;
  /** The seed of a request that names none. */
  readonly randomSeed: () => number;
}

export class MicroBackend implements ChatBackend {
  readonly #options: MicroBackendOptions;

  constructor(options: MicroBackendOptions) {
    this.#options = options;
  }

  async models(): Promise<readonly ModelCard[]> {
    return this.#options.weights.cards();
  }

  async complete(request: ChatCompletionRequest, left: AbortSignal): Promise<Completion> {
    const { weights, gate, decoder, randomSeed } = this.#options;
    const prompt = chatPrompt(request.messages.map(patched));
    const random = seeded(request.seed ?? randomSeed());
    try {
      return await gate.through(async signal => {
        // After a pause, in which the weights may have changed. A reply has one version.
        const { name, model } = weights.find(request.model);
        const { tokens, finish } = await decoder.reply(prompt, {
          temperature: request.temperature,
          maxTokens: Math.min(request.maxTokens, MAX_CONTEXT),
          alternatives: request.topLogprobs ?? 0,
          random: () => random.next(),
          weights: model.weights,
          signal,
        });
        return {
          ...{
            model: name,
            fingerprint: `micro-${model.version}`,
            weightVersion: String(model.version),
            finish,
          },
          tokens: completionTokens(tokens),
          promptTokens: prompt.entries.length,
          promptIds: prompt.entries.map(({ id }) => id),
        };
      }, left);
    } catch (error) {
      if (!(error instanceof PromptLengthError)) throw error;
      throw badRequest('messages', error.message, error);
    }
  }
}

/** The end token has no text. */
const textOf = (id: number): string => (id === END ? '' : decodeTokens([id]));

function completionTokens(tokens: readonly SampledToken[]): readonly CompletionToken[] {
  const added = addedTexts(tokens.map(({ id }) => id));
  return tokens.map(({ id, logProbability, alternatives }, index) => ({
    ...{ id, text: textOf(id), added: id === END ? '' : at(added, index), logProbability },
    alternatives: alternatives.map(each => ({ text: textOf(each.id), logProbability: each.logProbability })),
  }));
}

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
        return { type: 'image', picture: pictureOfPng(png) };
      } catch (error) {
        throw badRequest(`messages.${index}`, messageOf(error), error);
      }
    }),
  };
}
