// Listens on this machine only. Serves the files of one page over HTTP, and upgrades allowed requests to WebSockets. Does not know
// what is spoken on the sockets.

import { createServer, type Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import { refuse, refuseMalformed } from '../../core/http-refusal.ts';
import { CLOSE_CODE_STOPPED } from '../../protocol/close-code.ts';
import { checkHost, checkOrigin } from './auth.ts';
import { ConnectionSlots } from './connection-slots.ts';
import { answer, notFound, pathOf } from './responses.ts';
import type { Pages } from './static-files.ts';

/** This machine only. */
export const ADDRESS = '127.0.0.1';
const GOODBYE_TIMEOUT_MS = 500;
/** For a whole request, head and body. */
const REQUEST_TIMEOUT_MS = 10_000;

interface ListenOptions {
  readonly pages: Pages;
  /** 0 takes any free port. */
  readonly port: number;
  /** The path of the WebSocket. */
  readonly socketPath: string;
  readonly maxMessageBytes: number;
  /** `takeSlot` makes the socket a client. Resolves when the connection is closed and all it held is released. */
  readonly connect: (socket: WebSocket, takeSlot: () => boolean) => Promise<void>;
  readonly clock: Clock;
}

export interface HttpListener {
  readonly port: number;
  /** Closes all connections; resolves when nothing is left open. */
  close(): Promise<void>;
}

export async function listen(options: ListenOptions): Promise<HttpListener> {
  const { port, socketPath, maxMessageBytes, connect, clock } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
  });
  const connections = new Set<Promise<void>>();
  const slots = new ConnectionSlots();
  let isClosing = false;

  const server = createServer(
    { headersTimeout: REQUEST_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, requireHostHeader: false },
    (request, response) => answer(request, response, options),
  );
  refuseMalformed(server);
  sockets.on('wsClientError', ({ message }, stream) => refuse(stream, noWebSocket(message)));
  server.on('connection', socket => slots.add(socket));
  server.on('upgrade', (request, stream, head) => {
    const { host, origin } = request.headers;
    const refusal =
      checkHost(host) ??
      (pathOf(request) === socketPath ? undefined : notFound(request)) ??
      checkOrigin(origin, host) ??
      (isClosing ? stopping : undefined);
    if (refusal !== undefined) {
      refuse(stream, refusal);
      return;
    }
    sockets.handleUpgrade(request, stream, head, socket => {
      const closed = connect(socket, () => slots.admit(request.socket));
      connections.add(closed);
      closed.then(() => connections.delete(closed));
    });
  });

  const taken = await listenHere(server, port);

  return {
    port: taken,
    async close() {
      isClosing = true;
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      for (const socket of sockets.clients) socket.close(CLOSE_CODE_STOPPED, 'Dartboard was stopped');
      const goodbye = new AbortController();
      // Aborted when all clients have answered.
      const timeout = sleepUnlessAborted(clock, GOODBYE_TIMEOUT_MS, goodbye.signal);
      await Promise.race([Promise.all(connections), timeout]);
      goodbye.abort();
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await Promise.all([closed, ...connections]);
    },
  };
}

/** For a browser. The token never leaves the browser, since it follows a '#'. */
export const addressWith = (token: string, port: number): string => `http://${ADDRESS}:${port}/#${token}`;

/** Of a request that the library for WebSockets rejects. */
export const noWebSocket = (why: string) => ({
  status: 400,
  message: `The request opens no WebSocket of version 13 (${why}). Connect with a client of RFC 6455.`,
});

const stopping = { status: 503, message: 'Dartboard is stopping. Start it again.' };

/** Listens on this machine only. Resolves with the port; 0 takes any free one. */
export async function listenHere(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(listenError(error, port)));
    server.listen(port, ADDRESS, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/** Explains why a port cannot be used. */
export function listenError(error: NodeJS.ErrnoException, port: number): Error {
  const why =
    error.code === 'EADDRINUSE'
      ? 'is used by another program'
      : error.code === 'EACCES'
        ? 'needs the rights of an administrator'
        : undefined;
  if (why === undefined) return error;
  return new Error(`Port ${port} ${why}. Give another one to --port, or leave it out.`, { cause: error });
}
