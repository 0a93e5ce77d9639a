// What HTTP is answered: a file of the page, or in words why not.

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { checkHost, type Refused } from './auth.ts';
import { headersFor, type Pages } from './static-files.ts';

/** `socketPath` is where the WebSocket is, and so no page. */
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

export const notFound = (request: IncomingMessage): Refused => ({
  status: 404,
  message: `There is nothing at ${JSON.stringify(pathOf(request))}.`,
});

function checkMethod({ method }: IncomingMessage): Refused | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  return { status: 405, message: `${method} is not served: only GET and HEAD are.` };
}

const upgradeNeeded: Refused = { status: 426, message: 'This is the address of a WebSocket.' };

function respond({ method }: IncomingMessage, response: ServerResponse, { status, message }: Refused): void {
  response.writeHead(status, {
    ...headersFor('127.0.0.1'),
    'Content-Type': 'text/plain; charset=utf-8',
    ...(status === 405 && { Allow: 'GET, HEAD' }),
    ...(status === 426 && { Upgrade: 'websocket', Connection: 'Upgrade' }),
  });
  response.end(method === 'HEAD' ? undefined : `${message}\n`);
}

export function refuseUpgrade(stream: Duplex, { status, message }: Refused): void {
  // The other side may be gone already.
  stream.on('error', () => undefined);
  const body = `${message}\n`;
  stream.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
