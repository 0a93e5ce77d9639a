// An HTTP engine at a local socket with the answers of a test. It records requests and aborted requests.

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** By method and path, without version and query. */
export type Answers = Readonly<Record<string, Answer>>;
/** Returns the answer; undefined leaves the request open. */
type Answer = (body: unknown, response: ServerResponse) => unknown;

export interface AnsweringEngine {
  readonly path: string;
  readonly received: readonly string[];
  /** Requests that the client aborted before the answer. */
  readonly left: readonly string[];
}

export async function answering(answers: Answers): Promise<AnsweringEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'dartboard-engine-'));
  const path = join(folder, 'docker.sock');
  const [received, left]: [string[], string[]] = [[], []];
  const server = createServer(async (request, response) => {
    const name = `${request.method} ${(request.url ?? '').replace(/^\/v[\d.]+(?=\/)|\?.*$/g, '')}`;
    const body = await bodyOf(request);
    received.push(name);
    response.once('close', () => {
      if (!response.writableFinished) left.push(name);
    });
    const found = answers[name];
    const answer = found === undefined ? {} : found(body, response);
    if (answer === undefined) return;
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>(resolve => server.listen(path, resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });
  return { path, received, left };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const text = Buffer.concat(pieces).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}
