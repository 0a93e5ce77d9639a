// The requests of a joined host to the daemon's server: each has a deadline, and is repeated while the server does not answer.

import type * as z from 'zod';
import type { Clock } from '../core/clock.ts';
import { withDeadline } from '../core/deadline.ts';
import { parsedJson } from '../core/json.ts';
import { retry } from '../core/retry.ts';
import { safeParse } from '../core/safe-parse.ts';
import type { HttpBytesReply, HttpBytesTransport, HttpRequest } from '../endpoints/http-transport.ts';
import { errorReply, UNAVAILABLE } from './messages.ts';

export interface HostRequestsOptions {
  /** Without a path. */
  readonly url: string;
  readonly token: string;
  readonly transport: HttpBytesTransport;
  readonly clock: Clock;
}

export type HostRequest = Pick<HttpRequest, 'method'> & {
  readonly path: string;
  readonly body?: Uint8Array | string;
  readonly signal: AbortSignal;
  /** A reply 404 of the daemon is an answer: what is requested does not exist. */
  readonly mayBeMissing?: boolean;
  /** Default: by the method. */
  readonly timeoutMs?: number;
};

/** The server refused the request: a repetition has the same result. */
export class HostRequestRefused extends Error {
  override readonly name = 'HostRequestRefused';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** The daemon cannot answer the request now, and gives the reason: the request is worth a repetition. */
export class TemporaryRefusal extends Error {
  override readonly name = 'TemporaryRefusal';
}

/** The daemon failed at the request, and gives the reason. A repetition may help a host that has joined. */
export class DaemonFailed extends Error {
  override readonly name = 'DaemonFailed';
}

/** Another server answered instead of the daemon, as a proxy does while it does not reach the daemon: the request is worth a repetition. */
export class ForeignReply extends Error {
  override readonly name = 'ForeignReply';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }

  /** It depends on the request, such as the size of its body; before the daemon has ever answered, the address is wrong. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500 && !TEMPORARY.has(this.status);
  }
}

const MESSAGE_TIMEOUT_MS = 10_000;
/** Enough for the largest one at 1 MB/s. */
const BLOB_TIMEOUT_MS = 65_000;
/** A repetition of the same body has the same result. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof HostRequestRefused || (error instanceof ForeignReply && error.isRefusal);

/** Of a reply that is no message. */
const SHOWN_CHARACTERS = 60;
/** The body was too slow, or there are too many requests. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 429]);
export const NOT_FOUND = 404;

export class HostRequests {
  readonly #options: HostRequestsOptions;

  constructor(options: HostRequestsOptions) {
    this.#options = options;
  }

  /** Sends it once. Resolves with an answer; rejects with HostRequestRefused, or with another error that is worth a repetition. */
  async once({
    method,
    path,
    body,
    signal,
    mayBeMissing = false,
    timeoutMs,
  }: HostRequest): Promise<HttpBytesReply> {
    const { url, token, transport, clock } = this.#options;
    const send = (over: AbortSignal) =>
      transport.sendForBytes({
        ...{ method, url: `${url}${path}`, headers: { authorization: `Bearer ${token}` } },
        body: body === undefined ? [] : [body],
        signal: over,
      });
    const ms = timeoutMs ?? (method === 'POST' ? MESSAGE_TIMEOUT_MS : BLOB_TIMEOUT_MS);
    const reply = await withDeadline(send, { what: `${method} ${path}`, ms, clock, signal });
    const { status } = reply;
    if (isSuccess(status)) return reply;
    // The daemon gives a reason with each refusal, and redirects nothing.
    const reason = status < 400 ? undefined : safeParse(errorReply, jsonIn(reply)).data?.error;
    if (reason === undefined) throw new ForeignReply(foreign(url, `${method} ${path}`, status), status);
    if (status === NOT_FOUND && mayBeMissing) return reply;
    if (status === UNAVAILABLE || TEMPORARY.has(status)) throw new TemporaryRefusal(reason);
    throw status >= 500 ? new DaemonFailed(reason) : new HostRequestRefused(reason, status);
  }

  /** Repeats it until the server answers, or the signal is aborted. Calls `failed` before each repetition. `check` throws for no answer. */
  persistently(
    request: HostRequest,
    failed: (error: Error, failures: number) => void = () => undefined,
    check: (reply: HttpBytesReply) => unknown = () => undefined,
  ): Promise<HttpBytesReply> {
    const answered = async () => {
      const reply = await this.once(request);
      check(reply);
      return reply;
    };
    return retry(answered, {
      ...{ clock: this.#options.clock, signal: request.signal },
      failed: (error, failures) => {
        if (error instanceof HostRequestRefused) throw error;
        failed(error, failures);
      },
    });
  }
}

/** Throws a RangeError for a reply of another version, and a ForeignReply for a page. */
export function parsedReply<T>(reply: HttpBytesReply, schema: z.ZodType<T>): T {
  const json = jsonIn(reply);
  if (json === undefined && isSuccess(reply.status))
    throw new ForeignReply(
      `Another server answered instead of the daemon: the reply begins with ${JSON.stringify(textOf(reply).slice(0, SHOWN_CHARACTERS))}. Check the address, and the proxies between the machines.`,
      reply.status,
    );
  const parsed = safeParse(schema, json);
  if (parsed.success) return parsed.data;
  throw new RangeError(
    'The reply of the daemon has an unknown form. Use the same version of Dartboard on both machines.',
  );
}

/** Undefined for a body without JSON. */
const jsonIn = (reply: HttpBytesReply): unknown => parsedJson(textOf(reply));

const textOf = ({ body }: HttpBytesReply): string => Buffer.from(body).toString('utf8');

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const foreign = (url: string, request: string, status: number): string =>
  `${url} answered ${request} with status ${status}, which is no answer of the daemon. Check the address, the daemon, and the proxies between the machines. Use the address that the daemon prints as 'dartboard join'; that of its pages admits no hosts.`;
