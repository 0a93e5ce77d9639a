// Faults between a client and a server: slow, failing, cut and reset requests with given shares, and times without a server.

import * as z from 'zod';
import type { Clock } from '../../../runtime/core/clock.ts';
import type { Random } from '../../../runtime/core/rng.ts';
import type { HttpReply, HttpRequest, HttpTransport } from '../../../runtime/endpoints/http-transport.ts';
import { errorReply } from './replies.ts';

/** Shares of requests, from 0 to 1. */
export interface Faults {
  readonly serverError?: number;
  readonly timeout?: number;
  readonly truncatedJson?: number;
  /** The report of the tokens lacks the first one. */
  readonly wrongLengths?: number;
  readonly reset?: number;
  readonly rateLimited?: number;
  readonly unauthorized?: number;
}

export interface FaultyOptions {
  readonly server: HttpTransport;
  readonly clock: Clock;
  readonly random: Random;
  readonly latencyMs?: number;
  /** Seconds after which a limited request may be sent again; '2' by default. */
  readonly retryAfter?: string;
  readonly faults?: Faults;
  /** The status of the fault `unauthorized`; 403 by default. */
  readonly refusalStatus?: number;
  /** Repeats this text in errors, as some gateways repeat the key. */
  readonly echo?: (request: HttpRequest) => string;
  /** Refuses connections between these times. */
  readonly downFrom?: number;
  readonly downUntil?: number;
}

export class FaultyTransport implements HttpTransport {
  /** The seed of each request that arrived; NaN for a request without one. */
  readonly seeds: number[] = [];
  /** Replies of the server that were sent completely. */
  completed = 0;
  inFlight = 0;
  maxInFlight = 0;
  readonly #options: FaultyOptions;

  constructor(options: FaultyOptions) {
    this.#options = options;
  }

  async send(request: HttpRequest): Promise<HttpReply> {
    const { clock, downFrom = Infinity, downUntil = -Infinity } = this.#options;
    const isDown = () => clock.now() >= downFrom && clock.now() < downUntil;
    if (isDown()) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    this.seeds.push(seedIn(request));
    this.inFlight += 1;
    this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
    try {
      const { isComplete, ...reply } = await this.#answer(request);
      if (isDown()) throw new Error('socket hang up');
      this.completed += isComplete ? 1 : 0;
      return reply;
    } finally {
      this.inFlight -= 1;
    }
  }

  close(): void {
    this.#options.server.close();
  }

  async #answer(request: HttpRequest): Promise<HttpReply & { readonly isComplete: boolean }> {
    const { server, clock, random, latencyMs = 500, faults = {}, retryAfter = '2', echo } = this.#options;
    const { refusalStatus = 403 } = this.#options;
    const fault = drawn(faults, random.next());
    if (fault === 'timeout') await clock.sleep(1e9, request.signal);
    await clock.sleep(latencyMs, request.signal);
    if (fault === 'reset') throw new Error('read ECONNRESET');
    const isComplete = false;
    if (fault === 'serverError')
      return { ...errorReply(500, echo?.(request) ?? 'out of memory'), isComplete };
    if (fault === 'rateLimited')
      return { ...errorReply(429, 'slow down'), headers: { 'retry-after': retryAfter }, isComplete };
    if (fault === 'unauthorized')
      return { ...errorReply(refusalStatus, 'this key has no access'), isComplete };
    const reply = await server.send(request);
    if (fault === 'truncatedJson')
      return { ...reply, body: reply.body.slice(0, reply.body.length / 2), isComplete };
    return {
      ...reply,
      body: fault === 'wrongLengths' ? shortened(reply.body) : reply.body,
      isComplete: true,
    };
  }
}

const seedIn = ({ body }: HttpRequest): number =>
  Number(/"seed":(\d+)/.exec(body.filter(part => typeof part === 'string').join(''))?.[1]);

const report = z.looseObject({
  choices: z.tuple([z.looseObject({ logprobs: z.looseObject({ content: z.array(z.unknown()) }) })]),
});

function shortened(body: string): string {
  const whole = report.parse(JSON.parse(body));
  const [choice] = whole.choices;
  const logprobs = { ...choice.logprobs, content: choice.logprobs.content.slice(1) };
  return JSON.stringify({ ...whole, choices: [{ ...choice, logprobs }] });
}

function drawn(faults: Faults, chance: number): keyof Faults | undefined {
  let before = 0;
  for (const name of FAULTS) {
    before += faults[name] ?? 0;
    if (chance < before) return name;
  }
  return undefined;
}

const FAULTS = [
  ...(['serverError', 'timeout', 'truncatedJson', 'wrongLengths', 'reset'] as const),
  ...(['rateLimited', 'unauthorized'] as const),
] as const;
