// One connection of a hostile client: sends bytes as they are, and returns what the server answers until the connection ends.

import { connect } from 'node:net';

/** A server that neither answers nor closes for so long has hung. */
const HANG_MS = 15_000;
/** Each address of the client has ports of its own: closed connections keep theirs for a minute. */
const ADDRESSES = 200;
let connections = 0;

export function rawExchange(port: number, sent: Uint8Array): Promise<string> {
  connections += 1;
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...{ host: '127.0.0.1', port },
      ...(process.platform === 'linux' && { localAddress: `127.0.0.${2 + (connections % ADDRESSES)}` }),
    });
    const received: Buffer[] = [];
    socket.setTimeout(HANG_MS, () => socket.destroy(new Error('The server neither answered nor closed.')));
    socket.on('data', chunk => received.push(chunk));
    let failure: NodeJS.ErrnoException | undefined;
    socket.on('error', error => {
      failure = error;
    });
    socket.on('close', () => {
      const text = Buffer.concat(received).toString('utf8');
      // A server that refuses a request does not read the rest, so its system resets the connection.
      if (failure === undefined || failure.code === 'ECONNRESET' || failure.code === 'EPIPE') resolve(text);
      else reject(failure);
    });
    socket.end(sent);
  });
}

/** The messages of the error replies in what a server sent. Replies to HEAD have no body. */
export function errorsIn(received: string, sent: Uint8Array): readonly string[] {
  const hasHead = Buffer.from(sent).includes('HEAD ');
  return received
    .split(/(?=HTTP\/1\.1 \d{3})/)
    .filter(reply => /^HTTP\/1\.1 [45]/.test(reply))
    .flatMap(reply => {
      const body = bodyIn(reply);
      return body === '' && hasHead ? [] : [messageIn(body) ?? reply.slice(0, reply.indexOf('\r\n'))];
    });
}

export const bodyIn = (reply: string): string => reply.slice(reply.indexOf('\r\n\r\n') + 4).trim();

function messageIn(body: string): string | undefined {
  if (!body.startsWith('{')) return body === '' ? undefined : body;
  try {
    const { error } = JSON.parse(body);
    return typeof error === 'string' ? error : body;
  } catch {
    return body;
  }
}
