// Serves routes over HTTP on this machine. Requests need the API key; faults become errors in the shape of the OpenAI API.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { messageOf, sentenceOf } from '../core/errors.ts';
import { bearerToken, isToken } from '../core/token.ts';
import { checkHost, checkOrigin } from '../server/http/auth.ts';
import { listenHere } from '../server/http/listen.ts';
import { pathOf } from '../server/http/responses.ts';
import { ApiError } from './api-error.ts';

export interface ApiRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The whole path, or the beginning of paths if it ends in a slash. */
  readonly path: string;
  /** The limit that its requests count for; by default `others`. */
  readonly limit?: RequestLimit;
  readonly answer: (exchange: ApiExchange) => Promise<void>;
}

export interface ApiExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Unique. */
  readonly id: string;
  /** Behind the path of the route, decoded. */
  readonly rest: string;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
}

export interface ApiServerOptions {
  readonly routes: readonly ApiRoute[];
  /** 0 takes any free port. */
  readonly port: number;
  readonly key: string;
  readonly clock: Clock;
  /** A new and unique text for each request. */
  readonly newId: () => string;
  /** Reports failures of the server; faults of requests go to their clients only. */
  readonly notice: (text: string) => void;
}

export interface ApiServer {
  readonly port: number;
  /** Answers the requests in progress for a moment, then closes all connections. */
  close(): Promise<void>;
}

/** For a whole request, head and body: a history of images has megabytes. */
const REQUEST_TIMEOUT_MS = 60_000;
const HEAD_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2000;
/** The most requests at a time. With bodies of MAX_BODY_BYTES, chats and others take 4 GB at most. */
const LIMITS = {
  /** They wait for the decoder, or for the end of a pause. Everything else goes on meanwhile. */
  chats: 64,
  others: 64,
  /** They wait for something else and take no memory. A client of the Tinker protocol has one for each of its results. */
  waiting: 4096,
} as const;
type RequestLimit = keyof typeof LIMITS;

export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { port, clock } = options;
  const inProgress = new Map<Promise<void>, RequestLimit>();
  const closing = new AbortController();
  const server = createServer(
    { headersTimeout: HEAD_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      const route = options.routes.find(each => each.method === request.method && hasPath(each, request));
      const kind = route?.limit ?? 'others';
      const alike = [...inProgress.values()].filter(each => each === kind).length;
      const limit = LIMITS[kind];
      const answered = answer({
        request,
        response,
        options,
        route,
        isFull: alike >= limit,
        limit,
        closing: closing.signal,
      });
      inProgress.set(answered, kind);
      void answered.finally(() => inProgress.delete(answered));
    },
  );
  const taken = await listenHere(server, port);
  return {
    port: taken,
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      closing.abort();
      const done = new AbortController();
      const timeout = sleepUnlessAborted(clock, CLOSE_TIMEOUT_MS, done.signal);
      await Promise.race([Promise.all(inProgress.keys()), timeout]);
      done.abort();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Whether a route has the path of a request. */
function hasPath({ path }: ApiRoute, request: IncomingMessage): boolean {
  const own = pathOf(request);
  return path.endsWith('/') ? own.startsWith(path) : own === path;
}

interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: ApiServerOptions;
  readonly route: ApiRoute | undefined;
  readonly isFull: boolean;
  readonly limit: number;
  readonly closing: AbortSignal;
}

/** Never rejects. */
async function answer(arrival: Arrival): Promise<void> {
  const { request, response, options, route, closing } = arrival;
  const id = options.newId();
  response.setHeader('X-Request-Id', id);
  // A client that left is no failure.
  response.on('error', () => undefined);
  try {
    admit(arrival);
    if (route === undefined) throw unknownRoute(request, options.routes);
    const rest = decoded(pathOf(request).slice(route.path.length));
    await route.answer({ request, response, id, rest, closing });
  } catch (error) {
    if (!(error instanceof ApiError)) options.notice(`Request ${id} failed: ${messageOf(error)}`);
    refuse(response, error instanceof ApiError ? error : internalError(error));
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not an encoded text; nothing has this name.
    return text;
  }
}

const internalError = (error: unknown): ApiError =>
  new ApiError(500, `The server failed: ${sentenceOf(error)} Report this as a bug.`, {
    type: 'server_error',
  });

/** Throws for a request that may not enter; its body is not read. */
function admit({ request: { headers }, options: { key }, isFull, limit }: Arrival): void {
  const { host, origin, authorization } = headers;
  const refusal = checkHost(host) ?? checkOrigin(origin, host);
  if (refusal !== undefined) throw new ApiError(refusal.status, refusal.message);
  const candidate = bearerToken(authorization) ?? headers['x-api-key'];
  if (typeof candidate !== 'string' || !isToken(candidate, key))
    throw new ApiError(
      401,
      `The API key is ${candidate === undefined ? 'missing' : 'wrong'}. Send the key that 'dartboard model serve' printed as 'Authorization: Bearer KEY'.`,
      { type: 'authentication_error', code: 'invalid_api_key' },
    );
  if (isFull)
    throw new ApiError(429, `${limit} requests are in progress. Send the request again in 1 s.`, {
      ...{ type: 'rate_limit_error', code: 'rate_limit_exceeded', retryAfter: 1 },
    });
}

function unknownRoute(request: IncomingMessage, routes: readonly ApiRoute[]): ApiError {
  const methods = routes.filter(route => hasPath(route, request)).map(({ method }) => method);
  if (methods.length > 0)
    return new ApiError(405, `The method ${request.method} is not supported. Use ${methods.join(' or ')}.`);
  return new ApiError(
    404,
    `Nothing is served at ${JSON.stringify(pathOf(request))}. GET ${ROUTE_LIST} lists the routes.`,
    { type: 'not_found_error', code: 'unknown_url' },
  );
}

/** Programs read here what a server can do. */
const ROUTE_LIST = '/openapi.json';

/** Lists routes, and itself. */
export function routeList(routes: readonly ApiRoute[]): ApiRoute {
  const list: ApiRoute = {
    ...{ method: 'GET', path: ROUTE_LIST },
    answer: async ({ response }) => {
      const paths: Record<string, Record<string, object>> = {};
      for (const { path, method } of [...routes, list])
        paths[path] = { ...paths[path], [method.toLowerCase()]: {} };
      sendJson(response, 200, { openapi: '3.1.0', info: { title: 'Dartboard', version: '1' }, paths });
    },
  };
  return list;
}

/** Node reads and drops a body that was refused, so that the connection can be used again. */
function refuse(response: ServerResponse, error: ApiError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { retryAfter } = error.details;
  if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
  sendJson(response, error.status, error.body);
}

export const sendJson = (response: ServerResponse, status: number, body: unknown): void =>
  sendBody(response, status, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(body)));

export function sendBody(response: ServerResponse, status: number, type: string, body: Uint8Array): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': body.byteLength,
    'Cache-Control': 'no-store',
  });
  response.end(body);
}
