// The way of one context to the network: an HTTP proxy on a loopback port. It forwards requests to allowed hosts, answers those to served
// hosts with files, and cuts the connection of all others, as if the machine were offline.

import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isAllowedHost, normalHost, portOf, splitHost } from './allowed-hosts.ts';
import { servedFile } from './served-files.ts';

const LOOPBACK = '127.0.0.1';

/** A connection to an allowed host. */
interface OpenConnection {
  readonly host: string;
  readonly port: string;
  readonly end: () => void;
}

export class NetworkGate {
  readonly #server: Server;
  readonly #folders = new Map<string, string>();
  readonly #connections = new Set<OpenConnection>();
  #allowed: readonly string[] = [];

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (incoming, response) =>
      this.#answer(incoming, response).catch(() => incoming.socket.destroy()),
    );
    server.on('connect', (incoming, socket, head) => this.#tunnel(incoming, socket, head));
    server.on('upgrade', (_incoming, socket) => socket.destroy());
    server.on('clientError', (_error, socket) => socket.destroy());
  }

  static async open(): Promise<NetworkGate> {
    // A browser sends the next request on a connection while the server closes it for being idle.
    const server = createServer({ keepAliveTimeout: 0 });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, LOOPBACK, resolve);
    });
    return new NetworkGate(server);
  }

  /** The address of the proxy. */
  get address(): string {
    const address = this.#server.address();
    // It is null after `close`.
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    return `http://${LOOPBACK}:${port}`;
  }

  /** Replaces the allowed hosts, and ends the connections to others. */
  allow(hosts: readonly string[]): void {
    this.#allowed = [...hosts];
    for (const { host, port, end } of this.#connections) if (!isAllowedHost(hosts, host, port)) end();
  }

  /** http://HOST/ answers with the files of the folder. */
  serve(host: string, folder: string): void {
    this.#folders.set(normalHost(host), folder);
  }

  isOpen(url: URL): boolean {
    return this.#folderOf(url) !== undefined || isAllowedHost(this.#allowed, url.hostname, portOf(url));
  }

  /** Ends all connections. */
  close(): void {
    this.allow([]);
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #folderOf(url: URL): string | undefined {
    return url.protocol === 'http:' && portOf(url) === '80'
      ? this.#folders.get(normalHost(url.hostname))
      : undefined;
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : undefined;
    if (url?.protocol !== 'http:' || !this.isOpen(url)) return void incoming.socket.destroy();
    const folder = this.#folderOf(url);
    if (folder === undefined) return this.#forward(url, incoming, response);
    const { status, type, body } = await servedFile(folder, url.pathname);
    response.writeHead(status, {
      'content-type': type,
      'content-length': body.length,
      // The cache belongs to the context, which lives for one task, or for the pages of one benchmark.
      'cache-control': 'max-age=3600',
    });
    response.end(incoming.method === 'HEAD' ? undefined : body);
  }

  #forward(url: URL, incoming: IncomingMessage, response: ServerResponse): void {
    const { 'proxy-connection': _proxy, ...headers } = incoming.headers;
    const outgoing = request(url, { method: incoming.method ?? 'GET', headers, agent: false });
    const cut = () => incoming.socket.destroy();
    outgoing.on('response', reply => {
      const { trailer: _trailer, ...kept } = reply.headers;
      try {
        response.writeHead(reply.statusCode ?? 502, kept);
      } catch {
        // A status or a header that no reply may have.
        return cut();
      }
      reply.pipe(response);
      reply.on('error', () => response.destroy());
    });
    outgoing.on('upgrade', (_reply, socket) => {
      socket.destroy();
      cut();
    });
    outgoing.on('error', cut);
    const connection = { host: url.hostname, port: portOf(url), end: cut };
    this.#connections.add(connection);
    response.on('close', () => {
      this.#connections.delete(connection);
      outgoing.destroy();
    });
    incoming.pipe(outgoing);
  }

  #tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { host, port = '' } = splitHost(incoming.url ?? '');
    // A connection that broke has no reader.
    socket.on('error', () => undefined);
    if (!isAllowedHost(this.#allowed, host, port)) return void socket.destroy();
    const outgoing: Socket = connect(Number(port), host.replace(/^\[|\]$/g, ''), () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      outgoing.write(head);
      socket.pipe(outgoing).pipe(socket);
    });
    const connection = { host, port, end: () => outgoing.destroy() };
    this.#connections.add(connection);
    outgoing.on('error', () => undefined);
    outgoing.on('close', () => {
      this.#connections.delete(connection);
      socket.destroy();
    });
    socket.on('close', () => outgoing.destroy());
  }
}
