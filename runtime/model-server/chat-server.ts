// Serves a backend under the OpenAI chat protocol on this machine: GET /v1/models, GET /v1/models/NAME and POST /v1/chat/completions.
// Requests need the API key, and every error has the shape of the protocol.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { messageOf, sentenceOf } from '../core/errors.ts';
import { checkHost, checkOrigin, isToken } from '../server/http/auth.ts';
import { ADDRESS, listenError } from '../server/http/listen.ts';
import { pathOf } from '../server/http/responses.ts';
import { ApiError } from './api-error.ts';
import type { ChatBackend } from './backend.ts';
import { chatChunks, chatReply, modelList, modelObject, STREAM_END, serverSentEvent } from './chat-reply.ts';
import { parseChatRequest } from './chat-request.ts';
import { readBody } from './request-body.ts';

export interface ChatServerOptions {
  readonly backend: ChatBackend;
  /** 0 takes any free port. */
  readonly port: number;
  readonly key: string;
  readonly clock: Clock;
  /** A new and unique text for each request. */
  readonly newId: () => string;
  /** Reports failures of the server; faults of requests go to their clients only. */
  readonly notice: (text: string) => void;
}

export interface ChatServer {
  readonly port: number;
  /** The base URL for clients. */
  readonly url: string;
  /** Answers the requests in progress for a moment, then closes all connections. */
  close(): Promise<void>;
}

/** For a whole request, head and body: a history of images has megabytes. */
const REQUEST_TIMEOUT_MS = 60_000;
const HEAD_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2000;
/** With bodies of MAX_BODY_BYTES, these take 2 GB at most. */
const MAX_REQUESTS = 64;

export async function startChatServer(options: ChatServerOptions): Promise<ChatServer> {
  const { port, clock } = options;
  const inProgress = new Set<Promise<void>>();
  const server = createServer(
    { headersTimeout: HEAD_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      const answered = answer(request, response, options, inProgress.size);
      inProgress.add(answered);
      void answered.finally(() => inProgress.delete(answered));
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(listenError(error, port)));
    server.listen(port, ADDRESS, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    port: address.port,
    url: `http://${ADDRESS}:${address.port}/v1`,
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      const done = new AbortController();
      const timeout = sleepUnlessAborted(clock, CLOSE_TIMEOUT_MS, done.signal);
      await Promise.race([Promise.all(inProgress), timeout]);
      done.abort();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Never rejects. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ChatServerOptions,
  others: number,
): Promise<void> {
  const id = options.newId();
  response.setHeader('X-Request-Id', id);
  // A client that left is no failure.
  response.on('error', () => undefined);
  try {
    admit(request, options.key, others);
    await route(request, response, options, id);
  } catch (error) {
    if (!(error instanceof ApiError)) options.notice(`Request ${id} failed: ${messageOf(error)}`);
    refuse(response, error instanceof ApiError ? error : internalError(error));
  }
}

const internalError = (error: unknown): ApiError =>
  new ApiError(500, `The server failed: ${sentenceOf(error)} Report this as a bug.`, {
    type: 'server_error',
  });

/** Throws for a request that may not enter; its body is not read. */
function admit({ headers }: IncomingMessage, key: string, others: number): void {
  const { host, origin, authorization = '' } = headers;
  const refusal = checkHost(host) ?? checkOrigin(origin, host);
  if (refusal !== undefined) throw new ApiError(refusal.status, refusal.message);
  const candidate = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (candidate === undefined || !isToken(candidate, key))
    throw new ApiError(
      401,
      `The API key is ${candidate === undefined ? 'missing' : 'wrong'}. Send the key that 'dartboard model serve' printed as 'Authorization: Bearer KEY'.`,
      { type: 'authentication_error', code: 'invalid_api_key' },
    );
  if (others >= MAX_REQUESTS)
    throw new ApiError(429, `${MAX_REQUESTS} requests are in progress. Send the request again in 1 s.`, {
      ...{ type: 'rate_limit_error', code: 'rate_limit_exceeded', retryAfter: 1 },
    });
}

const CHAT = '/v1/chat/completions';
const MODELS = '/v1/models';

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  options: ChatServerOptions,
  id: string,
): Promise<void> {
  const path = pathOf(request);
  if (path === CHAT) {
    checkMethod(request, 'POST');
    await complete(request, response, options, id);
  } else if (path === MODELS) {
    checkMethod(request, 'GET');
    sendJson(response, 200, modelList(await options.backend.models()));
  } else if (path.startsWith(`${MODELS}/`)) {
    checkMethod(request, 'GET');
    const name = nameIn(path);
    const card = (await options.backend.models()).find(each => each.id === name);
    if (card === undefined)
      throw new ApiError(404, `The model '${name}' is not served. GET ${MODELS} lists the models.`, {
        ...{ type: 'not_found_error', code: 'model_not_found' },
      });
    sendJson(response, 200, modelObject(card));
  } else {
    throw new ApiError(404, `Nothing is served at ${JSON.stringify(path)}. Use ${CHAT} or ${MODELS}.`, {
      ...{ type: 'not_found_error', code: 'unknown_url' },
    });
  }
}

function nameIn(path: string): string {
  const name = path.slice(MODELS.length + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    // Not an encoded name; no model has it.
    return name;
  }
}

function checkMethod({ method }: IncomingMessage, allowed: string): void {
  if (method !== allowed) throw new ApiError(405, `The method ${method} is not supported. Use ${allowed}.`);
}

async function complete(
  request: IncomingMessage,
  response: ServerResponse,
  { backend, clock }: ChatServerOptions,
  id: string,
): Promise<void> {
  const asked = parseChatRequest(await readBody(request));
  const completion = await backend.complete(asked);
  const head = { id: `chatcmpl-${id}`, created: Math.floor(clock.now() / 1000) };
  if (!asked.stream) {
    sendJson(response, 200, chatReply(completion, asked, head));
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  for (const chunk of [...chatChunks(completion, asked, head), STREAM_END])
    response.write(serverSentEvent(chunk));
  response.end();
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

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  response.end(text);
}
