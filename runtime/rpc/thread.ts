// Both sides of a worker thread.

import { parentPort, Worker } from 'node:worker_threads';
import { sentenceOf } from '../core/errors.ts';
import { systemClock } from '../core/system-clock.ts';
import { type CallTable, HEARTBEAT, HEARTBEAT_INTERVAL_MS } from './messages.ts';
import { OPEN, OwnedClient, type OwnedClientOptions, type Peer } from './owned-client.ts';
import type { Port } from './port.ts';
import { type Handlers, serve } from './server.ts';

export interface ThreadOptions extends OwnedClientOptions {
  /** For messages, such as 'index thread'. */
  readonly name: string;
  /** The bundled entry, which calls `serveThread`. */
  readonly entry: URL;
  readonly workerData?: unknown;
  /** Whether the thread keeps the program alive. */
  readonly isEssential: boolean;
}

export async function openThread<T extends CallTable, About>({
  name,
  entry,
  workerData,
  isEssential,
  ...options
}: ThreadOptions): Promise<{
  readonly client: OwnedClient<T>;
  readonly about: About;
  readonly ended: Promise<string>;
}> {
  const worker = new Worker(entry, { workerData });
  if (!isEssential) worker.unref();
  const label = `The ${name}`;
  let killedFor: string | undefined;
  let failure = 'its thread ended';
  const ended = new Promise<string>(resolve => {
    worker.on('error', error => {
      failure = error.message;
    });
    worker.once('exit', () => resolve(killedFor ?? `${label} ended: ${sentenceOf(failure)}`));
  });
  const peer: Peer = {
    name: label,
    port: {
      send: (message, refused) => trySend(() => worker.postMessage(message), refused),
      receive: handler => void worker.on('message', handler),
      closed: handler => void ended.then(handler),
    },
    ended,
    disconnect: () => {
      // The thread closes its port by itself. To terminate it while it compresses ends the whole program on Node 20.
      worker.ref();
      trySend(() => worker.postMessage(END), undefined);
    },
    kill: reason => {
      killedFor ??= reason;
      void worker.terminate();
    },
  };
  return { ...(await OwnedClient.open<T, About>(peer, options)), ended };
}

let lastHeartbeatAt = 0;

/** A thread calls it during a long computation that does not return to its event loop. It may be called often. */
export function sendHeartbeat(): void {
  const now = systemClock.now();
  if (now - lastHeartbeatAt < HEARTBEAT_INTERVAL_MS) return;
  lastHeartbeatAt = now;
  parentPort?.postMessage({ method: HEARTBEAT, params: undefined });
}

const END = { method: '$end', params: undefined } as const;

/** Answers one call after another. */
export function serveThread<T extends CallTable, About>(about: About, handlers: Handlers<T>): void {
  if (parentPort === null) throw new RangeError('This program must run as a worker thread.');
  const thread = parentPort;
  const port: Port = {
    send: (message, refused) => trySend(() => thread.postMessage(message), refused),
    receive: handler => void thread.on('message', handler),
    closed: handler => void thread.once('close', () => handler()),
  };
  const lifecycle = { [OPEN]: async () => about, [END.method]: async () => thread.close() };
  serve(port, { ...handlers, ...lifecycle }, { isSequential: true, heartbeats: systemClock });
}

function trySend(send: () => void, refused: ((error: unknown) => void) | undefined): void {
  try {
    send();
  } catch (error) {
    if (refused === undefined) throw error;
    refused(error);
  }
}
