// A server in front of a model endpoint. It passes requests on, until it holds the replies to some of them back.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HeldEndpoint {
  readonly url: string;
  /** From now on, no request with this text gets a reply. */
  hold(text: string): void;
  close(): void;
}

/** `target` is the URL of the endpoint, without a path after it. */
export async function holdableEndpoint(target: string): Promise<HeldEndpoint> {
  const { origin, pathname } = new URL(target);
  let heldText: string | undefined;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { method = 'GET', url = '/', headers } = request;
    const body = Buffer.concat(parts);
    if (heldText !== undefined && body.includes(heldText)) return;
    const reply = await fetch(`${origin}${url}`, {
      ...{ method, headers: { authorization: headers.authorization ?? '' } },
      ...(method === 'POST' && { body }),
    });
    response
      .writeHead(reply.status, { 'content-type': 'application/json' })
      .end(Buffer.from(await reply.arrayBuffer()));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${pathname}`,
    hold(text) {
      heldText = text;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
