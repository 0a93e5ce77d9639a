// In a browser: a socket of its own, which comes back by itself when it is lost.

import { decodeFrame } from '../../../runtime/protocol/daemon/frame.ts';
import {
  DAEMON_PATH,
  DAEMON_VERSION,
  type Method,
  type Params,
} from '../../../runtime/protocol/daemon/messages.ts';
import { REFUSED } from '../../../runtime/protocol/refused.ts';
import { waitAfter } from './backoff.ts';
import { type Asked, Calls } from './calls.ts';
import { type Link, type Listener, Refusal } from './link.ts';

export class DirectLink implements Link {
  readonly #token: string;
  readonly #listener: Listener;
  readonly #calls = new Calls();
  #socket: WebSocket | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #why = '';

  constructor(token: string, listener: Listener) {
    this.#token = token;
    this.#listener = listener;
    this.retry();
  }

  retry(): void {
    clearTimeout(this.#retry);
    if (this.#socket !== undefined) return;
    const socket = new WebSocket(`ws://${location.host}${DAEMON_PATH}`);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.addEventListener('open', () => this.#greet());
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('close', ({ code }) => this.#closed(code));
  }

  does(method: Method): boolean {
    return this.#calls.does(method);
  }

  async ask<M extends Method>(method: M, params: Params<M>) {
    return (await this.#calls.ask(method, params, this.#sending())).result;
  }

  async askBytes<M extends Method>(method: M, params: Params<M>) {
    return await this.#calls.ask(method, params, this.#sending(), true);
  }

  #sending(): (asked: Asked) => void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN)
      throw new Refusal('There is no connection to the daemon: wait until it is back.');
    return asked => socket.send(JSON.stringify(asked));
  }

  #greet(): void {
    this.ask('hello', { version: DAEMON_VERSION, token: this.#token, client: 'page' }).then(
      ({ methods }) => {
        this.#failures = 0;
        this.#calls.welcomed(methods);
        this.#listener.connected();
      },
      // The socket is closed after that, with the reason that was given.
      (error: unknown) => {
        this.#why = error instanceof Error ? error.message : String(error);
      },
    );
  }

  #receive(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      const { id, payload } = decodeFrame(data);
      this.#calls.heardBytes(id, new Uint8Array(payload));
      return;
    }
    const state = this.#calls.heard(JSON.parse(String(data)));
    if (state !== undefined) this.#listener.state(state);
  }

  #closed(code: number): void {
    this.#socket = undefined;
    this.#calls.end('The connection was lost.');
    if (code === REFUSED) {
      this.#listener.lost({ kind: 'refused', why: this.#why });
      return;
    }
    this.#failures += 1;
    const wait = waitAfter(this.#failures);
    this.#retry = setTimeout(() => this.retry(), wait);
    this.#listener.lost({ kind: 'lost', again: Date.now() + wait });
  }
}
