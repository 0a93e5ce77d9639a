// Within an editor: the page hands its requests to the host, which has the connection. The messages are described in the README.

import type { Method, Params } from '../../../runtime/protocol/daemon/messages.ts';
import type { Place } from '../place.ts';
import { type Asked, Calls } from './calls.ts';
import { type Link, type Listener, type Loss, Refusal } from './link.ts';

export type ToHost =
  | { readonly kind: 'ready' }
  | { readonly kind: 'request'; readonly request: Asked }
  | { readonly kind: 'retry' }
  | { readonly kind: 'open'; readonly place: Place };

/** The host is trusted: it is what put the page here. Replies and places are still checked where they are used. */
export type FromHost =
  | { readonly kind: 'connected'; readonly methods: readonly string[] }
  | { readonly kind: 'lost'; readonly loss: Loss }
  | { readonly kind: 'message'; readonly message: unknown }
  | { readonly kind: 'frame'; readonly id: number; readonly payload: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'show'; readonly place: unknown };

export class RelayedLink implements Link {
  readonly #send: (message: ToHost) => void;
  readonly #listener: Listener;
  readonly #calls = new Calls();
  #isConnected = false;

  constructor(send: (message: ToHost) => void, listener: Listener) {
    this.#send = send;
    this.#listener = listener;
  }

  hear(message: Exclude<FromHost, { kind: 'show' }>): void {
    switch (message.kind) {
      case 'connected':
        this.#isConnected = true;
        this.#calls.welcomed(message.methods);
        this.#listener.connected();
        break;
      case 'lost':
        this.#isConnected = false;
        this.#calls.end('The connection was lost.');
        this.#listener.lost(message.loss);
        break;
      case 'frame':
        this.#calls.heardBytes(message.id, message.payload);
        break;
      case 'message': {
        const state = this.#calls.heard(message.message);
        if (state !== undefined) this.#listener.state(state);
      }
    }
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

  retry(): void {
    this.#send({ kind: 'retry' });
  }

  #sending(): (asked: Asked) => void {
    if (!this.#isConnected) throw new Refusal('There is no connection to the daemon: wait until it is back.');
    return request => this.#send({ kind: 'request', request });
  }
}
