// The server of the page: a handful of files over HTTP, and a WebSocket on which each page has a desktop of its own. It
// listens on this machine only.

import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Clock, Random } from '../../contracts/world.ts';
import type { Suite } from '../../environments/pocket/tasks/suite.ts';
import { PLAY_PATH } from '../../protocol/play.ts';
import { connect } from './connection.ts';
import { checkHost, checkOrigin, type Refused } from './door.ts';
import { headersFor, readPages } from './pages.ts';

const ADDRESS = '127.0.0.1';
/** A request is a few hundred bytes. */
const LONGEST_REQUEST = 64 * 1024;
const MOST_CONNECTIONS = 32;

export interface PlayOptions {
  /** Where the page's files are. */
  readonly pages: URL;
  /** 0 takes any that is free. */
  readonly port: number;
  /** Whoever knows it is let in. */
  readonly token: string;
  /** The tasks that a page may pick from. */
  readonly suite: Suite;
  readonly clock: Clock;
  readonly random: Random;
}

export interface PlayServer {
  readonly port: number;
  /** For a browser: with the token, which stays in the browser since it stands behind a '#'. */
  readonly address: string;
  /** Sends everybody away; resolves when nothing is left open. */
  close(): Promise<void>;
}

export async function startPlay({
  pages,
  port,
  token,
  suite,
  clock,
  random,
}: PlayOptions): Promise<PlayServer> {
  const files = await readPages(pages);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LONGEST_REQUEST,
    perMessageDeflate: false,
  });
  const connections = new Set<Promise<void>>();
  let count = 0;

  const server = createServer((request, response) => {
    const { host } = request.headers;
    const refused = checkHost(host) ?? checkMethod(request) ?? upgradeNeeded(request);
    const page = files.get(pathOf(request));
    const answer = refused ?? (page === undefined ? notFound(request) : undefined);
    if (answer !== undefined || page === undefined) {
      respond(request, response, answer ?? notFound(request));
      return;
    }
    response.writeHead(200, {
      ...headersFor(host ?? ADDRESS),
      'Content-Type': page.type,
      'Content-Length': page.body.length,
    });
    response.end(request.method === 'HEAD' ? undefined : page.body);
  });

  server.on('upgrade', (request, stream, head) => {
    const { host, origin } = request.headers;
    const refused =
      checkHost(host) ??
      (pathOf(request) === PLAY_PATH ? undefined : notFound(request)) ??
      checkOrigin(origin, host) ??
      (connections.size < MOST_CONNECTIONS ? undefined : tooMany);
    if (refused !== undefined) {
      refuseUpgrade(stream, refused);
      return;
    }
    sockets.handleUpgrade(request, stream, head, socket => {
      const name = `play-${++count}`;
      const over = connect(socket, { name, token, suite, clock, random: random.fork(name) });
      connections.add(over);
      over.then(() => connections.delete(over));
    });
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(listenError(error, port)));
    server.listen(port, ADDRESS, resolve);
  });
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new Error('The server has no port.');

  return {
    port: listening.port,
    address: `http://${ADDRESS}:${listening.port}/#${token}`,
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      for (const socket of sockets.clients) socket.close(1001, 'Dartboard was stopped');
      // Who does not answer the farewell is cut off.
      const farewell = new AbortController();
      const patience = clock.sleep(500, farewell.signal).catch(() => undefined);
      await Promise.race([Promise.all(connections), patience]);
      farewell.abort();
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await Promise.all([closed, ...connections]);
    },
  };
}

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] ?? '/';

const tooMany: Refused = { status: 503, message: `${MOST_CONNECTIONS} pages are open: close one.` };

const notFound = (request: IncomingMessage): Refused => ({
  status: 404,
  message: `There is nothing at ${JSON.stringify(pathOf(request))}.`,
});

function checkMethod({ method }: IncomingMessage): Refused | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  return { status: 405, message: `${method} is not served: only GET and HEAD are.` };
}

function upgradeNeeded(request: IncomingMessage): Refused | undefined {
  if (pathOf(request) !== PLAY_PATH) return undefined;
  return { status: 426, message: 'This is the address of a WebSocket.' };
}

function respond({ method }: IncomingMessage, response: ServerResponse, { status, message }: Refused): void {
  response.writeHead(status, {
    ...headersFor(ADDRESS),
    'Content-Type': 'text/plain; charset=utf-8',
    ...(status === 405 && { Allow: 'GET, HEAD' }),
    ...(status === 426 && { Upgrade: 'websocket', Connection: 'Upgrade' }),
  });
  response.end(method === 'HEAD' ? undefined : `${message}\n`);
}

function refuseUpgrade(stream: Duplex, { status, message }: Refused): void {
  // The other side may be gone already.
  stream.on('error', () => undefined);
  const body = `${message}\n`;
  stream.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}

function listenError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(`Port ${port} is taken: give another to --port, or leave it out.`, { cause: error });
  }
  if (error.code === 'EACCES') {
    return new Error(`Port ${port} is not for you: give another to --port, or leave it out.`, {
      cause: error,
    });
  }
  return error;
}
