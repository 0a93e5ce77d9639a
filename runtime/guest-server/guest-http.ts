// The HTTP server of one desktop. Knows nothing of its routes.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { messageOf } from '../core/errors.ts';
import { refusalOf } from './allowed-request.ts';
import { errorAnswer, type GuestAnswer } from './answer.ts';
import type { GuestCall } from './guest-call.ts';

/** More than the largest file that a desktop can store. */
const MAX_BODY_BYTES = 160 << 20;

export interface GuestListenerOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly answer: (method: string, call: GuestCall) => Promise<GuestAnswer>;
}

export interface GuestListener {
  readonly port: number;
  close(): Promise<void>;
}

/** Rejects with the reason if the port cannot be used. */
export async function listenForClients(options: GuestListenerOptions): Promise<GuestListener> {
  const { host, port } = options;
  const server = createServer((request, response) => {
    void respond(request, response, options);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(portError(error, host, port)));
    server.listen(port, host, resolve);
  });
  return { port: portOf(server), close: () => closed(server) };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { host, answer }: GuestListenerOptions,
): Promise<void> {
  const { status, type, body } = await answerOf(request, host, answer);
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': bytes.length,
    'X-Content-Type-Options': 'nosniff',
    // The rest of a body that is too long is not read.
    ...(status === 413 && { Connection: 'close' }),
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** Never rejects. */
async function answerOf(
  request: IncomingMessage,
  host: string,
  answer: GuestListenerOptions['answer'],
): Promise<GuestAnswer> {
  const refusal = refusalOf(request.headers, host);
  if (refusal !== undefined) return errorAnswer(refusal, 403);
  try {
    const body = await bodyOf(request);
    if (body === undefined)
      return errorAnswer(`The body has more than ${MAX_BODY_BYTES >> 20} MB. Send smaller files.`, 413);
    const path = request.url?.split('?', 1)[0] ?? '/';
    const type = request.headers['content-type'] ?? '';
    return await answer(request.method ?? 'GET', { path, type, body });
  } catch (error) {
    return errorAnswer(`The server failed: ${messageOf(error)} Report it with the request.`);
  }
}

/** Undefined if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    length += piece.length;
    if (length > MAX_BODY_BYTES) return undefined;
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

function closed(server: Server): Promise<void> {
  const end = new Promise<void>(resolve => server.close(() => resolve()));
  server.closeAllConnections();
  return end;
}

const PORT_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is used by another program. Choose other ports with --first-port',
  EACCES: 'needs the rights of an administrator. Choose other ports with --first-port',
  EADDRNOTAVAIL: 'is at an address that this machine does not have. Correct --host',
  ENOTFOUND: 'is at a host name that cannot be resolved. Correct --host',
};

function portError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const problem = PORT_PROBLEMS[error.code ?? ''];
  return problem === undefined ? error : new Error(`Port ${port} of ${host} ${problem}.`, { cause: error });
}
