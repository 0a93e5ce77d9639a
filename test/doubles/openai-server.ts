// A double of an OpenAI-compatible server behind the transport, on an injected clock: a small model with real probabilities, faults with
// given shares, and the documented misreports of real servers as switches.

import type { Clock } from '../../runtime/core/clock.ts';
import type { Random } from '../../runtime/core/rng.ts';
import type { HttpReply, HttpRequest, HttpTransport } from '../../runtime/endpoints/http-transport.ts';

/** Shares of requests, from 0 to 1. */
export interface Faults {
  readonly serverError?: number;
  readonly timeout?: number;
  readonly truncatedJson?: number;
  readonly wrongLengths?: number;
  readonly reset?: number;
  readonly rateLimited?: number;
}

export interface Misreports {
  /** Log-probabilities of −9999. */
  readonly missing?: boolean;
  /** Fewer log-probabilities than tokens. */
  readonly short?: boolean;
  /** Tokens after the end of the text. */
  readonly pastStop?: boolean;
  readonly model?: string;
}

export interface ServerOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly latencyMs?: number;
  readonly faults?: Faults;
  readonly misreports?: Misreports;
  /** Repeats this text in errors, as some gateways repeat the key. */
  readonly echo?: (request: HttpRequest) => string;
  /** Refuses connections between these times. */
  readonly downFrom?: number;
  readonly downUntil?: number;
}

interface ChatBody {
  readonly model: string;
  readonly seed: number;
  readonly messages: readonly unknown[];
}

const REPLY = ['Action', ':', ' wait', '()'];

export class OpenAiServer implements HttpTransport {
  /** Bodies of all requests that arrived. */
  readonly requests: ChatBody[] = [];
  /** Replies that were sent completely. */
  completed = 0;
  inFlight = 0;
  maxInFlight = 0;
  readonly #options: ServerOptions;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  async send(request: HttpRequest): Promise<HttpReply> {
    const { clock, downFrom = Infinity, downUntil = -Infinity } = this.#options;
    const isDown = () => clock.now() >= downFrom && clock.now() < downUntil;
    if (isDown()) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    this.inFlight += 1;
    this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
    try {
      const reply = await this.#answer(request);
      if (isDown()) throw new Error('socket hang up');
      this.completed += reply.isComplete === true ? 1 : 0;
      return reply;
    } finally {
      this.inFlight -= 1;
    }
  }

  close(): void {}

  async #answer(request: HttpRequest): Promise<HttpReply & { readonly isComplete?: boolean }> {
    const { clock, random, latencyMs = 500, faults = {}, echo } = this.#options;
    if (request.method === 'GET')
      return request.url.endsWith('/models')
        ? { status: 200, headers: {}, body: JSON.stringify({ data: [{ id: 'tars', owned_by: 'lab' }] }) }
        : status(404, 'not found');
    const text = request.body
      .map(part => (typeof part === 'string' ? part : Buffer.from(part).toString()))
      .join('');
    const body = JSON.parse(text) as ChatBody;
    this.requests.push(body);
    const fault = drawn(faults, random.next());
    if (fault === 'timeout') await clock.sleep(1e9, request.signal);
    await clock.sleep(latencyMs, request.signal);
    if (fault === 'reset') throw new Error('read ECONNRESET');
    if (fault === 'serverError') return status(500, echo?.(request) ?? 'out of memory');
    if (fault === 'rateLimited') return status(429, 'slow down', { 'retry-after': '2' });
    const whole = JSON.stringify(this.#reply(body, fault === 'wrongLengths'));
    if (fault === 'truncatedJson')
      return { status: 200, headers: {}, body: whole.slice(0, whole.length / 2) };
    return { status: 200, headers: {}, body: whole, isComplete: true };
  }

  #reply({ model, messages }: ChatBody, wrongLengths: boolean): unknown {
    const { misreports = {} } = this.#options;
    const tokens = [...REPLY, ...(misreports.pastStop ? [' and', ' more'] : [])];
    const entries = tokens.map((token, index) => {
      const p = 0.5 + 0.1 * (index % 4);
      const top = [
        { token, logprob: Math.log(p) },
        { token: '?', logprob: Math.log(1 - p) },
      ];
      const logprob = misreports.missing ? -9999 : Math.log(p);
      return { token, logprob, bytes: [...Buffer.from(token)], top_logprobs: top };
    });
    const reported = misreports.short || wrongLengths ? entries.slice(1) : entries;
    return {
      model: misreports.model ?? model,
      choices: [
        {
          message: { content: REPLY.join('') },
          finish_reason: 'stop',
          token_ids: tokens.map((_, index) => 100 + index),
          logprobs: { content: reported },
        },
      ],
      prompt_token_ids: messages.map((_, index) => index),
      usage: { prompt_tokens: 10, completion_tokens: tokens.length },
    };
  }
}

function drawn(faults: Faults, chance: number): keyof Faults | undefined {
  let before = 0;
  for (const name of FAULTS) {
    before += faults[name] ?? 0;
    if (chance < before) return name;
  }
  return undefined;
}

const FAULTS = ['serverError', 'timeout', 'truncatedJson', 'wrongLengths', 'reset', 'rateLimited'] as const;

const status = (code: number, message: string, headers: HttpReply['headers'] = {}): HttpReply => ({
  status: code,
  headers,
  body: JSON.stringify({ error: { message } }),
});
