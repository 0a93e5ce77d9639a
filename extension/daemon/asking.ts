// Requests over one connection, each with one reply that is checked. A reply that cannot come any more is a refusal.

import {
  DAEMON_RESULTS,
  type DaemonMessage,
  type DaemonMethod,
  type DaemonParams,
  type DaemonResults,
} from '../../runtime/protocol/daemon/messages.ts';
import type { Sent } from './connection.ts';

/** A request that was refused, or could not be asked, in words. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Asking {
  readonly #send: (request: Sent) => boolean;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  constructor(send: (request: Sent) => boolean) {
    this.#send = send;
  }

  async ask<M extends DaemonMethod>(method: M, params: DaemonParams<M>): Promise<DaemonResults[M]> {
    const id = this.#count++;
    const reply = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    if (!this.#send({ id, method, params })) this.#take(id)?.reject(new Refusal(NO_CONNECTION));
    return DAEMON_RESULTS[method].parse(await reply);
  }

  /** Whether it was the reply to a request of here. */
  heard(message: DaemonMessage): boolean {
    if ('method' in message || message.id === null) return false;
    const waiting = this.#take(message.id);
    if ('error' in message) waiting?.reject(new Refusal(message.error.message));
    else waiting?.resolve(message.result);
    return waiting !== undefined;
  }

  /** Nothing is answered any more. */
  close(): void {
    for (const { reject } of this.#waiting.values()) reject(new Refusal(LOST));
    this.#waiting.clear();
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

const NO_CONNECTION = 'There is no connection to the daemon: try again when it is back.';
const LOST = 'The connection to the daemon was lost before it answered.';
