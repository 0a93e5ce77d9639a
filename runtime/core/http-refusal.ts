// Refuses what arrives on a connection before, or instead of, a request that Node can read.

import { type Server as HttpServer, STATUS_CODES } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';

/** An HTTP error response. */
export interface HttpRefusal {
  readonly status: number;
  /** In three parts, as text. */
  readonly message: string;
}

/** Destroys the stream once the response is sent: a client that keeps its half open would hold a file descriptor. */
export function refuse(stream: Duplex, { status, message }: HttpRefusal): void {
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

/** Answers bytes that are no HTTP, and unknown expectations, with a reason, which Node does not give. */
export function refuseMalformed(server: HttpServer | HttpsServer): void {
  server.on('checkExpectation', ({ headers }, response) => {
    const expected = JSON.stringify(headers.expect?.slice(0, 100));
    response
      .writeHead(417, { connection: 'close', 'content-type': 'text/plain; charset=utf-8' })
      .end(`The expectation ${expected} is unknown. Send the request without the header 'Expect'.\n`);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    if (stream.writable && !hasAnswered(stream)) refuse(stream, refusalOf(error));
    else stream.destroy();
  });
  // Node passes this to the listener above. A handshake that failed sends nothing, so such a refusal would never end.
  server.on('tlsClientError', (_: Error, stream: Duplex) => stream.destroy());
}

/** Node keeps the response that is being sent at the socket. A second one would become a part of its body. */
const hasAnswered = (stream: Duplex): boolean => {
  const { _httpMessage: response } = stream as {
    readonly _httpMessage?: { readonly headersSent: boolean } | null;
  };
  return response?.headersSent === true;
};

function refusalOf({ code, message }: NodeJS.ErrnoException): HttpRefusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return { status: 431, message: 'The headers of the request exceed 16 KB. Send fewer or shorter ones.' };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, message: 'The request did not arrive completely within 10 s. Send it faster.' };
  const why = message.replace(/^Parse Error:? */, '');
  return { status: 400, message: `The bytes are no HTTP/1.1 request (${why}). Send a request of HTTP/1.1.` };
}
