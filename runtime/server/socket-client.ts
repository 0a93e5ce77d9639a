// The server's side of one WebSocket: authenticates the client by the token in its hello, sends exactly one reply to each request, and
// disconnects a client that does not read. The protocol of the socket supplies a session, which executes the requests.

import type { RawData, WebSocket } from 'ws';
import type { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import type { FailedTokens } from '../core/failed-tokens.ts';
import { parseJson } from '../core/json.ts';
import { safeParse } from '../core/safe-parse.ts';
import { isToken } from '../core/token.ts';
import { CLOSE_CODE_REJECTED } from '../protocol/close-code.ts';
import { encodeReplyFrame } from '../protocol/daemon/frame.ts';
import {
  anyHello,
  anyRequest,
  type DaemonFailure,
  hello,
  type SocketRequest,
} from '../protocol/daemon/schemas.ts';
import { MAX_CLIENTS } from './http/connection-slots.ts';
import { failureOfRequest, RequestError } from './request-error.ts';

const HELLO_TIMEOUT_MS = 10_000;
const THIS_MACHINE = '127.0.0.1';
/** A client that does not answer the close frame within this time is cut off. */
const CLOSE_TIMEOUT_MS = 1000;
const MAX_CONCURRENT_REQUESTS = 64;
/** A client with more unread bytes than this does not read at all, and is disconnected. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

export interface SocketReply {
  readonly result: unknown;
  /** Sent before the result, so that a client that has the result also has its bytes. */
  readonly bytes?: Uint8Array;
  /** Called after the result is sent: what it sends must not arrive before. */
  readonly next?: () => void;
}

/** Executes the requests of an authenticated client. */
export interface SocketSession<Request> {
  /** The result of its hello. */
  readonly welcome: object;
  answer(request: Request): Promise<SocketReply>;
  /** The socket is closed. */
  left(): Promise<void>;
}

export interface SocketProtocol<Request extends SocketRequest> {
  /** Its version, which the hello must name. */
  readonly version: number;
  readonly request: z.ZodType<Request>;
  readonly token: string;
  readonly failedTokens: FailedTokens;
  readonly clock: Clock;
  enter(client: SocketClient<Request>): SocketSession<Request>;
}

/** Resolves when the connection is closed and its session released. `takeSlot` returns false when there are too many clients. */
export function connectClient<Request extends SocketRequest>(
  socket: WebSocket,
  takeSlot: () => boolean,
  protocol: SocketProtocol<Request>,
): Promise<void> {
  const client = new SocketClient(socket, takeSlot, protocol);
  return new Promise(resolve => socket.once('close', () => client.closed().then(resolve)));
}

export class SocketClient<Request extends SocketRequest> {
  readonly #socket: WebSocket;
  readonly #takeSlot: () => boolean;
  readonly #protocol: SocketProtocol<Request>;
  /** Aborted when the hello was accepted, or cannot arrive any more. */
  readonly #greeted = new AbortController();
  #session: SocketSession<Request> | undefined;
  #isRejected = false;
  #openRequests = 0;

  constructor(socket: WebSocket, takeSlot: () => boolean, protocol: SocketProtocol<Request>) {
    this.#socket = socket;
    this.#takeSlot = takeSlot;
    this.#protocol = protocol;
    socket.on('message', (data: RawData, isBinary) => this.#receive(isBinary ? '' : data.toString()));
    // A socket that fails also closes.
    socket.on('error', () => undefined);
    const message = `No 'hello' arrived within ${HELLO_TIMEOUT_MS / 1000} s. Connect again and send it first.`;
    protocol.clock.sleep(HELLO_TIMEOUT_MS, this.#greeted.signal).then(
      () => this.#reject(null, 'unauthorized', message),
      // The hello arrived in time, or the socket is closed.
      () => undefined,
    );
  }

  async closed(): Promise<void> {
    this.#greeted.abort();
    await this.#session?.left();
  }

  /** `sent` is called once the message has left this process. */
  send(message: object, sent?: () => void): void {
    this.sendData(JSON.stringify(message), sent);
  }

  sendData(data: string | Uint8Array, sent?: () => void): void {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
    else socket.send(data, () => sent?.());
  }

  #receive(text: string): void {
    if (this.#isRejected) return;
    let value: unknown;
    try {
      value = parseJson(text);
    } catch (error) {
      const message = `The message of ${text.length} characters cannot be read as JSON: ${sentenceOf(error)} Send one JSON object as text.`;
      this.#sendError(null, { code: 'bad_request', message });
      return;
    }
    const { version, request } = this.#protocol;
    // Before the rest is parsed: a hello of another version may have other fields.
    const greeting = safeParse(anyHello, value).data;
    const parsed = safeParse(request, value);
    if (greeting !== undefined && greeting.params.version !== version)
      this.#reject(greeting.id, 'version', wrongVersion(greeting.params.version, version));
    else if (!parsed.success) this.#sendError(idOf(value), problemOf(parsed.error.issues));
    else if (this.#session === undefined) this.#authenticate(parsed.data);
    else this.#answer(parsed.data, this.#session);
  }

  #authenticate(request: Request): void {
    const { id, method } = request;
    const greeting = safeParse(hello, request).data;
    if (greeting === undefined)
      this.#reject(id, 'unauthorized', `'${method}' arrived before 'hello'. Send 'hello' first.`);
    else if (!isToken(greeting.params.token, this.#protocol.token)) this.#rejectToken(id);
    else if (!this.#takeSlot())
      this.#reject(
        id,
        'busy',
        `${MAX_CLIENTS} clients are connected, which is the limit. Close one of them.`,
      );
    else {
      this.#greeted.abort();
      this.#session = this.#protocol.enter(this);
      this.send({ id, result: this.#session.welcome });
    }
  }

  /**
   * All clients are of this machine, so a right token is always compared: another user who sends wrong ones cannot keep the owner out. Beyond
   * the limit they get no reply, which costs the least.
   */
  #rejectToken(id: number): void {
    const { failedTokens } = this.#protocol;
    if (failedTokens.isBlocked(THIS_MACHINE)) {
      this.#isRejected = true;
      this.#socket.terminate();
      return;
    }
    failedTokens.note(THIS_MACHINE);
    this.#reject(
      id,
      'unauthorized',
      "The token in the 'hello' is not that of this server. Open the address that Dartboard printed when it started.",
    );
  }

  #reject(id: number | null, code: DaemonFailure['code'], message: string): void {
    this.#isRejected = true;
    this.#greeted.abort();
    this.#sendError(id, { code, message });
    const socket = this.#socket;
    socket.close(CLOSE_CODE_REJECTED, code);
    const closed = new AbortController();
    socket.once('close', () => closed.abort());
    this.#protocol.clock.sleep(CLOSE_TIMEOUT_MS, closed.signal).then(
      () => socket.terminate(),
      // The client closed its side in time.
      () => undefined,
    );
  }

  async #answer(request: Request, session: SocketSession<Request>): Promise<void> {
    const { id, method } = request;
    if (this.#openRequests >= MAX_CONCURRENT_REQUESTS) {
      const message = `${MAX_CONCURRENT_REQUESTS} requests of this client are under way, which is the limit. Send '${method}' again after a reply.`;
      this.#sendError(id, { code: 'busy', message });
      return;
    }
    this.#openRequests += 1;
    try {
      if (method === 'hello')
        throw new RequestError('bad_request', "This client is authenticated. Leave out the second 'hello'.");
      const { result, bytes, next } = await session.answer(request);
      if (bytes !== undefined) this.sendData(encodeReplyFrame({ id, payload: bytes }));
      this.send({ id, result });
      next?.();
    } catch (error) {
      this.#sendError(id, failureOfRequest(error));
    } finally {
      this.#openRequests -= 1;
    }
  }

  #sendError(id: number | null, error: DaemonFailure): void {
    this.send({ id, error });
  }
}

const wrongVersion = (version: number, own: number): string =>
  `The client uses protocol version ${version}, this server version ${own}. ` +
  `${version > own ? 'Restart Dartboard with the newer program' : 'Reload the page or update the client'}.`;

/** The first issue. An unknown key is named itself, not the object around it. */
function problemOf([issue]: readonly z.core.$ZodIssue[]): DaemonFailure {
  const code = 'bad_request';
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const field = [...(issue?.path ?? []), ...keys].join('.');
  if (issue === undefined || field === '')
    return {
      code,
      message: "The message is no request. Send a JSON object with 'id', 'method' and 'params'.",
    };
  if (field === 'method')
    return {
      code,
      field,
      message: "The field 'method' names no request. Use a method from the reply to 'hello'.",
    };
  const message =
    keys.length > 0
      ? `The field '${field}' is unknown. Remove it, or update the client.`
      : `The field '${field}' is wrong: ${issue.message.replace(/\.?$/, '.')} Correct it, or update the client.`;
  return { code, field, message };
}

/** Null when the value has no valid id. */
const idOf = (value: unknown): number | null => safeParse(anyRequest, value).data?.id ?? null;
