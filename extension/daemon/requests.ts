// Requests over one connection. Each ends with a checked reply, an error of the daemon, or its deadline.

import type { Clock } from '../../runtime/core/clock.ts';
import { DeadlineExceeded, withDeadline } from '../../runtime/core/deadline.ts';
import { deadlineOf } from '../../runtime/protocol/daemon/deadlines.ts';
import {
  DAEMON_RESULTS,
  type DaemonMessage,
  type DaemonMethod,
  type DaemonParams,
  type DaemonResults,
} from '../../runtime/protocol/daemon/messages.ts';
import type { DaemonErrorCode } from '../../runtime/protocol/daemon/schemas.ts';
import type { RequestMessage } from './connection.ts';

/** The daemon rejected a request, or no reply can come. */
export class DaemonRequestError extends Error {
  override readonly name = 'DaemonRequestError';
  /** Undefined if no reply came. */
  readonly code: DaemonErrorCode | undefined;

  constructor(message: string, options: ErrorOptions & { readonly code?: DaemonErrorCode } = {}) {
    super(message, options);
    this.code = options.code;
  }
}

/** The daemon replies to most requests within milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;

interface PendingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class DaemonRequests {
  readonly #send: (request: RequestMessage) => boolean;
  readonly #clock: Clock;
  readonly #pending = new Map<number, PendingRequest>();
  #nextId = 0;

  constructor(send: (request: RequestMessage) => boolean, clock: Clock) {
    this.#send = send;
    this.#clock = clock;
  }

  async request<M extends DaemonMethod>(method: M, params: DaemonParams<M>): Promise<DaemonResults[M]> {
    const id = this.#nextId++;
    const reply = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    if (!this.#send({ id, method, params })) this.#take(id)?.reject(new DaemonRequestError(NOT_CONNECTED));
    const ms = deadlineOf(method, REQUEST_TIMEOUT_MS);
    try {
      const result = await withDeadline(reply, { what: method, ms, clock: this.#clock });
      return DAEMON_RESULTS[method].parse(result);
    } catch (error) {
      if (!(error instanceof DeadlineExceeded)) throw error;
      const reason = `The Dartboard daemon did not reply to '${method}' within ${ms / 1000} s. See the log.`;
      throw new DaemonRequestError(reason, { cause: error });
    } finally {
      this.#pending.delete(id);
    }
  }

  receive(message: DaemonMessage): void {
    if ('method' in message || message.id === null) return;
    const pending = this.#take(message.id);
    if ('error' in message) {
      const { code, message: reason } = message.error;
      pending?.reject(new DaemonRequestError(reason, { code }));
    } else pending?.resolve(message.result);
  }

  /** Rejects everything that is pending. */
  close(): void {
    for (const { reject } of this.#pending.values()) reject(new DaemonRequestError(CONNECTION_LOST));
    this.#pending.clear();
  }

  #take(id: number): PendingRequest | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}

export const NOT_CONNECTED =
  'The request was not sent: there is no connection to the Dartboard daemon. Try again in a moment.';
const CONNECTION_LOST =
  'The connection to the Dartboard daemon was lost before its reply. Try again in a moment.';
