// The OpenEnv server of one kind of desktops: HTTP requests, and a WebSocket per session.

import { createServer, type IncomingMessage, type Server } from 'node:http';
import { WebSocketServer } from 'ws';
import { sleepUnlessAborted } from '../core/clock.ts';
import { FailedTokens, tooManyFailed } from '../core/failed-tokens.ts';
import { refuse, refuseMalformed } from '../core/http-refusal.ts';
import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import { ADDRESS, listenError, noWebSocket } from '../server/http/listen.ts';
import { enter, type GateDecision, type GateRequest, gateRules, UNAUTHORIZED } from './gate.ts';
import { answerHttp, sendJson } from './http.ts';
import { OpenEnvSessions, type SessionsOptions } from './sessions.ts';
import { type SocketOptions, serveMcp, serveSocket } from './socket.ts';

export interface OpenEnvServerOptions extends SessionsOptions, Pick<SocketOptions, 'idleMs'> {
  readonly kind: DesktopKind;
  /** 0 takes any free port. */
  readonly port: number;
  /** 127.0.0.1 by default. Others need a token. */
  readonly host?: string;
  readonly token?: string;
}

export interface OpenEnvServer {
  readonly port: number;
  /** For clients, with the token in its path if there is one. */
  readonly url: string;
  readonly activeSessions: number;
  /** Ends all sessions; resolves when their desktops are back. The pool of desktops stays open. */
  close(): Promise<void>;
}

/** Actions are small. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;
/** Connections beside those of sessions: refused ones, and HTTP requests. */
const MORE_CONNECTIONS = 256;
const GOODBYE_TIMEOUT_MS = 500;

export async function startOpenEnvServer(options: OpenEnvServerOptions): Promise<OpenEnvServer> {
  const { kind, port, host = ADDRESS, token, idleMs, clock } = options;
  const rules = gateRules(host, token);
  const sessions = new OpenEnvSessions(options);
  const connections = new Set<Promise<void>>();
  const webSockets = new WebSocketServer({
    ...{ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false },
  });
  const http = { kind, sessions, maxBodyBytes: MAX_MESSAGE_BYTES };
  let isClosing = false;
  const failedTokens = new FailedTokens(clock);
  const entering = (request: IncomingMessage): GateDecision => {
    // On this machine, another user who sends wrong tokens must not keep the owner out.
    if (rules.isLoopback) return enter(gateRequest(request), rules);
    const { remoteAddress: address = 'an unknown address' } = request.socket;
    if (failedTokens.isBlocked(address)) return { refusal: { status: 429, message: tooManyFailed(address) } };
    const entered = enter(gateRequest(request), rules);
    if (entered.refusal?.status === UNAUTHORIZED.status) failedTokens.note(address);
    return entered;
  };

  const server = createServer(
    { headersTimeout: REQUEST_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, requireHostHeader: false },
    (request, response) => {
      const entered = entering(request);
      if (entered.refusal === undefined) void answerHttp(request, response, entered.path, http);
      else sendJson(response, { status: entered.refusal.status, body: { detail: entered.refusal.message } });
    },
  );
  refuseMalformed(server);
  webSockets.on('wsClientError', ({ message }, stream) => refuse(stream, noWebSocket(message)));
  server.maxConnections = options.max + MORE_CONNECTIONS;
  server.on('upgrade', (request, stream, head) => {
    const entered = entering(request);
    const path = entered.refusal === undefined ? entered.path : undefined;
    const why =
      entered.refusal ?? (isClosing ? STOPPING : SOCKET_PATHS.includes(path) ? undefined : NOT_FOUND);
    if (why !== undefined) return refuse(stream, why);
    webSockets.handleUpgrade(request, stream, head, socket => {
      if (path === '/mcp') {
        serveMcp(socket, clock);
        return;
      }
      const served = serveSocket(socket, { sessions, idleMs, clock });
      connections.add(served);
      void served.then(() => connections.delete(served));
    });
  });

  const taken = await listenAt(server, port, host);
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    port: taken,
    url: `http://${shown}:${taken}${token === undefined ? '' : `/t/${encodeURIComponent(token)}`}`,
    get activeSessions() {
      return sessions.active;
    },
    async close() {
      isClosing = true;
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      for (const socket of webSockets.clients) socket.close(1001, 'Dartboard was stopped');
      const goodbye = new AbortController();
      const timeout = sleepUnlessAborted(clock, GOODBYE_TIMEOUT_MS, goodbye.signal);
      await Promise.race([Promise.all(connections), timeout]);
      goodbye.abort();
      for (const socket of webSockets.clients) socket.terminate();
      server.closeAllConnections();
      await Promise.all([closed, ...connections, sessions.closeAll()]);
    },
  };
}

const gateRequest = ({ url, headers: { host, origin, authorization } }: IncomingMessage): GateRequest => ({
  ...{ url, host, origin, authorization },
});

const SOCKET_PATHS: readonly (string | undefined)[] = ['/ws', '/mcp'];
const STOPPING = { status: 503, message: 'Dartboard is stopping. Start it again.' };
const NOT_FOUND = {
  status: 404,
  message: 'WebSockets are served at /ws and /mcp only. Connect to one of them.',
};

async function listenAt(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(hostError(error, host) ?? listenError(error, port)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

const hostError = (error: NodeJS.ErrnoException, host: string): Error | undefined =>
  error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND'
    ? new Error(
        `This machine has no address ${host}. Give one of its own addresses to --host, such as 0.0.0.0.`,
        {
          cause: error,
        },
      )
    : undefined;
