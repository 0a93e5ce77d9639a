// Responses of the HTTP server: a file of the page, or an error as text.

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { checkHost, type HttpRefusal } from './auth.ts';
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
    checkHost(host) ?? checkMethod(request) ?? (path === socketPath ? upgradeNeeded : undefined);
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
  return { status: 405, message: `The method ${method} is not supported. Use GET or HEAD.` };
}

const upgradeNeeded: HttpRefusal = {
  status: 426,
  message: 'This path accepts WebSockets only. Open the address that Dartboard printed.',
};

function respond(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, message }: HttpRefusal,
): void {
  response.writeHead(status, {
    ...headersFor('127.0.0.1'),
    'Content-Type': 'text/plain; charset=utf-8',
    ...(status === 405 && { Allow: 'GET, HEAD' }),
    ...(status === 426 && { Upgrade: 'websocket', Connection: 'Upgrade' }),
  });
  response.end(method === 'HEAD' ? undefined : `${message}\n`);
}

/** Destroys the stream once the response is sent: a client that keeps its half open would hold a file descriptor. */
export function refuseUpgrade(stream: Duplex, { status, message }: HttpRefusal): void {
  // The client may have gone already.
  stream.on('error', () => undefined);
  const body = `${message}\n`;
  const response = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ];
  stream.end(response.join('\r\n'), () => stream.destroy());
}
