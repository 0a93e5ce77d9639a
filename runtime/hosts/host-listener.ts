// The HTTP or HTTPS server for hosts: its limits, its certificate and its URL. Knows nothing of its routes.

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { hostname } from 'node:os';
import { refuseMalformed } from '../core/http-refusal.ts';
import { isLoopback } from '../core/loopback.ts';
import type { NatsCredentials } from '../fabric/nats/credentials.ts';
import { withAuthority } from './authority.ts';
import { EVERY_ADDRESS, hostInUrl, parseListen } from './join-address.ts';

interface ListenOptions {
  /** `HOST:PORT`. Other addresses than those of this machine alone need a certificate in the credentials. */
  readonly listen: string;
  readonly credentials: Pick<NatsCredentials, 'tls' | 'ca'> | undefined;
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface ListeningServer {
  /** As other machines reach it. */
  readonly url: string;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 1024;
const HEAD_TIMEOUT_MS = 10_000;
/** The largest blob at 1 MB/s. */
const REQUEST_TIMEOUT_MS = 65_000;
const CHECK_INTERVAL_MS = 5000;

/** Rejects with the reason if the address cannot be used. */
export async function listenForHosts({
  listen,
  credentials,
  answer,
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
  server.maxConnections = MAX_CONNECTIONS;
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
