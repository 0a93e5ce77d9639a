// The first message of a WebSocket must be a hello with the token. A socket that sends none, or a wrong one, is closed.

import type { WebSocket } from 'ws';
import type { Clock } from '../../core/clock.ts';
import { CLOSE_CODE_REJECTED } from '../../protocol/close-code.ts';
import { MAX_CLIENTS } from './connection-slots.ts';

const HELLO_TIMEOUT_MS = 10_000;
/** A client that does not answer the close frame within this time is cut off. */
const CLOSE_TIMEOUT_MS = 1000;

export type RejectionCode = 'unauthorized' | 'version' | 'busy';

interface HandshakeOptions {
  readonly socket: WebSocket;
  readonly clock: Clock;
  /** Takes a client slot; returns false when all are taken. */
  readonly takeSlot: () => boolean;
  /** Sends the reason to the client, as the protocol of the socket writes errors. */
  readonly sendError: (id: number | null, code: RejectionCode, message: string) => void;
}

export class Handshake {
  readonly #options: HandshakeOptions;
  readonly #over = new AbortController();
  #isRejected = false;

  constructor(options: HandshakeOptions) {
    this.#options = options;
    const message = `No 'hello' arrived within ${HELLO_TIMEOUT_MS / 1000} s. Connect again and send it first.`;
    options.clock.sleep(HELLO_TIMEOUT_MS, this.#over.signal).then(
      () => this.reject(null, 'unauthorized', message),
      // The hello arrived in time, or the socket is closed.
      () => undefined,
    );
    options.socket.once('close', () => this.#over.abort());
  }

  get isRejected(): boolean {
    return this.#isRejected;
  }

  /** Returns whether the client is admitted. `id` is that of its hello. */
  accept(id: number): boolean {
    if (!this.#options.takeSlot()) {
      this.reject(id, 'busy', `${MAX_CLIENTS} clients are connected, which is the limit. Close one of them.`);
      return false;
    }
    this.#over.abort();
    return true;
  }

  reject(id: number | null, code: RejectionCode, message: string): void {
    const { socket, clock, sendError } = this.#options;
    if (this.#isRejected) return;
    this.#isRejected = true;
    this.#over.abort();
    sendError(id, code, message);
    socket.close(CLOSE_CODE_REJECTED, code);
    const closed = new AbortController();
    socket.once('close', () => closed.abort());
    clock.sleep(CLOSE_TIMEOUT_MS, closed.signal).then(
      () => socket.terminate(),
      // The client closed its side in time.
      () => undefined,
    );
  }
}
