// The connection of the play page: requests and their replies, events, and screens. It does not reconnect by itself, since a new
// connection has a new desktop.

import { CLOSE_CODE_REJECTED } from '../../runtime/protocol/close-code.ts';
import { decodeScreen, type Pixels } from '../../runtime/protocol/frame.ts';
import {
  message as messageSchema,
  PLAY_PATH,
  PLAY_RESULTS,
  PLAY_VERSION,
  type PlayEvent,
  type PlayMethod,
  type PlayParams,
  type PlayResults,
} from '../../runtime/protocol/play.ts';

/** Why a request failed. */
export class PlayError extends Error {
  override readonly name = 'PlayError';
}

/** The connection is lost. `refused` means that another attempt would fail too. */
export interface PlayLoss {
  readonly refused: boolean;
  readonly why: string;
}

export interface PlayListener {
  screen(pixels: Pixels): void;
  event(event: PlayEvent): void;
  lost(loss: PlayLoss): void;
}

const REQUEST_TIMEOUT_MS = 15_000;

interface PendingPlayRequest {
  readonly deadline: ReturnType<typeof setTimeout>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class PlayLink {
  readonly #socket: WebSocket;
  readonly #listener: PlayListener;
  readonly #pending = new Map<number, PendingPlayRequest>();
  readonly #opened: Promise<void>;
  #nextId = 0;
  #rejection = '';

  constructor(listener: PlayListener) {
    this.#listener = listener;
    this.#socket = new WebSocket(`ws://${location.host}${PLAY_PATH}`);
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.addEventListener('message', ({ data }) => this.#receive(data));
    this.#socket.addEventListener('close', ({ code }) => this.#closed(code));
    this.#opened = new Promise(resolve => this.#socket.addEventListener('open', () => resolve()));
  }

  async hello(token: string): Promise<void> {
    await this.#opened;
    await this.request('hello', { version: PLAY_VERSION, token, client: 'page' });
  }

  async request<M extends PlayMethod>(method: M, params: PlayParams<M>): Promise<PlayResults[M]> {
    if (this.#socket.readyState !== WebSocket.OPEN)
      throw new PlayError('There is no connection. Reconnect first.');
    const id = this.#nextId++;
    this.#socket.send(JSON.stringify({ id, method, params }));
    const result = await new Promise<unknown>((resolve, reject) => {
      const deadline = setTimeout(() => {
        const seconds = REQUEST_TIMEOUT_MS / 1000;
        const why = `The server did not answer '${method}' within ${seconds} s. Try again, or reload the page.`;
        this.#take(id)?.reject(new PlayError(why));
      }, REQUEST_TIMEOUT_MS);
      this.#pending.set(id, { deadline, resolve, reject });
    });
    return PLAY_RESULTS[method].parse(result);
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
    if ('method' in message) this.#listener.event(message);
    else if ('result' in message) this.#take(message.id)?.resolve(message.result);
    else {
      this.#rejection = message.error.message;
      if (message.id !== null) this.#take(message.id)?.reject(new PlayError(message.error.message));
    }
  }

  #take(id: number): PendingPlayRequest | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.deadline);
    return pending;
  }

  #closed(code: number): void {
    for (const { reject } of this.#pending.values())
      reject(new PlayError('The connection to the server was lost.'));
    this.#pending.clear();
    const refused = code === CLOSE_CODE_REJECTED;
    this.#listener.lost({ refused, why: this.#rejection });
  }
}
