// The answering side of a connection.

import { type Clock, sleepUnlessAborted } from '../core/clock.ts';
import { asError } from '../core/errors.ts';
import {
  type CallTable,
  HEARTBEAT,
  HEARTBEAT_INTERVAL_MS,
  PROGRESS,
  type ToClient,
  type ToServer,
} from './messages.ts';
import type { Port } from './port.ts';

export interface CallContext {
  progress(value: unknown): void;
}

/** A handler also serves notifications of its name; then its result and its error are dropped. */
export type Handlers<T extends CallTable> = {
  readonly [M in keyof T]: (params: T[M]['takes'], context: CallContext) => Promise<T[M]['gives']>;
};

/** Handlers of any table. */
type AnyHandlers = Readonly<Record<string, (params: never, context: CallContext) => Promise<unknown>>>;

export interface ServeOptions {
  /** Handlers run one after another, in the order of the calls. By default each starts as soon as its call arrives. */
  readonly isSequential?: boolean;
  /** Sends a heartbeat every HEARTBEAT_INTERVAL_MS of this clock, so that the client knows that this event loop runs. */
  readonly heartbeats?: Clock;
}

export interface Server {
  notify(method: string, params: unknown): void;
}

export function serve(port: Port, handlers: AnyHandlers, options: ServeOptions = {}): Server {
  let previous: Promise<void> = Promise.resolve();
  const notify = (method: string, params: unknown) => port.send({ method, params });

  const answer = async (id: number | undefined, method: string, params: unknown): Promise<void> => {
    const reply = (message: ToClient, refused?: (error: unknown) => void) => {
      if (id !== undefined) port.send(message, refused);
    };
    const fail = (error: unknown) => {
      const { name, message } = asError(error);
      if (id !== undefined) reply({ id, error: { name, message } });
    };
    try {
      const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
      if (handler === undefined) throw new RangeError(`The peer has no call '${method}'.`);
      const progress = (value: unknown) => notify(PROGRESS, { id, value });
      const result = await handler(params as never, { progress });
      if (id !== undefined) reply({ id, result }, fail);
    } catch (error) {
      fail(error);
    }
  };

  port.receive(message => {
    const request = message as ToServer;
    const { method, params } = request;
    const id = 'id' in request ? request.id : undefined;
    if (options.isSequential === true) previous = previous.then(() => answer(id, method, params));
    else void answer(id, method, params);
  });
  const closed = new AbortController();
  if (options.heartbeats !== undefined)
    void sendHeartbeats(options.heartbeats, closed.signal, () => notify(HEARTBEAT, undefined));
  port.closed(() => closed.abort());
  return { notify };
}

async function sendHeartbeats(clock: Clock, signal: AbortSignal, send: () => void): Promise<void> {
  for (;;) {
    await sleepUnlessAborted(clock, HEARTBEAT_INTERVAL_MS, signal);
    if (signal.aborted) return;
    send();
  }
}
