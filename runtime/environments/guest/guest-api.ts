// Requests to a guest: a machine that serves OSWorld's HTTP API. A request that reads is repeated. A request that acts is sent again only if it
// certainly did not arrive, so that no action happens twice.

import type { Clock } from '../../core/clock.ts';
import { withDeadline } from '../../core/deadline.ts';
import { causeOf, sentenceOf } from '../../core/errors.ts';
import { BoundaryError } from '../../core/failure.ts';
import { parseJson } from '../../core/json.ts';
import { boundedBody, OversizedReply } from '../bounded-body.ts';

/** OSWorld's guest kills a command after two minutes. */
const TIMEOUT_MS = 150_000;
const ANSWER_TIMEOUT_MS = 5000;
const ATTEMPTS = 3;
const PAUSE_MS = 1000;
const MAX_DETAIL = 300;

/** The connection was not made, so the guest has not seen the request. */
const NOT_SENT: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
];

export interface GuestAddress {
  /** Such as `http://192.168.7.2:5000`, with or without a slash at its end. */
  readonly url: string;
  readonly clock: Clock;
}

export type GuestBody =
  | { readonly json: unknown }
  | { readonly form: Readonly<Record<string, string>> }
  | { readonly path: string; readonly bytes: Uint8Array };

export interface GuestReply {
  readonly status: number;
  readonly bytes: Uint8Array;
}

export class GuestApi {
  readonly #address: GuestAddress;

  constructor({ url, clock }: GuestAddress) {
    this.#address = { url: url.replace(/\/+$/, ''), clock };
  }

  /** Whether the guest answers at all, by one request with a short deadline. */
  async answers(ms = ANSWER_TIMEOUT_MS): Promise<boolean> {
    return this.#send('/platform', undefined, ms).then(
      ({ status }) => status < 500,
      () => false,
    );
  }

  /** A request that changes nothing. The cause of its error is an OversizedReply if the reply is too large. */
  async read(path: string, body?: GuestBody): Promise<GuestReply> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const reply = await this.#send(path, body);
        if (reply.status < 500 || attempt === ATTEMPTS) return reply;
      } catch (error) {
        if (attempt === ATTEMPTS || error instanceof OversizedReply) throw this.#error(path, error);
      }
      await this.#address.clock.sleep(PAUSE_MS);
    }
  }

  /** A request that does something. It arrives at most once. */
  async act(path: string, body: GuestBody): Promise<GuestReply> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#send(path, body);
      } catch (error) {
        if (attempt === ATTEMPTS || !wasNotSent(error)) throw this.#error(path, error);
      }
      await this.#address.clock.sleep(PAUSE_MS);
    }
  }

  /** The JSON of a reply; an error if the guest reports one. */
  json(path: string, { status, bytes }: GuestReply): Readonly<Record<string, unknown>> {
    const text = new TextDecoder().decode(bytes);
    const value = status < 300 ? jsonIn(text) : undefined;
    if (typeof value === 'object' && value !== null) return { ...value };
    throw this.failure(path, `answered ${status} ${text.slice(0, MAX_DETAIL)}`);
  }

  failure(path: string, what: string, boundary: 'environment' | 'task' = 'environment'): BoundaryError {
    const { url } = this.#address;
    return new BoundaryError({
      boundary,
      thing: `guest ${url}`,
      message: `${path} ${what.replace(/\.$/, '')}. Check the server in the guest.`,
    });
  }

  async #send(path: string, body: GuestBody | undefined, ms = TIMEOUT_MS): Promise<GuestReply> {
    const { url, clock } = this.#address;
    const abort = new AbortController();
    const request = fetch(`${url}${path}`, { ...requestOf(body), signal: abort.signal }).then(
      async response => ({
        status: response.status,
        bytes: await boundedBody(response),
      }),
    );
    try {
      return await withDeadline(request, { what: `The guest's reply to ${path}`, ms, clock });
    } catch (error) {
      abort.abort();
      throw error;
    }
  }

  #error(path: string, error: unknown): BoundaryError {
    const { url } = this.#address;
    const message =
      error instanceof OversizedReply
        ? `${path}: ${error.message}`
        : `${path} has no reply: ${sentenceOf(causeOf(error))} Check that the guest runs and that its server listens there.`;
    return new BoundaryError({ boundary: 'environment', thing: `guest ${url}`, message }, { cause: error });
  }
}

/** Undefined for other text, and for values that are nested too deeply to be printed. */
function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const wasNotSent = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  NOT_SENT.includes(error.cause.code);

function requestOf(body: GuestBody | undefined): RequestInit {
  if (body === undefined) return {};
  if ('json' in body)
    return {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body.json),
    };
  if ('form' in body) return { method: 'POST', body: new URLSearchParams(body.form) };
  const form = new FormData();
  form.append('file_path', body.path);
  form.append('file_data', new Blob([new Uint8Array(body.bytes)]), body.path.replace(/^.*\//, ''));
  return { method: 'POST', body: form };
}
