// The connection of the play page: requests and their replies, events, and screens. It does not reconnect by itself, since a new
// connection has a new desktop.

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
export type PlayRequestBody = Unnumbered<PlayRequestInput>;

/** Why a request failed. */
export class PlayError extends Error {
  override readonly name = 'Refusal';
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
  readonly resolve: (reply: Success) => void;
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
    await this.request('welcome', { call: 'hello', version: PLAY_VERSION, token });
  }

  request<K extends Success['kind']>(
    kind: K,
    request: PlayRequestBody,
  ): Promise<Extract<Success, { kind: K }>> {
    if (this.#socket.readyState !== WebSocket.OPEN) {
      return Promise.reject(new PlayError('There is no connection. Reconnect first.'));
    }
    const id = this.#nextId++;
    this.#socket.send(JSON.stringify({ ...request, id }));
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => {
        const seconds = REQUEST_TIMEOUT_MS / 1000;
        this.#take(id)?.reject(
          new PlayError(
            `The server did not answer '${request.call}' within ${seconds} s. Try again, or reload the page.`,
          ),
        );
      }, REQUEST_TIMEOUT_MS);
      const settle = (reply: Success): void => {
        if (isKind(reply, kind)) resolve(reply);
        else
          reject(
            new PlayError(`The server answered '${request.call}' with '${reply.kind}'. Reload the page.`),
          );
      };
      this.#pending.set(id, { deadline, resolve: settle, reject });
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
      if (message.code === 'unauthorized' || message.code === 'version') this.#rejection = message.message;
      if (message.id !== null) this.#take(message.id)?.reject(new PlayError(message.message));
      return;
    }
    this.#take(message.id)?.resolve(message);
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

const isKind = <K extends Success['kind']>(reply: Success, kind: K): reply is Extract<Success, { kind: K }> =>
  reply.kind === kind;
