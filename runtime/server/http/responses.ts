// Responses of the HTTP server: a file of the page, or an error as text.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpRefusal } from '../../core/http-refusal.ts';
import { checkHost } from './auth.ts';
import { headersFor, type Pages } from './static-files.ts';

export function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { pages, socketPath }: { readonly pages: Pages; readonly socketPath: string },
): void {
  const { host } = request.headers;
  const path = pathOf(request);
  const page = pages.get(path);
  const refused =
    checkHost(host) ?? checkMethod(request) ?? (path === socketPath ? upgradeNeeded(path) : undefined);
  if (refused !== undefined || page === undefined || host === undefined) {
    respond(request, response, refused ?? notFound(request));
    return;
  }
  response.writeHead(200, {
    ...headersFor(host),
    'Content-Type': page.type,
    'Content-Length': page.body.length,
  });
  response.end(request.method === 'HEAD' ? undefined : page.body);
}

export const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] ?? '/';

export const notFound = (request: IncomingMessage): HttpRefusal => ({
  status: 404,
  message: `Nothing is served at ${JSON.stringify(pathOf(request))}. Open the address that Dartboard printed.`,
});

function checkMethod({ method }: IncomingMessage): HttpRefusal | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  return { status: 405, message: `The method '${method}' is not supported. Use GET or HEAD.` };
}

const upgradeNeeded = (path: string): HttpRefusal => ({
  status: 426,
  message: `The path '${path}' accepts WebSockets only. Open the address that Dartboard printed.`,
});

function respond(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, message }: HttpRefusal,
): void {
  const body = `${message}\n`;
  response.writeHead(status, {
    ...headersFor('127.0.0.1'),
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...(status === 405 && { Allow: 'GET, HEAD' }),
    ...(status === 426 && { Upgrade: 'websocket', Connection: 'Upgrade' }),
  });
  response.end(method === 'HEAD' ? undefined : body);
}
