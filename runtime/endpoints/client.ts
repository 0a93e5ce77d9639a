// One server of a model: sends one request with a deadline, and turns everything but a readable reply into an EndpointError. It never
// repeats a request; the router does.

import type { Clock } from '../core/clock.ts';
import { DeadlineExceeded, withDeadline } from '../core/deadline.ts';
import { sentenceOf } from '../core/errors.ts';
import { reportedIn, retryAfterMs, startOf } from './error-reply.ts';
import { type EndpointCause, EndpointError } from './failure.ts';
import type { HttpReply, HttpTransport } from './http-transport.ts';
import type { ApiKey } from './keys.ts';
import { parseWireJson, type WireReply, wireReply } from './wire-reply.ts';

export interface EndpointClientOptions {
  /** For messages and records: the agent, and the number of the server if it has several. */
  readonly name: string;
  /** The base of the protocol, such as http://localhost:8000/v1. */
  readonly url: string;
  readonly key?: ApiKey;
  readonly timeoutMs: number;
  readonly transport: HttpTransport;
  readonly clock: Clock;
}

export class EndpointClient {
  readonly name: string;
  readonly #options: EndpointClientOptions;

  constructor(options: EndpointClientOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Rejects with an EndpointError, or with the reason of the signal. */
  async chat(body: readonly (string | Uint8Array)[], signal: AbortSignal): Promise<WireReply> {
    const reply = await this.#send('POST', '/chat/completions', body, signal);
    const parsed = wireReply.safeParse(this.#jsonOf(reply));
    if (parsed.success) return parsed.data;
    throw this.#error(
      'bad-reply',
      `The reply has no field 'choices' with a message: ${startOf(reply.body)}. Check that ${this.#options.url} is the base of an OpenAI-compatible chat server.`,
    );
  }

  /** The JSON of another route below the base, such as '/models'. */
  async get(path: string, signal: AbortSignal): Promise<unknown> {
    return this.#jsonOf(await this.#send('GET', path, [], signal));
  }

  /** The JSON of a route of the server itself, beside the base, such as '/version'. */
  async getFromRoot(path: string, signal: AbortSignal): Promise<unknown> {
    const root = this.#options.url.replace(/\/v\d+\/?$/, '');
    return this.#jsonOf(await this.#send('GET', path, [], signal, root));
  }

  async #send(
    method: 'GET' | 'POST',
    path: string,
    body: readonly (string | Uint8Array)[],
    signal: AbortSignal,
    base = this.#options.url,
  ): Promise<HttpReply> {
    const { key, timeoutMs, transport, clock } = this.#options;
    const expired = new AbortController();
    const headers = {
      accept: 'application/json',
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: key.authorization() }),
    };
    const request = {
      ...{ url: `${base.replace(/\/$/, '')}${path}`, method, headers, body },
      signal: AbortSignal.any([signal, expired.signal]),
    };
    let reply: HttpReply;
    try {
      const work = transport.send(request);
      reply = await withDeadline(work, { what: 'The request', ms: timeoutMs, clock, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw this.#connectionError(error);
    } finally {
      // Without effect on a finished request.
      expired.abort(new Error('The deadline has passed.'));
    }
    if (reply.status >= 200 && reply.status < 300) return reply;
    throw this.#statusError(reply);
  }

  #connectionError(error: unknown): EndpointError {
    const { url, timeoutMs } = this.#options;
    if (error instanceof DeadlineExceeded)
      return this.#error(
        'timeout',
        `No reply from ${url} within ${timeoutMs / 1000} s. Raise 'limits.timeoutSeconds', or lower 'limits.concurrency'.`,
      );
    return this.#error(
      'unreachable',
      `No reply from ${url}: ${sentenceOf(error)} Start the server, or correct the URL.`,
    );
  }

  #statusError(reply: HttpReply): EndpointError {
    const { url } = this.#options;
    const { status } = reply;
    const reported = reportedIn(reply.body);
    const [reason, remedy] = meaningOf(status, reported);
    const delayMs = retryAfterMs(reply.headers['retry-after'], this.#options.clock.now());
    const told = `status ${status}: ${reported}`;
    return this.#error(reason, `${url} answered with ${told}. ${remedy}`, { delayMs, reported: told });
  }

  #jsonOf({ body }: HttpReply): unknown {
    try {
      return parseWireJson(body);
    } catch {
      // The parser's message adds nothing to the text itself.
      throw this.#error(
        'bad-reply',
        `The reply of ${this.#options.url} is not complete JSON (${body.length} characters, which end with ${JSON.stringify(body.slice(-40))}). A proxy may have cut it.`,
      );
    }
  }

  /** A server may repeat the key in its message. */
  #error(
    reason: EndpointCause,
    message: string,
    { delayMs, reported }: { readonly delayMs?: number | undefined; readonly reported?: string } = {},
  ): EndpointError {
    const safe = (text: string): string => this.#options.key?.redact(text) ?? text;
    return new EndpointError(
      reason,
      this.name,
      safe(message),
      delayMs,
      reported === undefined ? undefined : safe(reported),
    );
  }
}

const RETRY = 'The request is sent again.';

/** The server of llama-cpp-python answers with status 500 when it rejects a field. */
const REJECTED_FIELD = /^\d+ validation errors?\b/;

function meaningOf(status: number, reported: string): readonly [EndpointCause, string] {
  if (status === 401 || status === 403)
    return ['unauthorized', "Correct the key that the setting 'key' names."];
  if (status === 404)
    return ['no-such-model', "Correct 'model' to a name that the server lists, or the path of the URL."];
  if (status === 408) return ['timeout', RETRY];
  if (status === 429) return ['rate-limited', "Lower 'limits.concurrency' if this repeats."];
  if (status >= 500 && !REJECTED_FIELD.test(reported)) return ['server-error', RETRY];
  return ['bad-request', 'Run `dartboard endpoint check` to find what this server accepts.'];
}
