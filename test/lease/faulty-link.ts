// A TCP connection to a server on this machine that can be cut, or held in one direction while the other one works.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export type Direction = 'requests' | 'replies';

interface Pair {
  /** The ends from which each direction is read. */
  readonly requests: Socket;
  readonly replies: Socket;
}

export class FaultyLink {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #held = new Set<Direction>();
  #awaited: { readonly text: string; readonly seen: () => void } | undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(port: number): Promise<FaultyLink> {
    const server = createServer();
    const link = new FaultyLink(server);
    server.on('connection', client => link.#join(client, connect(port, '127.0.0.1')));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return link;
  }

  get url(): string {
    return `nats://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What is on the way arrives after `release`, or never after `cut`. */
  hold(direction: Direction): void {
    this.#held.add(direction);
    for (const pair of this.#pairs) pair[direction].pause();
  }

  /** Holds the replies as soon as a request with this text is sent. Resolves then. */
  holdRepliesTo(text: string): Promise<void> {
    return new Promise(seen => {
      this.#awaited = { text, seen };
    });
  }

  release(): void {
    this.#held.clear();
    for (const { requests, replies } of this.#pairs) for (const end of [requests, replies]) end.resume();
  }

  cut(): void {
    for (const { requests, replies } of this.#pairs) for (const end of [requests, replies]) end.destroy();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #join(client: Socket, server: Socket): void {
    const pair: Pair = { requests: client, replies: server };
    this.#pairs.add(pair);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', data => {
        if (from === client) this.#watch(data);
        to.write(data);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        this.#pairs.delete(pair);
        to.destroy();
      });
    }
    for (const direction of this.#held) pair[direction].pause();
  }

  #watch(requests: Buffer): void {
    if (this.#awaited === undefined || !requests.includes(this.#awaited.text)) return;
    this.hold('replies');
    this.#awaited.seen();
    this.#awaited = undefined;
  }
}
