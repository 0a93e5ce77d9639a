// A model server on 127.0.0.1: the double of vLLM behind real HTTP. It requires a key.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { ModelServer } from '../../doubles/openai/model-server.ts';
import { VLLM } from '../../doubles/openai/traits.ts';
import { elementReader } from './element-reader.ts';

export const MODEL = 'element-reader-1b';

export interface ModelEndpoint {
  readonly url: string;
  /** From now on. */
  requireKey(key: string): void;
  close(): void;
}

export async function startModelEndpoint(key: string): Promise<ModelEndpoint> {
  const traits = { ...VLLM, names: [MODEL], root: `lab/${MODEL}`, prefillMs: 20, tokenMs: 1 };
  const withKey = (required: string): ModelServer =>
    new ModelServer({ traits: { ...traits, key: required }, clock: systemClock, model: elementReader });
  let double = withKey(key);
  const server = createServer(async (request, response) => {
    const connection = new AbortController();
    response.on('close', () => connection.abort());
    const { method, url = '/', headers } = request;
    const reply = await double.send({
      ...{ url: `http://localhost${url}`, method: method === 'POST' ? 'POST' : 'GET' },
      headers: { authorization: headers.authorization ?? '' },
      body: [await bodyOf(request)],
      signal: connection.signal,
    });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requireKey(required) {
      double = withKey(required);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}
