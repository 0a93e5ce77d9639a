// One server of a model: sends one request with a deadline, and turns everything but a readable reply into an EndpointError. It never
// repeats a request; the router does.

import type { Clock } from '../core/clock.ts';
import { DeadlineExceeded, withDeadline } from '../core/deadline.ts';
import { sentenceOf } from '../core/errors.ts';
import { safeParse } from '../core/safe-parse.ts';
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

/** A request that changes a server. */
export interface ControlRequest {
  /** base: below the base of the protocol. root: a route of the server itself. */
  readonly at: 'base' | 'root';
  readonly path: string;
  readonly body?: object;
  readonly timeoutMs: number;
}

interface SentRequest {
  readonly method: 'GET' | 'POST';
  readonly base: string;
  readonly path: string;
  readonly body: readonly (string | Uint8Array)[];
  readonly timeoutMs: number;
  /** After a deadline. */
  readonly remedy: string;
  /** After a status of a failure. Default: by the status. */
  readonly statusRemedy?: string;
}

/** Such routes answer at once; a server that hangs must not be waited for as for a long reply. */
const GET_TIMEOUT_MS = 30_000;
const READ_LOG = 'Read the log of the server.';
const CHAT_TIMEOUT_REMEDY = "Raise 'limits.timeoutSeconds', or lower 'limits.concurrency'.";
/** The status of a server that has not loaded its model yet. */
const LOADING = 503;
const LOADING_REMEDY = 'Wait until the model is loaded, or read the log of the server.';

/** OpenAI's status 400 if the thoughts of a model reach the limit. Other servers answer with an empty reply. */
const NO_VISIBLE_TOKEN = /max_tokens or model output limit was reached/;
const EMPTY_REPLY = wireReply.parse({ choices: [{ message: { content: '' }, finish_reason: 'length' }] });

export class EndpointClient {
  readonly name: string;
  readonly #options: EndpointClientOptions;

  constructor(options: EndpointClientOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Rejects with an EndpointError, or with the reason of the signal. */
  async chat(body: readonly (string | Uint8Array)[], signal: AbortSignal): Promise<WireReply> {
    const { url, timeoutMs } = this.#options;
    const path = '/chat/completions';
    const sent = { method: 'POST', base: url, path, body, timeoutMs, remedy: CHAT_TIMEOUT_REMEDY } as const;
    let reply: HttpReply;
    try {
      reply = await this.#send(sent, signal);
    } catch (error) {
      if (error instanceof EndpointError && NO_VISIBLE_TOKEN.test(error.reported ?? '')) return EMPTY_REPLY;
      throw error;
    }
    const parsed = safeParse(wireReply, this.#jsonOf(reply));
    if (parsed.success && parsed.data.choices[0].finish_reason === 'abort')
      throw this.#error(
        'server-error',
        `${url} ended the reply in the middle: it was paused, stopped, or told to abort requests. ${READ_LOG}`,
      );
    if (parsed.success) return parsed.data;
    throw this.#error(
      'bad-reply',
      `The reply has no field 'choices' with a message: ${startOf(this.#redact(reply.body))}. Check that ${this.#options.url} is the base of an OpenAI-compatible chat server.`,
    );
  }

  /** The JSON of another route below the base, such as '/models'. */
  get(path: string, signal: AbortSignal): Promise<unknown> {
    return this.#get(this.#options.url, path, signal);
  }

  /** The JSON of a route of the server itself, beside the base, such as '/version'. */
  getFromRoot(path: string, signal: AbortSignal): Promise<unknown> {
    return this.#get(this.#root, path, signal);
  }

  /** The text that a control route answers. Such a route may take minutes. */
  async control({ at, path, body, timeoutMs }: ControlRequest, signal: AbortSignal): Promise<string> {
    const base = at === 'root' ? this.#root : this.#options.url;
    const parts = body === undefined ? [] : [JSON.stringify(body)];
    const remedies = { remedy: READ_LOG, statusRemedy: READ_LOG };
    const sent = { method: 'POST', base, path, body: parts, timeoutMs, ...remedies } as const;
    return (await this.#send(sent, signal)).body;
  }

  get #root(): string {
    return this.#options.url.replace(/\/v\d+\/?$/, '');
  }

  async #get(base: string, path: string, signal: AbortSignal): Promise<unknown> {
    const timeoutMs = Math.min(this.#options.timeoutMs, GET_TIMEOUT_MS);
    const remedy = 'Check whether the server is overloaded.';
    return this.#jsonOf(
      await this.#send({ ...{ method: 'GET', base, path, body: [] }, timeoutMs, remedy }, signal),
    );
  }

  async #send(
    { method, base, path, body, timeoutMs, remedy, statusRemedy }: SentRequest,
    signal: AbortSignal,
  ): Promise<HttpReply> {
    const { key, transport, clock } = this.#options;
    const headers = {
      accept: 'application/json',
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: key.authorization() }),
    };
    const request = { url: `${base.replace(/\/$/, '')}${path}`, method, headers, body };
    const work = (over: AbortSignal) => transport.send({ ...request, signal: over });
    let reply: HttpReply;
    try {
      reply = await withDeadline(work, { what: 'The request', ms: timeoutMs, clock, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw this.#connectionError(error, timeoutMs, remedy);
    }
    if (reply.status >= 200 && reply.status < 300) return reply;
    throw this.#statusError(reply, statusRemedy);
  }

  #connectionError(error: unknown, timeoutMs: number, remedy: string): EndpointError {
    const { url } = this.#options;
    if (error instanceof DeadlineExceeded)
      return this.#error('timeout', `No reply from ${url} within ${timeoutMs / 1000} s. ${remedy}`);
    return this.#error(
      'unreachable',
      `No reply from ${url}: ${sentenceOf(error)} Start the server, or correct the URL.`,
    );
  }

  #statusError(reply: HttpReply, statusRemedy?: string): EndpointError {
    const { url } = this.#options;
    const { status } = reply;
    const reported = reportedIn(reply.body, text => this.#redact(text));
    const [reason, remedy] = meaningOf(status, reported);
    const advice = statusRemedy ?? remedy;
    const delayMs = retryAfterMs(reply.headers['retry-after'], this.#options.clock.now());
    const told = `status ${status}: ${reported}`;
    return this.#error(reason, `${url} answered with ${told}. ${advice}`, { delayMs, reported: told });
  }

  #jsonOf({ body }: HttpReply): unknown {
    try {
      return parseWireJson(body);
    } catch {
      // The parser's message adds nothing to the text itself.
      throw this.#error(
        'bad-reply',
        `The reply of ${this.#options.url} is not complete JSON (${body.length} characters, which end with ${JSON.stringify(this.#redact(body).slice(-40))}). A proxy may have cut it. Read the log of the server.`,
      );
    }
  }

  /** A server may repeat the key in its message. */
  #error(
    reason: EndpointCause,
    message: string,
    { delayMs, reported }: { readonly delayMs?: number | undefined; readonly reported?: string } = {},
  ): EndpointError {
    return new EndpointError(
      reason,
      this.name,
      this.#redact(message),
      delayMs,
      reported === undefined ? undefined : this.#redact(reported),
    );
  }

  #redact(text: string): string {
    return this.#options.key?.redact(text) ?? text;
  }
}

/** The server of llama-cpp-python answers with status 500 when it rejects a field. */
const REJECTED_FIELD = /^\d+ validation errors?\b/;

function meaningOf(status: number, reported: string): readonly [EndpointCause, string] {
  if (status === 401 || status === 402 || status === 403)
    return [
      'unauthorized',
      "Correct the key that the setting 'key' names, or the account that it belongs to.",
    ];
  if (status === 404)
    return ['no-such-model', "Correct 'model' to a name that the server lists, or the path of the URL."];
  if (status === 408) return ['timeout', READ_LOG];
  if (status === 429) return ['rate-limited', "Lower 'limits.concurrency' if this repeats."];
  if (status >= 500 && !REJECTED_FIELD.test(reported))
    return ['server-error', status === LOADING ? LOADING_REMEDY : READ_LOG];
  return ['bad-request', 'Run `dartboard endpoint check` to find what this server accepts.'];
}
