// A client of OpenEnv with the least work of its own: one message, one reply.

import { once } from 'node:events';
import { WebSocket } from 'ws';
import * as z from 'zod';

const reply = z.object({
  type: z.string(),
  data: z.looseObject({ done: z.boolean().optional(), message: z.string().optional() }),
});

export interface OpenEnvReply {
  /** The episode has ended. */
  readonly done: boolean;
  readonly bytes: number;
}

export class OpenEnvSocket {
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** `url` is the base URL that the server prints. */
  static async connect(url: string): Promise<OpenEnvSocket> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { perMessageDeflate: false });
    await once(socket, 'open');
    return new OpenEnvSocket(socket);
  }

  /** Rejects with the message of an error reply. */
  async ask(message: object): Promise<OpenEnvReply> {
    const replied = once(this.#socket, 'message');
    this.#socket.send(JSON.stringify(message));
    const [body] = await replied;
    const text = String(body);
    const { type, data } = reply.parse(JSON.parse(text));
    if (type === 'error') throw new Error(data.message);
    return { done: data.done ?? false, bytes: text.length };
  }

  close(): void {
    this.#socket.close();
  }
}
