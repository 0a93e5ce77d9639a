// Serves a backend under the OpenAI chat protocol on this machine: GET /v1/models, GET /v1/models/NAME and POST /v1/chat/completions.

import { ADDRESS } from '../server/http/listen.ts';
import { ApiError } from './api-error.ts';
import {
  type ApiExchange,
  type ApiRoute,
  type ApiServer,
  type ApiServerOptions,
  routeList,
  sendJson,
  startApiServer,
} from './api-server.ts';
import type { ChatBackend } from './backend.ts';
import { chatChunks, chatReply, modelList, modelObject, STREAM_END, serverSentEvent } from './chat-reply.ts';
import { parseChatRequest } from './chat-request.ts';
import { readBody } from './request-body.ts';

export interface ChatServerOptions extends Omit<ApiServerOptions, 'routes'> {
  readonly backend: ChatBackend;
  /** Served beside the chat protocol. */
  readonly routes?: readonly ApiRoute[];
}

export interface ChatServer extends ApiServer {
  /** The base URL for clients of the chat protocol. */
  readonly url: string;
}

export async function startChatServer({
  backend,
  routes = [],
  ...options
}: ChatServerOptions): Promise<ChatServer> {
  const all = [...chatRoutes(backend, options), ...routes];
  const server = await startApiServer({ ...options, routes: [...all, routeList(all)] });
  return { ...server, url: `http://${ADDRESS}:${server.port}/v1` };
}

const CHAT = '/v1/chat/completions';
const MODELS = '/v1/models';

const chatRoutes = (
  backend: ChatBackend,
  { clock }: Pick<ApiServerOptions, 'clock'>,
): readonly ApiRoute[] => [
  {
    ...{ method: 'POST', path: CHAT, limit: 'chats' },
    answer: exchange => complete(exchange, backend, Math.floor(clock.now() / 1000)),
  },
  {
    ...{ method: 'GET', path: MODELS },
    answer: async ({ response }) => sendJson(response, 200, modelList(await backend.models())),
  },
  { method: 'GET', path: `${MODELS}/`, answer: exchange => sendModel(exchange, backend) },
];

/** Not reported: a client that leaves is no failure. 499 is the status that nginx logs for it. */
const CLIENT_LEFT = new ApiError(499, 'The client left before the reply.');

async function sendModel({ response, rest: name }: ApiExchange, backend: ChatBackend): Promise<void> {
  const card = (await backend.models()).find(each => each.id === name);
  if (card === undefined)
    throw new ApiError(404, `The model '${name}' is not served. GET ${MODELS} lists the models.`, {
      ...{ type: 'not_found_error', code: 'model_not_found' },
    });
  sendJson(response, 200, modelObject(card));
}

async function complete(
  { request, response, id }: ApiExchange,
  backend: ChatBackend,
  created: number,
): Promise<void> {
  const asked = parseChatRequest(await readBody(request));
  const left = new AbortController();
  response.once('close', () => left.abort(CLIENT_LEFT));
  const completion = await backend.complete(asked, left.signal);
  const head = { id: `chatcmpl-${id}`, created };
  if (!asked.stream) {
    sendJson(response, 200, chatReply(completion, asked, head));
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  for (const chunk of [...chatChunks(completion, asked, head), STREAM_END])
    response.write(serverSentEvent(chunk));
  response.end();
}
