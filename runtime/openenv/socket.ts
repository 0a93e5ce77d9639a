// One WebSocket of a client: its session, the order of its messages, heartbeats, and the limits that keep a bad client from harming others.

import type { RawData, WebSocket } from 'ws';
import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { answerMessage } from './answer.ts';
import { answerMcpText } from './mcp.ts';
import type { OpenEnvSession } from './session.ts';
import type { OpenEnvSessions } from './sessions.ts';
import { errorReply, ServedError } from './wire.ts';

export interface SocketOptions {
  readonly sessions: OpenEnvSessions;
  /** A session without messages for this long is ended. */
  readonly idleMs: number;
  readonly clock: Clock;
}

export const PING_INTERVAL_MS = 20_000;
/** The event loop of a Python client may be blocked while its model works. */
export const MAX_SILENT_PINGS = 6;
/** A client that waits for each reply has one. */
export const MAX_WAITING_MESSAGES = 32;
/** A connection without a session ends if it sends nothing. */
const REFUSED_TIMEOUT_MS = 10_000;

/** Close codes of RFC 6455. */
const NORMAL = 1000;
const POLICY = 1008;
const TRY_LATER = 1013;

/** Resolves when the connection is closed and its desktop is back. Never rejects. */
export async function serveSocket(socket: WebSocket, options: SocketOptions): Promise<void> {
  const closed = new AbortController();
  socket.once('close', () => closed.abort());
  // 'close' follows.
  socket.on('error', () => socket.terminate());
  void keepAlive(socket, options.clock, closed.signal);
  let session: OpenEnvSession;
  try {
    session = options.sessions.open();
  } catch (error) {
    return refuse(socket, error, options.clock, closed.signal);
  }
  const messages = inOrder(socket, text => answer(socket, session, text));
  void endWhenIdle(socket, messages, options, closed.signal);
  await new Promise<void>(resolve =>
    closed.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  await options.sessions.close(session);
}

/** A socket for JSON-RPC alone. It needs no session. */
export function serveMcp(socket: WebSocket, clock: Clock): void {
  const closed = new AbortController();
  socket.once('close', () => closed.abort());
  socket.on('error', () => socket.terminate());
  void keepAlive(socket, clock, closed.signal);
  inOrder(socket, text => sent(socket, answerMcpText(text)));
}

/** The client reads a reply only after it has sent a message, so the refusal waits for the first one. */
async function refuse(socket: WebSocket, error: unknown, clock: Clock, closed: AbortSignal): Promise<void> {
  const reply = errorReply(
    error instanceof ServedError ? error : new ServedError('SESSION_ERROR', String(error)),
  );
  socket.once('message', () => socket.send(JSON.stringify(reply), () => socket.close(TRY_LATER)));
  await sleepUnlessAborted(clock, REFUSED_TIMEOUT_MS, closed);
  if (!closed.aborted) socket.terminate();
}

interface MessageQueue {
  /** Whether a message is in work or waits. */
  readonly isBusy: boolean;
  /** Counts messages. */
  readonly received: number;
}

/** Answers one message after another. Each reply is sent before the next message is read, so a slow reader holds one reply in memory. */
function inOrder(socket: WebSocket, handle: (text: string) => Promise<void>): MessageQueue {
  const waiting: string[] = [];
  let [isBusy, received] = [false, 0];
  const work = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    for (let text = waiting.shift(); text !== undefined; text = waiting.shift())
      if (socket.readyState === socket.OPEN) await handle(text);
    isBusy = false;
  };
  socket.on('message', (data: RawData) => {
    received += 1;
    if (waiting.length >= MAX_WAITING_MESSAGES) {
      waiting.length = 0;
      socket.close(POLICY, `more than ${MAX_WAITING_MESSAGES} messages wait; read each reply first`);
      return;
    }
    waiting.push(textOf(data));
    void work();
  });
  return {
    get isBusy() {
      return isBusy;
    },
    get received() {
      return received;
    },
  };
}

async function answer(socket: WebSocket, session: OpenEnvSession, text: string): Promise<void> {
  const reply = await answerMessage(session, text);
  if (reply === undefined) {
    socket.close(NORMAL);
    return;
  }
  await sent(socket, reply);
}

async function sent(socket: WebSocket, reply: object): Promise<void> {
  if (socket.readyState !== socket.OPEN) return;
  // A failed write closes the socket.
  await new Promise<void>(resolve => socket.send(JSON.stringify(reply), () => resolve()));
}

async function endWhenIdle(
  socket: WebSocket,
  messages: MessageQueue,
  { idleMs, clock }: SocketOptions,
  closed: AbortSignal,
): Promise<void> {
  for (let last = -1; !closed.aborted; ) {
    if (!messages.isBusy && messages.received === last) {
      socket.close(NORMAL, 'the session was idle for too long; connect again');
      return;
    }
    // A message in work counts as received at this moment: the client has the whole time after its reply.
    last = messages.isBusy ? -1 : messages.received;
    await sleepUnlessAborted(clock, idleMs, closed);
  }
}

async function keepAlive(socket: WebSocket, clock: Clock, closed: AbortSignal): Promise<void> {
  let silent = 0;
  const hear = (): void => {
    silent = 0;
  };
  socket.on('pong', hear);
  socket.on('message', hear);
  while (!closed.aborted) {
    await sleepUnlessAborted(clock, PING_INTERVAL_MS, closed);
    if (silent >= MAX_SILENT_PINGS) return socket.terminate();
    silent += 1;
    if (socket.readyState === socket.OPEN) socket.ping();
  }
}

const textOf = (data: RawData): string =>
  Array.isArray(data)
    ? Buffer.concat(data).toString('utf8')
    : Buffer.isBuffer(data)
      ? data.toString('utf8')
      : Buffer.from(data).toString('utf8');
