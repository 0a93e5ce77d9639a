// A double of a model server behind the transport, with the routes, errors and replies of the program that its traits name. `model` is the
// language model: it writes the reply.

import type { Clock } from '../../../runtime/core/clock.ts';
import type { HttpReply, HttpRequest, HttpTransport } from '../../../runtime/endpoints/http-transport.ts';
import { type ChatBody, type ChatInput, chatBodySchema, hasArrays, messagesOf } from './chat-input.ts';
import { chatRefusal } from './refusals.ts';
import { errorReply, json } from './replies.ts';
import { chatReply } from './reply-body.ts';
import { getReply } from './routes.ts';
import { modelTokens, pieces } from './tokens.ts';
import type { ServerTraits } from './traits.ts';

export type LanguageModel = (input: ChatInput) => string;

/** Counts when it is asked to, and otherwise agrees. */
export const countingModel: LanguageModel = ({ messages }) =>
  /numbers from 1 to (\d+)/.test(messages.at(-1)?.text ?? '')
    ? Array.from({ length: 200 }, (_, index) => `${index + 1}`).join(' ')
    : 'OK';

export interface ModelServerOptions {
  readonly traits: ServerTraits;
  readonly clock: Clock;
  readonly model?: LanguageModel;
}

export class ModelServer implements HttpTransport {
  /** The bodies of all chat requests. */
  readonly chats: ChatBody[] = [];
  /** The sampling of each reply, after the server filled in what the request left out. */
  readonly sampled: Readonly<Record<string, unknown>>[] = [];
  /** The methods and paths of all requests. */
  readonly routes: string[] = [];
  inFlight = 0;
  readonly #options: ModelServerOptions;
  readonly #waiting: (() => void)[] = [];

  constructor(options: ModelServerOptions) {
    this.#options = options;
  }

  async send(request: HttpRequest): Promise<HttpReply> {
    const { traits } = this.#options;
    const { pathname } = new URL(request.url);
    this.routes.push(`${request.method} ${pathname}`);
    if (traits.key !== undefined && request.headers['authorization'] !== `Bearer ${traits.key}`)
      return errorReply(401, 'Incorrect API key provided.', { code: 'invalid_api_key' });
    if (request.method === 'GET') return getReply(traits, pathname);
    if (pathname !== '/v1/chat/completions') return errorReply(404, 'Not Found');
    return this.#chat(request);
  }

  close(): void {}

  async #chat({ body, signal }: HttpRequest): Promise<HttpReply> {
    const { traits, clock, model = countingModel } = this.#options;
    const bytes = body.map(part => (typeof part === 'string' ? Buffer.from(part) : part));
    const parsed = chatBodySchema.parse(JSON.parse(Buffer.concat(bytes).toString()));
    this.chats.push(parsed);
    if (traits.images === 'text-only' && hasArrays(parsed))
      return errorReply(422, 'messages.0.content: Input should be a valid string');
    const messages = messagesOf(parsed);
    const refusal = chatRefusal(traits, parsed, messages);
    if (refusal !== undefined) return refusal;

    const fields: Readonly<Record<string, unknown>> = { ...traits.generationConfig, ...parsed };
    this.sampled.push(fields);
    const temperature = numberIn(fields, 'temperature') ?? 1;
    const written = model({ model: parsed.model, messages, temperature, seed: numberIn(fields, 'seed') });
    const limit = Math.min(...traits.limitFields.map(name => numberIn(parsed, name) ?? Infinity));
    const all = pieces(written);
    const isCut = all.length > limit;
    const ended = isCut || traits.endToken === undefined ? all : [...all, traits.endToken];
    const texts = [...ended.slice(0, limit), ...(isCut ? [] : (traits.pastStop ?? []))];
    await this.#work((traits.prefillMs ?? 0) + texts.length * (traits.tokenMs ?? 0), clock, signal);
    const prompt = messages.map(each => `${each.role}:${each.text}:${each.images.length}`).join('\n');
    const tokens = modelTokens(prompt, texts, { temperature, report: traits.logProbabilities });
    const content = all.slice(0, limit).join('');
    return json(
      200,
      chatReply({ traits, request: parsed, messages, content, tokens, finish: isCut ? 'length' : 'stop' }),
    );
  }

  /** Takes one of the slots for so long. */
  async #work(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
    while (this.inFlight >= (this.#options.traits.slots ?? Infinity))
      await new Promise<void>(resolve => this.#waiting.push(resolve));
    this.inFlight += 1;
    try {
      if (ms > 0) await clock.sleep(ms, signal);
    } finally {
      this.inFlight -= 1;
      this.#waiting.shift()?.();
    }
  }
}

const numberIn = (fields: Readonly<Record<string, unknown>>, name: string): number | undefined => {
  const value = fields[name];
  return typeof value === 'number' ? value : undefined;
};
