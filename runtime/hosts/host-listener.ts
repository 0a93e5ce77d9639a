// The HTTP or HTTPS server for hosts: its limits, its certificate and its URL. Knows nothing of its routes.

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { hostname } from 'node:os';
import { refuseMalformed } from '../core/http-refusal.ts';
import { isLoopback } from '../core/loopback.ts';
import type { NatsCredentials } from '../fabric/nats/credentials.ts';
import { withAuthority } from './authority.ts';
import { EVERY_ADDRESS, hostInUrl, parseListen } from './join-address.ts';
import { MAX_HOST_DESKTOPS } from './messages.ts';

interface ListenOptions {
  /** `HOST:PORT`. Other addresses than those of this machine alone need a certificate in the credentials. */
  readonly listen: string;
  readonly credentials: Pick<NatsCredentials, 'tls' | 'ca'> | undefined;
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** Told once that it refuses connections because too many are open. */
  readonly full: (message: string) => void;
  /** Default: MAX_CONNECTIONS. */
  readonly maxConnections?: number;
}

export interface ListeningServer {
  /** As other machines reach it. */
  readonly url: string;
  close(): Promise<void>;
}

/** A desktop holds one while its question to a model waits: enough for 16 of the largest machines. */
export const MAX_CONNECTIONS = 16 * MAX_HOST_DESKTOPS;
const HEAD_TIMEOUT_MS = 10_000;
/** The largest blob at 1 MB/s. */
const REQUEST_TIMEOUT_MS = 65_000;
const CHECK_INTERVAL_MS = 5000;

/** Rejects with the reason if the address cannot be used. */
export async function listenForHosts({
  listen,
  credentials,
  answer,
  full,
  maxConnections = MAX_CONNECTIONS,
}: ListenOptions): Promise<ListeningServer> {
  const { host, port } = parseListen(listen, 'fabric.listen');
  const { tls, ca } = credentials ?? {};
  if (tls === undefined && !isLoopback(host))
    throw new RangeError(
      `fabric.listen is ${listen}, which other machines reach, but there is no certificate. Start 'dartboard up --listen' with an address of the network, which makes one, or add 'tls' to the file of fabric.credentials.`,
    );
  const limits = {
    ...{ headersTimeout: HEAD_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // No name is needed, and Node refuses requests without a reason.
    requireHostHeader: false,
  };
  const server =
    tls === undefined
      ? createHttpServer(limits, answer)
      : createHttpsServer(
          {
            ...limits,
            handshakeTimeout: HEAD_TIMEOUT_MS,
            cert: withAuthority(tls.certificate, ca),
            key: tls.key,
          },
          answer,
        );
  refuseMalformed(server);
  server.maxConnections = maxConnections;
  server.once('drop', () =>
    full(
      `It refuses connections: ${maxConnections} are open at ${listen}, the most that it accepts. Let fewer desktops join. If the hosts have fewer, other programs open them: use a firewall.`,
    ),
  );
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(listenFailure(error, listen)));
    server.listen(port, host, resolve);
  });
  const taken = server.address();
  if (taken === null || typeof taken === 'string') throw new Error('The server for hosts has no port.');
  const shown = EVERY_ADDRESS.has(host) ? hostname() : hostInUrl(host);
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${shown}:${taken.port}`,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
        // `closeAllConnections` leaves connections that have not finished their TLS handshake.
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listenFailure(error: NodeJS.ErrnoException, listen: string): Error {
  const why =
    error.code === 'EADDRINUSE'
      ? 'another program uses the port'
      : error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND'
        ? 'this machine does not have the address'
        : error.message;
  return new Error(
    `Cannot listen for hosts at ${listen}: ${why}. Choose another address or port in fabric.listen.`,
    { cause: error },
  );
}
