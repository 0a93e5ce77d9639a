// Hands keys over to one program in a terminal, which receives them with receive.ts. Their values are not in the environment of the terminal:
// VS Code may write that to disk when it closes, to restore its terminals. The environment has an address that works once.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, sleepUnlessAborted } from '../../runtime/core/clock.ts';
import { type HandOverAddress, writeVariables } from './variable.ts';

/** Slow machines start a terminal within this time. */
const DEADLINE_MS = 120_000;
const TOKEN_BYTES = 32;

export interface HandOver {
  readonly address: HandOverAddress;
  /** Resolves when a program has the keys, or when the deadline has passed. */
  readonly over: Promise<void>;
}

/** `values`: environment variables. */
export async function handOver(
  values: Readonly<Record<string, string>>,
  { platform, clock }: { readonly platform: NodeJS.Platform; readonly clock: Clock },
): Promise<HandOver> {
  const token = randomBytes(TOKEN_BYTES);
  // Only the user can enter a folder of mkdtemp.
  const folder = platform === 'win32' ? undefined : await mkdtemp(join(tmpdir(), 'dartboard-'));
  const path =
    folder === undefined
      ? `\\\\.\\pipe\\dartboard-${randomBytes(TOKEN_BYTES).toString('hex')}`
      : join(folder, 'keys');
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  const end = async (): Promise<void> => {
    const isServed = new AbortController();
    await Promise.race([
      firstClient(server, token, writeVariables(values)),
      sleepUnlessAborted(clock, DEADLINE_MS, isServed.signal),
    ]);
    isServed.abort();
    server.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  return { address: { path, token: token.toString('hex') }, over: end() };
}

/** Sends `text` to the first client with the token, and resolves. */
const firstClient = (server: Server, token: Buffer, text: string): Promise<void> =>
  new Promise(resolve => {
    server.on('connection', socket => {
      socket.on('error', () => socket.destroy());
      readBytes(socket, 2 * token.length, hex => {
        const received = Buffer.from(hex, 'hex');
        if (received.length !== token.length || !timingSafeEqual(received, token)) return socket.destroy();
        server.removeAllListeners('connection');
        return socket.end(text, resolve);
      });
    });
  });

function readBytes(socket: Socket, length: number, receive: (text: string) => void): void {
  let text = '';
  socket.on('data', data => {
    text += data.toString('latin1');
    if (text.length < length) return;
    socket.removeAllListeners('data');
    receive(text);
  });
}
