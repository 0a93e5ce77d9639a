// The HTTP requests of OpenEnv. As in the official server each has a session of its own, so a step needs the WebSocket.

import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { messageOf } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { safeParse } from '../core/safe-parse.ts';
import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import { parseActionRequest } from './action-request.ts';
import { metadataDocument, openapiDocument, schemaDocument } from './documents.ts';
import { answerMcpText } from './mcp.ts';
import { parseReset } from './reset-request.ts';
import type { OpenEnvSessions } from './sessions.ts';
import { invalidFields, invalidMessage, ServedError, type ServedErrorCode } from './wire.ts';

export interface OpenEnvHttpOptions {
  readonly kind: DesktopKind;
  readonly sessions: OpenEnvSessions;
  readonly maxBodyBytes: number;
}

interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly allow?: string;
}

/** `path` is the path inside the server. */
export async function answerHttp(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  options: OpenEnvHttpOptions,
): Promise<void> {
  let answer: HttpAnswer;
  try {
    answer = await answerTo(request, path, options);
  } catch (error) {
    answer = failedAnswer(error);
  }
  sendJson(response, answer);
}

export function sendJson(response: ServerResponse, { status, body, allow }: HttpAnswer): void {
  if (response.destroyed || response.headersSent) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'X-Content-Type-Options': 'nosniff',
    ...(allow !== undefined && { Allow: allow }),
    // The rest of a body that is too large is not read.
    ...(status === 413 && { Connection: 'close' }),
  });
  response.end(text);
}

type Route = (request: IncomingMessage, options: OpenEnvHttpOptions) => unknown;

const GET: Readonly<Record<string, Route>> = {
  '/health': () => ({ status: 'healthy' }),
  '/metadata': (_, { kind }) => metadataDocument(kind),
  '/schema': () => schemaDocument(),
  '/openapi.json': (_, { kind }) => openapiDocument(kind),
  '/state': (_, { sessions }) => sessions.stateOfNew(),
};

const POST: Readonly<Record<string, Route>> = {
  '/reset': reset,
  '/step': step,
  '/mcp': async (request, { maxBodyBytes }) => answerMcpText(await bodyOf(request, maxBodyBytes)),
};

async function answerTo(
  request: IncomingMessage,
  path: string,
  options: OpenEnvHttpOptions,
): Promise<HttpAnswer> {
  const { method = 'GET' } = request;
  const route = (method === 'GET' ? GET : method === 'POST' ? POST : {})[path];
  if (route !== undefined) return { status: 200, body: await route(request, options) };
  const allow = path in GET ? 'GET' : path in POST ? 'POST' : undefined;
  if (allow !== undefined) return { status: 405, body: { detail: 'Method Not Allowed' }, allow };
  const detail =
    path === '/ws' ? 'This path accepts WebSockets only.' : `Nothing is served at ${JSON.stringify(path)}.`;
  return { status: path === '/ws' ? 426 : 404, body: { detail } };
}

/** Begins an episode, and ends it: the next request has another session. */
async function reset(
  request: IncomingMessage,
  { sessions, maxBodyBytes }: OpenEnvHttpOptions,
): Promise<unknown> {
  const data = parsedBody(await bodyOf(request, maxBodyBytes)) ?? {};
  parseReset(data, ['body']);
  const session = sessions.open();
  try {
    return await session.reset(data, ['body']);
  } finally {
    await sessions.close(session);
  }
}

const stepBody = z.looseObject({ action: z.record(z.string(), z.unknown()) });

async function step(request: IncomingMessage, { maxBodyBytes }: OpenEnvHttpOptions): Promise<never> {
  const parsed = safeParse(stepBody, parsedBody(await bodyOf(request, maxBodyBytes)) ?? {});
  if (!parsed.success) throw invalidMessage(invalidFields(parsed.error, ['body']));
  parseActionRequest(parsed.data.action, ['body', 'action']);
  throw new HttpError(
    409,
    'A step over HTTP has no episode, because each request has a session of its own. Use the WebSocket /ws.',
  );
}

/** Undefined for an empty body. */
function parsedBody(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw invalidMessage([
      { type: 'json_invalid', loc: ['body'], msg: `JSON decode error: ${messageOf(error)}` },
    ]);
  }
  const parsed = safeParse(z.record(z.string(), z.unknown()), value);
  if (parsed.success) return parsed.data;
  throw invalidMessage(invalidFields(parsed.error, ['body']));
}

async function bodyOf(request: IncomingMessage, max: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > max) throw new HttpError(413, `The body has more than ${max} bytes. Send a smaller one.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const STATUS: Readonly<Record<ServedErrorCode, number>> = {
  INVALID_JSON: 422,
  UNKNOWN_TYPE: 422,
  VALIDATION_ERROR: 422,
  EXECUTION_ERROR: 500,
  CAPACITY_REACHED: 503,
  FACTORY_ERROR: 500,
  SESSION_ERROR: 500,
};

function failedAnswer(error: unknown): HttpAnswer {
  if (error instanceof HttpError) return { status: error.status, body: { detail: error.message } };
  if (!(error instanceof ServedError)) return { status: 500, body: { detail: messageOf(error) } };
  return { status: STATUS[error.code], body: { detail: error.details.errors ?? error.message } };
}
