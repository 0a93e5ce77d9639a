// A proxy between a guest and its server that can lose the reply of a request that has arrived.

import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LosingProxy {
  readonly url: string;
  /** The next reply to this path is lost. */
  lose(path: string): void;
  close(): Promise<void>;
}

export async function losingProxy(target: string): Promise<LosingProxy> {
  let lost: string | undefined;
  const server = createServer((given, response) => {
    const { method, headers, url = '/' } = given;
    const isLost = url === lost;
    if (isLost) lost = undefined;
    const sent = forward(`${target}${url}`, { method, headers }, reply => {
      if (isLost) {
        reply.resume();
        reply.once('end', () => response.destroy());
        return;
      }
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(response);
    });
    sent.once('error', () => response.destroy());
    given.pipe(sent);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose: path => {
      lost = path;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}
