// The entry of a child process with the benchmark's chat server. It reads each request completely, parses only its first fields, and
// answers after a given time: with a reply, or with a fault. It writes each arrival into a file before it acts, so that a server that is
// killed has reported what it did.

import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { seeded } from '../../core/rng.ts';
import { systemClock } from '../../core/system-clock.ts';
import { serveChild } from '../../rpc/child-server.ts';
import type { ServedAttempt } from './accounting.ts';
import { drawFault, type Fault, type FaultShares } from './faults.ts';
import { WeightControl, type WeightControlOptions } from './weight-control.ts';
import { type Grammar, MISREPORT_NAMES, replyJson, WORK_HEADER } from './wire.ts';

export interface ChatChildOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Distinguishes the replies of a server that was started again. */
  readonly generation: string;
  readonly version: string;
  readonly latencyMs: number;
  readonly faults: FaultShares;
  readonly seed: string;
  /** Gets one line of JSON for each request: what is known of an ServedAttempt. */
  readonly ledger?: string;
  /** Has the control routes of a server that loads weights. The path of its weights is their version in replies. */
  readonly weights?: Omit<WeightControlOptions, 'clock'>;
}

export type ChatCalls = { readonly open: { readonly takes: ChatChildOptions; readonly gives: number } };

await serveChild<ChatCalls, undefined>(async () => ({ about: undefined, handlers: { open } }));

async function open(options: ChatChildOptions): Promise<number> {
  const random = seeded(options.seed);
  let count = 0;
  const { weights } = options;
  const control = weights === undefined ? undefined : new WeightControl({ ...weights, clock: systemClock });
  const server = createServer((request, response) => {
    // A client that left is no failure.
    response.on('error', () => undefined);
    if (control !== undefined && !isChat(request)) {
      command(request, response, control).catch(() => response.destroy());
      return;
    }
    count += 1;
    const fault = drawFault(options.faults, random.next());
    answer(request, response, `${options.generation}-${count}`, fault, options, control).catch(() =>
      response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  fault: Fault | undefined,
  { latencyMs, ledger, version: fixed }: ChatChildOptions,
  control: WeightControl | undefined,
): Promise<void> {
  const start = await readStart(request);
  const readAt = performance.now();
  const { model, seed } = fieldsIn(start);
  const chat = await control?.begin(model, NEVER);
  if (control !== undefined && chat === undefined)
    return send(response, 404, `{"error":{"message":"The model '${model}' does not exist."}}`);
  const version = chat?.path ?? fixed;
  const attempt: Omit<ServedAttempt, 'mayBeCut'> = {
    id,
    seed,
    model,
    version,
    ...(fault !== undefined && { fault }),
  };
  if (ledger !== undefined) appendFileSync(ledger, `${JSON.stringify(attempt)}\n`);
  // The client gives up first.
  if (fault === 'timeout') return chat?.end();
  if (latencyMs > 0) await pause(latencyMs);
  const endVersion = chat === undefined ? version : (control?.pathOf(model) ?? 'unloaded');
  chat?.end();
  if (fault === 'reset') return void request.socket.resetAndDestroy();
  if (fault === 'server-error') return send(response, 500, '{"error":{"message":"CUDA out of memory"}}');
  if (fault === 'rate-limited') {
    response.setHeader('retry-after', '1');
    return send(response, 429, '{"error":{"message":"too many requests"}}');
  }
  const misreport = MISREPORT_NAMES.find(name => name === model);
  const wrong = fault === 'wrong-lengths' ? ('short-log-probabilities' as const) : misreport;
  const grammar: Grammar = model.startsWith('qwen') ? 'computer-use' : 'ui-tars';
  const reply = { id, model, version, endVersion, grammar, ...(wrong !== undefined && { misreport: wrong }) };
  const json = replyJson(reply);
  if (fault === 'truncated-json') return send(response, 200, json.slice(0, json.length / 2));
  if (fault === 'cut-off') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': json.length });
    response.write(json.slice(0, json.length / 2), () => request.socket.destroy());
    return;
  }
  response.setHeader(WORK_HEADER, (performance.now() - readAt).toFixed(3));
  send(response, 200, json);
}

const NEVER = new AbortController().signal;

const isChat = ({ url = '' }: IncomingMessage): boolean => url.endsWith('/chat/completions');

async function command(
  request: IncomingMessage,
  response: ServerResponse,
  control: WeightControl,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8');
  const { pathname } = new URL(request.url ?? '/', 'http://server');
  const reply = await control.handle(pathname, text === '' ? {} : JSON.parse(text));
  send(response, reply?.status ?? 404, JSON.stringify(reply?.body ?? {}));
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** Reads the whole body and keeps its start. With listeners, because the client's time to send includes how fast the body is read. */
function readStart(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let start: Buffer = Buffer.alloc(0);
    request.on('data', (chunk: Buffer) => {
      if (start.length < START_BYTES) start = Buffer.concat([start, chunk]);
    });
    request.on('end', () => resolve(start.toString('latin1', 0, START_BYTES)));
    request.on('error', reject);
  });
}

/** The fields before the messages fit. */
const START_BYTES = 2048;

function fieldsIn(start: string): { readonly model: string; readonly seed: number } {
  const model = /"model":"([^"]*)"/.exec(start)?.[1];
  const seed = /"seed":(\d+)/.exec(start)?.[1];
  if (model === undefined || seed === undefined)
    throw new RangeError(`The request has no model and seed before its messages: ${start.slice(0, 200)}`);
  return { model, seed: Number(seed) };
}
