// The page's end of the connection: requests that resolve with their reply, events, and screens. It reconnects only when
// it is asked to: a new connection has a new desktop.

import { CLOSE_CODE_REJECTED } from '../../runtime/protocol/close-code.ts';
import { decodeScreen, type Pixels } from '../../runtime/protocol/frame.ts';
import {
  message as messageSchema,
  PLAY_PATH,
  PLAY_VERSION,
  type PlayEvent,
  type PlayReply,
  type PlayRequestInput,
} from '../../runtime/protocol/play.ts';

type Success = Exclude<PlayReply, { kind: 'error' }>;
type Unnumbered<R> = R extends PlayRequestInput ? Omit<R, 'id'> : never;
export type Asked = Unnumbered<PlayRequestInput>;

/** A request that was refused, in the server's words. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** The connection is gone; `refused` says that there is no point in trying again. */
export interface Loss {
  readonly refused: boolean;
  readonly why: string;
}

export interface Listener {
  screen(pixels: Pixels): void;
  event(event: PlayEvent): void;
  lost(loss: Loss): void;
}

interface Waiting {
  readonly resolve: (reply: Success) => void;
  readonly reject: (error: Error) => void;
}

export class Link {
  readonly #socket: WebSocket;
  readonly #listener: Listener;
  readonly #waiting = new Map<number, Waiting>();
  readonly #opened: Promise<void>;
  #count = 0;
  #why = '';

  constructor(listener: Listener) {
    this.#listener = listener;
    this.#socket = new WebSocket(`ws://${location.host}${PLAY_PATH}`);
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.addEventListener('message', ({ data }) => this.#receive(data));
    this.#socket.addEventListener('close', ({ code }) => this.#closed(code));
    this.#opened = new Promise(resolve => this.#socket.addEventListener('open', () => resolve()));
  }

  async hello(token: string): Promise<void> {
    await this.#opened;
    await this.ask('welcome', { call: 'hello', version: PLAY_VERSION, token });
  }

  ask<K extends Success['kind']>(kind: K, request: Asked): Promise<Extract<Success, { kind: K }>> {
    if (this.#socket.readyState !== WebSocket.OPEN) {
      return Promise.reject(new Refusal('There is no connection.'));
    }
    const id = this.#count++;
    this.#socket.send(JSON.stringify({ ...request, id }));
    return new Promise((resolve, reject) => {
      const settle = (reply: Success): void => {
        if (isKind(reply, kind)) resolve(reply);
        else reject(new Refusal(`The reply to '${request.call}' is '${reply.kind}'.`));
      };
      this.#waiting.set(id, { resolve: settle, reject });
    });
  }

  close(): void {
    this.#socket.close();
  }

  #receive(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      this.#listener.screen(decodeScreen(data));
      return;
    }
    const message = messageSchema.parse(JSON.parse(String(data)));
    if (!('id' in message)) {
      this.#listener.event(message);
      return;
    }
    if (message.kind === 'error') {
      if (message.code === 'unauthorized' || message.code === 'version') this.#why = message.message;
      if (message.id !== null) this.#take(message.id)?.reject(new Refusal(message.message));
      return;
    }
    this.#take(message.id)?.resolve(message);
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #closed(code: number): void {
    for (const { reject } of this.#waiting.values()) reject(new Refusal('The connection is gone.'));
    this.#waiting.clear();
    const refused = code === CLOSE_CODE_REJECTED;
    this.#listener.lost({ refused, why: this.#why });
  }
}

const isKind = <K extends Success['kind']>(reply: Success, kind: K): reply is Extract<Success, { kind: K }> =>
  reply.kind === kind;
