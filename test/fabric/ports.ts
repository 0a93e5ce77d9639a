// Ports for tests: a pair in this thread whose messages a test can delay, and one over a real message channel.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Port } from '../../runtime/rpc/port.ts';

export interface Pair {
  readonly client: MemoryPort;
  readonly server: MemoryPort;
  /** As when a process dies: messages in transit are lost, and both sides are notified. */
  cut(): void;
}

export class MemoryPort implements Port {
  #other: MemoryPort | undefined;
  #arrived: unknown[] = [];
  #isHeld = false;
  #isCut = false;
  #handler: (message: unknown) => void = () => undefined;
  readonly #ends: (() => void)[] = [];

  static pair(): Pair {
    const [client, server] = [new MemoryPort(), new MemoryPort()];
    client.#other = server;
    server.#other = client;
    return {
      client,
      server,
      cut: () => {
        for (const port of [client, server]) port.#end();
      },
    };
  }

  send(message: unknown, refused?: (error: unknown) => void): void {
    if (this.#isCut) return;
    let copy: unknown;
    try {
      copy = structuredClone(message);
    } catch (error) {
      if (refused === undefined) throw error;
      refused(error);
      return;
    }
    const other = this.#other;
    if (other !== undefined) queueMicrotask(() => other.#arrive(copy));
  }

  receive(handler: (message: unknown) => void): void {
    this.#handler = handler;
  }

  closed(handler: () => void): void {
    if (this.#isCut) handler();
    else this.#ends.push(handler);
  }

  /** Delays all messages to this side until `release`. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    for (const message of this.#arrived.splice(0)) this.#handler(message);
  }

  #arrive(message: unknown): void {
    if (this.#isCut) return;
    if (this.#isHeld) this.#arrived.push(message);
    else this.#handler(message);
  }

  #end(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    for (const end of this.#ends) end();
  }
}

export interface ChannelPair {
  readonly client: Port;
  readonly server: Port;
  close(): void;
}

export function channelPair(): ChannelPair {
  const { port1, port2 } = new MessageChannel();
  return { client: over(port1), server: over(port2), close: () => port1.close() };
}

function over(port: MessagePort): Port {
  return {
    send: message => port.postMessage(message),
    receive: handler => {
      port.on('message', handler);
    },
    closed: handler => {
      port.once('close', handler);
    },
  };
}
