// The page's end of the connection: requests that resolve with their result, states, and coming back by itself when the
// connection is lost.

import {
  DAEMON_PATH,
  DAEMON_VERSION,
  type Method,
  message as messageSchema,
  type Params,
  RESULTS,
  type Results,
} from '../../runtime/protocol/daemon/messages.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { REFUSED } from '../../runtime/protocol/refused.ts';
import { waitAfter } from './backoff.ts';

/** A request that was refused, or could not be asked, in words. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** What is the matter while there is no connection. */
export type Loss =
  | { readonly kind: 'refused'; readonly why: string }
  /** It is tried again at that moment. */
  | { readonly kind: 'lost'; readonly again: number };

export interface Listener {
  connected(): void;
  lost(loss: Loss): void;
  state(state: RunState): void;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Link {
  readonly #token: string;
  readonly #listener: Listener;
  readonly #waiting = new Map<number, Waiting>();
  #socket: WebSocket | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #count = 0;
  #failures = 0;
  #why = '';

  constructor(token: string, listener: Listener) {
    this.#token = token;
    this.#listener = listener;
    this.open();
  }

  /** Tries at once, whatever it waits for. */
  open(): void {
    clearTimeout(this.#retry);
    if (this.#socket !== undefined) return;
    const socket = new WebSocket(`ws://${location.host}${DAEMON_PATH}`);
    this.#socket = socket;
    socket.addEventListener('open', () => this.#greet());
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)));
    socket.addEventListener('close', ({ code }) => this.#closed(code));
  }

  ask<M extends Method>(method: M, params: Params<M>): Promise<Results[M]> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new Refusal('There is no connection to the daemon: wait until it is back.'));
    }
    const id = this.#count++;
    socket.send(JSON.stringify({ id, method, params }));
    const schema = RESULTS[method];
    return new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject })).then(
      result => schema.parse(result),
    );
  }

  #greet(): void {
    this.ask('hello', { version: DAEMON_VERSION, token: this.#token, client: 'page' }).then(
      () => {
        this.#failures = 0;
        this.#listener.connected();
      },
      // The socket is closed after that, with the reason that was given.
      (error: unknown) => {
        this.#why = error instanceof Error ? error.message : String(error);
      },
    );
  }

  #receive(text: string): void {
    const message = messageSchema.parse(JSON.parse(text));
    if ('method' in message) this.#listener.state(message.params);
    else if ('error' in message) {
      if (message.id === null) throw new Refusal(message.error.message);
      this.#take(message.id)?.reject(new Refusal(message.error.message));
    } else this.#take(message.id)?.resolve(message.result);
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #closed(code: number): void {
    this.#socket = undefined;
    for (const { reject } of this.#waiting.values()) reject(new Refusal('The connection was lost.'));
    this.#waiting.clear();
    if (code === REFUSED) {
      this.#listener.lost({ kind: 'refused', why: this.#why });
      return;
    }
    this.#failures += 1;
    const wait = waitAfter(this.#failures);
    this.#retry = setTimeout(() => this.open(), wait);
    this.#listener.lost({ kind: 'lost', again: Date.now() + wait });
  }
}
