// One Tinker server: sends one request with a deadline, and turns every status but 2xx into a TinkerError, unless the request accepts it.
// It never repeats a request; the client does.

import type { Clock } from '../../core/clock.ts';
import { DeadlineExceeded, withDeadline } from '../../core/deadline.ts';
import { sentenceOf } from '../../core/errors.ts';
import { reportedIn, retryAfterMs } from '../../endpoints/error-reply.ts';
import type { HttpBytesReply, HttpBytesTransport } from '../../endpoints/http-transport.ts';
import type { ApiKey } from '../../endpoints/keys.ts';
import { type TinkerCause, TinkerError } from './tinker-error.ts';

export interface TinkerConnectionOptions {
  /** The learner, for messages. */
  readonly name: string;
  /** The root of the server, such as http://localhost:8000, with or without /api/v1. */
  readonly url: string;
  readonly key?: ApiKey | undefined;
  readonly transport: HttpBytesTransport;
  readonly clock: Clock;
}

export interface ConnectionRequest {
  readonly method: 'GET' | 'POST';
  /** Below /api/v1. */
  readonly route: string;
  readonly type?: string;
  readonly body?: Uint8Array | string;
  readonly accept: string;
  readonly timeoutMs: number;
  /** A status besides 2xx that is no error. */
  readonly accepted?: number;
}

export class TinkerConnection {
  readonly #options: TinkerConnectionOptions;

  constructor(options: TinkerConnectionOptions) {
    this.#options = options;
  }

  get url(): string {
    return this.#options.url;
  }

  /** Resolves with a reply of status 2xx, or of the accepted status. Rejects with a TinkerError, or with the reason of the signal. */
  async send(request: ConnectionRequest, signal: AbortSignal): Promise<HttpBytesReply> {
    const { method, route, type, body, accept, timeoutMs, accepted } = request;
    const { url, key, transport, clock } = this.#options;
    signal.throwIfAborted();
    const send = (over: AbortSignal) =>
      transport.sendForBytes({
        url: `${url.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1${route}`,
        method,
        headers: {
          accept,
          ...(type !== undefined && { 'content-type': type }),
          ...(key !== undefined && { 'x-api-key': key.bare() }),
        },
        body: body === undefined ? [] : [body],
        signal: over,
      });
    let reply: HttpBytesReply;
    try {
      reply = await withDeadline(send, { what: 'The request', ms: timeoutMs, clock, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw this.#connectionError(error, timeoutMs);
    }
    if ((reply.status >= 200 && reply.status < 300) || reply.status === accepted) return reply;
    throw this.#statusError(reply, route);
  }

  /** A server may repeat the key in its message. */
  error(
    reason: TinkerCause,
    message: string,
    details?: ConstructorParameters<typeof TinkerError>[3],
  ): TinkerError {
    const reported = details?.reported;
    return new TinkerError(reason, this.#options.name, this.redact(message), {
      ...details,
      ...(reported !== undefined && { reported: this.redact(reported) }),
    });
  }

  redact(text: string): string {
    return this.#options.key?.redact(text) ?? text;
  }

  #connectionError(error: unknown, timeoutMs: number): TinkerError {
    const { url } = this.#options;
    if (error instanceof DeadlineExceeded)
      return this.error(
        'timeout',
        `No reply from ${url} within ${timeoutMs / 1000} s. Check its load and its log.`,
      );
    return this.error(
      'unreachable',
      `No reply from ${url}: ${sentenceOf(error)} Start the server, or correct the URL.`,
      { isUnsent: isUnconnected(error) },
    );
  }

  #statusError({ status, headers, body }: HttpBytesReply, route: string): TinkerError {
    const reported = reportedIn(new TextDecoder().decode(body), text => this.redact(text));
    const reason = reasonOf(status);
    return this.error(
      reason,
      `${this.#options.url} answered ${route} with status ${status}: ${reported}. ${remedyOf(reason)}`,
      {
        ...{ status, reported },
        delayMs: retryAfterMs(headers['retry-after'], this.#options.clock.now()),
        isUnsent: reason === 'rate-limited' || reason === 'unauthorized',
      },
    );
  }
}

/** No connection was made, so nothing was sent. */
function isUnconnected(error: unknown): boolean {
  // One error for each address of the server.
  if (error instanceof AggregateError) return error.errors.every(isUnconnected);
  if (!(error instanceof Error) || !('syscall' in error)) return false;
  return error.syscall === 'connect' || error.syscall === 'getaddrinfo';
}

function reasonOf(status: number): TinkerCause {
  if (status === 401 || status === 402 || status === 403) return 'unauthorized';
  if (status === 404 || status === 410) return 'no-model';
  if (status === 408) return 'timeout';
  if (status === 409) return 'conflict';
  if (status === 429) return 'rate-limited';
  // 425: a checkpoint that the request needs is still being written.
  return status === 425 || status >= 500 ? 'server-error' : 'bad-request';
}

function remedyOf(reason: TinkerCause): string {
  if (reason === 'unauthorized') return 'Correct the key of the learner, or the account that it belongs to.';
  if (reason === 'no-model')
    return 'The server has it no longer, or never had it. Check whether it has restarted, and its log.';
  if (reason === 'conflict') return 'Check that no other program trains this model.';
  if (reason === 'bad-request') return 'Check that the server speaks the Tinker protocol, and its log.';
  return 'The request is sent again.';
}
