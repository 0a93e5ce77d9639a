// A server of OSWorld's guest API whose answers a test decides, and which records the requests.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface GuestRequest {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

/** `drop` closes the connection after the request has arrived. */
export type GuestAnswer = { readonly status?: number; readonly body: string | Uint8Array | object } | 'drop';

export interface FakeGuest {
  readonly url: string;
  readonly requests: GuestRequest[];
  /** Replaces the answers of a path. */
  answer(path: string, given: readonly GuestAnswer[]): void;
  close(): Promise<void>;
}

/** The answers of a path are given in turn; the last one is repeated. */
export async function fakeGuest(
  answers: Readonly<Record<string, readonly GuestAnswer[]>>,
  port = 0,
): Promise<FakeGuest> {
  const requests: GuestRequest[] = [];
  const counts = new Map<string, number>();
  const present = new Map(Object.entries(answers));
  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    const path = request.url ?? '';
    const type = request.headers['content-type'] ?? '';
    requests.push({ method: request.method ?? '', path, type, body });
    const given = present.get(path) ?? [];
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    reply(response, given[Math.min(count, given.length - 1)] ?? { status: 404, body: '{}' });
  });
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  const answer = (path: string, given: readonly GuestAnswer[]) => {
    present.set(path, given);
    counts.delete(path);
  };
  return { url: urlOf(server), requests, answer, close: () => closed(server) };
}

function reply(response: ServerResponse, answer: GuestAnswer): void {
  if (answer === 'drop') return void response.destroy();
  const { status = 200, body } = answer;
  response.writeHead(status);
  response.end(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('latin1');
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise(resolve => server.close(() => resolve()));
}
