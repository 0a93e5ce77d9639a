// The link in a browser: a socket of the page's own, which reconnects with backoff when it is lost.

import { CLOSE_CODE_REJECTED, CLOSE_CODE_STOPPED } from '../../../runtime/protocol/close-code.ts';
import { decodeReplyFrame } from '../../../runtime/protocol/daemon/frame.ts';
import {
  DAEMON_PATH,
  DAEMON_VERSION,
  type DaemonMethod,
  type DaemonParams,
} from '../../../runtime/protocol/daemon/messages.ts';
import { ConnectionLostError, messageOf, PageRequestError } from '../errors.ts';
import { type DaemonLink, type LinkListener, NO_CONNECTION } from './link.ts';
import { PendingRequests, type SentRequest } from './pending-requests.ts';

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 15_000;

/** The wait before the next attempt, after this many failed attempts in a row. */
export const backoffMs = (failures: number): number =>
  Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.max(0, failures - 1));

const STOPPED = 'Dartboard has stopped. Start it again and open the address that it prints.';

export class SocketLink implements DaemonLink {
  readonly #token: string;
  readonly #listener: LinkListener;
  readonly #pending = new PendingRequests();
  #socket: WebSocket | undefined;
  #nextAttempt: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #rejection = '';
  /** The daemon said goodbye, and none has answered since. */
  #hasStopped = false;

  constructor(token: string, listener: LinkListener) {
    this.#token = token;
    this.#listener = listener;
    this.retry();
  }

  retry(): void {
    clearTimeout(this.#nextAttempt);
    if (this.#socket !== undefined) return;
    const socket = new WebSocket(`ws://${location.host}${DAEMON_PATH}`);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.addEventListener('open', () => this.#sayHello());
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('close', ({ code }) => this.#closed(code));
  }

  supports(method: DaemonMethod): boolean {
    return this.#pending.supports(method);
  }

  async request<M extends DaemonMethod>(method: M, params: DaemonParams<M>) {
    return (await this.#pending.request(method, params, this.#sender())).result;
  }

  async requestBytes<M extends DaemonMethod>(method: M, params: DaemonParams<M>) {
    return await this.#pending.request(method, params, this.#sender(), true);
  }

  #sender(): (request: SentRequest) => void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) throw new ConnectionLostError(NO_CONNECTION);
    return request => socket.send(JSON.stringify(request));
  }

  #sayHello(): void {
    this.request('hello', { version: DAEMON_VERSION, token: this.#token, client: 'page' }).then(
      ({ methods }) => {
        this.#failures = 0;
        this.#hasStopped = false;
        this.#pending.setMethods(methods);
        this.#listener.connected();
      },
      (error: unknown) => {
        this.#rejection = messageOf(error);
        // The daemon closes the socket after it rejects a hello. One that does not answer is tried again.
        if (!(error instanceof PageRequestError) || error.code === undefined) this.#socket?.close();
      },
    );
  }

  #receive(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      const { id, payload } = decodeReplyFrame(data);
      this.#pending.receiveBytes(id, new Uint8Array(payload));
      return;
    }
    const state = this.#pending.receive(JSON.parse(String(data)));
    if (state !== undefined) this.#listener.state(state);
  }

  #closed(code: number): void {
    this.#socket = undefined;
    this.#pending.rejectAll();
    if (code === CLOSE_CODE_REJECTED) {
      this.#listener.lost({ kind: 'refused', why: this.#rejection });
      return;
    }
    this.#failures += 1;
    const wait = backoffMs(this.#failures);
    this.#nextAttempt = setTimeout(() => this.retry(), wait);
    if (code === CLOSE_CODE_STOPPED) this.#hasStopped = true;
    this.#listener.lost(
      this.#hasStopped ? { kind: 'gone', why: STOPPED } : { kind: 'lost', again: Date.now() + wait },
    );
  }
}
