// Limits the sockets of the server. A connection is unauthenticated until its hello is accepted. When there are too many of these, the
// oldest is ended, so that connections without a token cannot keep the owner out or use up the file descriptors of the process.

import type { Socket } from 'node:net';

export const MAX_CLIENTS = 32;
const MAX_UNAUTHENTICATED = 256;

export class ConnectionSlots {
  /** In the order in which they connected. */
  readonly #unauthenticated = new Set<Socket>();
  #clients = 0;

  /** Adds a connection that has not authenticated yet, whatever it speaks. */
  add(socket: Socket): void {
    this.#unauthenticated.add(socket);
    socket.once('close', () => this.#unauthenticated.delete(socket));
    if (this.#unauthenticated.size <= MAX_UNAUTHENTICATED) return;
    for (const oldest of this.#unauthenticated) {
      this.#unauthenticated.delete(oldest);
      oldest.destroy();
      return;
    }
  }

  /** Makes a connection a client, until it closes. Returns false when there are too many clients. */
  admit(socket: Socket): boolean {
    if (this.#clients >= MAX_CLIENTS) return false;
    this.#unauthenticated.delete(socket);
    this.#clients += 1;
    socket.once('close', () => {
      this.#clients -= 1;
    });
    return true;
  }
}
