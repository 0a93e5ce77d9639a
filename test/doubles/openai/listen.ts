// Serves a double over HTTP on this machine, for tests of whole programs.

import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import type { HttpReply, HttpRequest, HttpTransport } from '../../../runtime/endpoints/http-transport.ts';

type DoubleReply = Pick<HttpReply, 'status' | 'headers'> & { readonly body: string | Uint8Array };

/** Resolves with the base URL of the chat protocol. The server ends with the test. */
export const listen = async (double: HttpTransport): Promise<string> =>
  `${await serveOverHttp(request => double.send(request))}/v1`;

/** Resolves with the root URL. The server ends with the test. */
export async function serveOverHttp(
  answerTo: (request: HttpRequest) => Promise<DoubleReply>,
): Promise<string> {
  const server = createServer((request, response) => {
    const left = new AbortController();
    response.on('close', () => left.abort(new Error('The client left.')));
    const answer = async () => {
      const body: Uint8Array[] = [];
      for await (const chunk of request) body.push(Buffer.from(chunk));
      const reply = await answerTo({
        url: `http://127.0.0.1${request.url ?? '/'}`,
        method: request.method === 'GET' ? 'GET' : 'POST',
        headers: Object.fromEntries(
          Object.entries(request.headers).flatMap(([name, value]) =>
            typeof value === 'string' ? [[name, value]] : [],
          ),
        ),
        ...{ body, signal: left.signal },
      });
      response.writeHead(
        reply.status,
        Object.fromEntries(
          Object.entries(reply.headers).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, value]],
          ),
        ),
      );
      response.end(reply.body);
    };
    // A double that breaks is a connection that breaks.
    answer().catch(() => response.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The double has no port.');
  return `http://127.0.0.1:${address.port}`;
}
