// The requests of one connection that have no reply yet. A reply, and the bytes that belong to it, are matched by the request's id;
// a request without a reply fails at its deadline.

import { deadlineOf } from '../../../runtime/protocol/daemon/deadlines.ts';
import {
  DAEMON_RESULTS,
  type DaemonMessage,
  type DaemonMethod,
  type DaemonParams,
  message as messageSchema,
} from '../../../runtime/protocol/daemon/messages.ts';
import type { RunState } from '../../../runtime/protocol/daemon/state.ts';
import { ConnectionLostError, PageRequestError, RequestTimeoutError } from '../errors.ts';
import type { ReplyWithBytes } from './link.ts';

/** A busy daemon answers within a few seconds; redrawing a frame of a long trajectory takes longest. */
const REQUEST_TIMEOUT_MS = 30_000;
/** A recording waits for a desktop: to restore a guest, to judge its files, or to press a key many times there, may take a minute. */
const RECORD_TIMEOUT_MS = 120_000;
const RECORD_REQUESTS: readonly DaemonMethod[] = [
  ...(['record.input', 'record.restart', 'record.finish', 'record.discard'] as const),
];

/** The heartbeat: the daemon answers it without reading anything. */
const HEARTBEAT_TIMEOUT_MS = 8000;

function timeoutOf(method: DaemonMethod): number {
  if (method === 'daemon.life') return HEARTBEAT_TIMEOUT_MS;
  return RECORD_REQUESTS.includes(method) ? RECORD_TIMEOUT_MS : deadlineOf(method, REQUEST_TIMEOUT_MS);
}

/** A restart of the daemon would end what a long request waits for. */
const adviceFor = (method: DaemonMethod): string =>
  timeoutOf(method) > REQUEST_TIMEOUT_MS
    ? 'It may still work on it: wait a while, then try again.'
    : 'It may be busy: try again. If that fails too, restart the daemon.';

interface PendingRequest {
  readonly needsBytes: boolean;
  readonly deadline: ReturnType<typeof setTimeout>;
  readonly resolve: (reply: UncheckedReply) => void;
  readonly reject: (error: Error) => void;
  received: Partial<UncheckedReply>;
}

interface UncheckedReply {
  readonly result: unknown;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface SentRequest {
  readonly id: number;
  readonly method: DaemonMethod;
  readonly params: DaemonParams<DaemonMethod>;
}

const NO_BYTES = new Uint8Array(0);

export class PendingRequests {
  /** The methods that the daemon named in its last welcome. */
  #methods: ReadonlySet<string> = new Set();
  readonly #pending = new Map<number, PendingRequest>();
  #nextId = 0;

  async request<M extends DaemonMethod>(
    method: M,
    params: DaemonParams<M>,
    send: (request: SentRequest) => void,
    needsBytes = false,
  ): Promise<ReplyWithBytes<M>> {
    const id = this.#nextId++;
    const reply = await new Promise<UncheckedReply>((resolve, reject) => {
      const deadline = setTimeout(() => this.#timeOut(id, method), timeoutOf(method));
      this.#pending.set(id, { needsBytes, deadline, resolve, reject, received: {} });
      send({ id, method, params });
    });
    return { result: DAEMON_RESULTS[method].parse(reply.result), bytes: reply.bytes };
  }

  setMethods(methods: readonly string[]): void {
    this.#methods = new Set(methods);
  }

  supports(method: DaemonMethod): boolean {
    return this.#methods.has(method);
  }

  /** Returns the state of a run if the message is one: a state replies to no request. */
  receive(value: unknown): RunState | undefined {
    const message: DaemonMessage = messageSchema.parse(value);
    if ('method' in message) return message.params;
    if ('error' in message) {
      const error = new PageRequestError(message.error.message, message.error.code);
      if (message.id === null) throw error;
      this.#take(message.id)?.reject(error);
    } else this.#complete(message.id, { result: message.result });
    return undefined;
  }

  /** Bytes arrive before or after their reply. */
  receiveBytes(id: number, bytes: Uint8Array<ArrayBuffer>): void {
    this.#complete(id, { bytes });
  }

  /** The connection is gone: no pending request gets a reply. */
  rejectAll(): void {
    for (const id of [...this.#pending.keys()])
      this.#take(id)?.reject(new ConnectionLostError('The connection to the daemon was lost.'));
  }

  #timeOut(id: number, method: DaemonMethod): void {
    const seconds = timeoutOf(method) / 1000;
    this.#take(id)?.reject(
      new RequestTimeoutError(
        `The daemon did not answer '${method}' within ${seconds} s. ${adviceFor(method)}`,
      ),
    );
  }

  #complete(id: number, part: Partial<UncheckedReply>): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    pending.received = { ...pending.received, ...part };
    const { result, bytes } = pending.received;
    if (!('result' in pending.received) || (pending.needsBytes && bytes === undefined)) return;
    this.#take(id)?.resolve({ result, bytes: bytes ?? NO_BYTES });
  }

  #take(id: number): PendingRequest | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.deadline);
    return pending;
  }
}
