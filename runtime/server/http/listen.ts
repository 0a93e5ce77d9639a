// Listens on this machine only: the files of one page over HTTP, and a WebSocket for who is let in. What is said on the sockets is
// not known here.

import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../core/clock.ts';
import { checkHost, type checkOrigin } from './auth.ts';
import { answer, notFound, pathOf, refuseUpgrade } from './responses.ts';
import type { Pages } from './static-files.ts';

const ADDRESS = '127.0.0.1';
const MOST_CONNECTIONS = 32;

interface Listen {
  readonly pages: Pages;
  /** 0 takes any that is free. */
  readonly port: number;
  /** Where the WebSocket is. */
  readonly socketPath: string;
  /** The most bytes of one message that is received. */
  readonly longest: number;
  readonly checkOrigin: typeof checkOrigin;
  /** Resolves when the connection is over and nothing of it is left. */
  readonly connect: (socket: WebSocket) => Promise<void>;
  readonly clock: Clock;
}

export interface Listening {
  readonly port: number;
  /** Sends everybody away; resolves when nothing is left open. */
  close(): Promise<void>;
}

export async function listen(options: Listen): Promise<Listening> {
  const { port, socketPath, longest, connect, clock } = options;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: longest, perMessageDeflate: false });
  const connections = new Set<Promise<void>>();
  let isClosing = false;

  const server = createServer((request, response) => answer(request, response, options));
  server.on('upgrade', (request, stream, head) => {
    const { host, origin } = request.headers;
    const refused =
      checkHost(host) ??
      (pathOf(request) === socketPath ? undefined : notFound(request)) ??
      options.checkOrigin(origin, host) ??
      (connections.size < MOST_CONNECTIONS ? undefined : tooMany) ??
      (isClosing ? stopping : undefined);
    if (refused !== undefined) {
      refuseUpgrade(stream, refused);
      return;
    }
    sockets.handleUpgrade(request, stream, head, socket => {
      const over = connect(socket);
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
    async close() {
      isClosing = true;
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

/** For a browser: with the token, which stays in the browser since it stands behind a '#'. */
export const addressWith = (token: string, port: number): string => `http://${ADDRESS}:${port}/#${token}`;

const tooMany = { status: 503, message: `${MOST_CONNECTIONS} pages are open: close one.` };
const stopping = { status: 503, message: 'Dartboard is being stopped: start it again.' };

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
