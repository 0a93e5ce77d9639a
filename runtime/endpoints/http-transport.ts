// HTTP requests to servers of models, and between hosts. It is on node:http rather than fetch, because the body of a chat is a list of parts: images must
// not be copied into one string, and the length of the body must be known.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface HttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly (string | Uint8Array)[];
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

interface HttpReplyHead {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface HttpReply extends HttpReplyHead {
  readonly body: string;
}

export interface HttpBytesReply extends HttpReplyHead {
  readonly body: Uint8Array;
}

/**
 * Resolves with a complete reply of any status. Rejects with the reason of the signal if it is aborted, and otherwise with the error of the
 * connection: refused, reset, or closed before the end of the reply.
 */
export interface HttpTransport {
  send(request: HttpRequest): Promise<HttpReply>;
  /** Ends idle connections. */
  close(): void;
}

/** The same for replies that are not text. */
export interface HttpBytesTransport {
  sendForBytes(request: HttpRequest): Promise<HttpBytesReply>;
  close(): void;
}

export interface HttpTransportOptions {
  /** PEM. Trusted instead of the authorities of the system. */
  readonly ca?: string;
}

/** A reply of the most tokens with 20 candidates each has a few megabytes. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

export function httpTransport(options: HttpTransportOptions = {}): HttpTransport & HttpBytesTransport {
  // A server may end an idle connection at any time; a request on it fails and is sent again.
  const agents = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true, ...options }),
  };
  return {
    send: async request => {
      const reply = await send(request, agents);
      return { ...reply, body: reply.body.toString('utf8') };
    },
    sendForBytes: request => send(request, agents),
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function send(
  { url, method, headers, body, signal }: HttpRequest,
  agents: { readonly http: HttpAgent; readonly https: HttpsAgent },
): Promise<HttpReplyHead & { readonly body: Buffer }> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const chunks = body.map(part => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part));
    const length = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const options = { method, headers: { ...headers, ...(body.length > 0 && { 'content-length': length }) } };
    const isSecure = new URL(url).protocol === 'https:';
    const outgoing = isSecure
      ? httpsRequest(url, { ...options, agent: agents.https })
      : httpRequest(url, { ...options, agent: agents.http });
    const abort = () => outgoing.destroy(new Error('The request was abandoned.'));
    signal.addEventListener('abort', abort, { once: true });
    const settle = <T>(finish: (value: T) => void) => {
      return (value: T) => {
        signal.removeEventListener('abort', abort);
        finish(value);
      };
    };
    const fail = settle<Error>(error => reject(signal.aborted ? signal.reason : error));
    outgoing.on('error', fail);
    outgoing.on('response', reply => {
      readBody(reply).then(
        settle(bytes => resolve({ status: reply.statusCode ?? 0, headers: headersOf(reply), body: bytes })),
        fail,
      );
    });
    for (const chunk of chunks) outgoing.write(chunk);
    outgoing.end();
  });
}

async function readBody(reply: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reply) {
    const part: Buffer = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > MAX_REPLY_BYTES) {
      reply.destroy();
      throw new RangeError(`The reply has more than ${MAX_REPLY_BYTES} bytes.`);
    }
    chunks.push(part);
  }
  if (!reply.complete) throw new Error('The connection ended before the end of the reply.');
  return Buffer.concat(chunks);
}

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
