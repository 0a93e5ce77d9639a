// One request for the next message of a consumer, which can be withdrawn without losing a message.

import { createInbox, errors, type Msg, type NatsConnection, nanos } from '@nats-io/transport-node';
import type { Clock } from '../../core/clock.ts';
import { withDeadline } from '../../core/deadline.ts';
import { CALL_TIMEOUT_MS } from './calls.ts';

export interface PullSource {
  readonly connection: NatsConnection;
  /** The subject of requests to the consumer. */
  readonly subject: string;
  readonly clock: Clock;
}

export interface PullWait {
  /** The server waits for a message for at most this time; 0 for not at all. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The next message, also when it arrives during the abort. Undefined when none came in time or before the abort. */
export async function pull(source: PullSource, { waitMs, signal }: PullWait): Promise<Msg | undefined> {
  const { connection, subject, clock } = source;
  let reply: Msg | undefined;
  let failure: Error | undefined;
  let settle: () => void = () => undefined;
  const settled = new Promise<void>(resolve => {
    settle = resolve;
  });
  const inbox = connection.subscribe(createInbox(), {
    callback: (error, message) => {
      if (error === null) reply = message;
      else failure = error;
      settle();
    },
  });
  const options = waitMs > 0 ? { expires: nanos(waitMs) } : { no_wait: true };
  connection.publish(subject, JSON.stringify({ batch: 1, ...options }), { reply: inbox.getSubject() });
  try {
    await withDeadline(Promise.race([settled, inbox.closed]), {
      ...{ what: `A request to '${subject}'`, ms: waitMs + CALL_TIMEOUT_MS, clock },
      ...(signal !== undefined && { signal }),
    });
    inbox.unsubscribe();
  } catch {
    // The server may have sent a message meanwhile. It arrives before the end of a drain.
    if (!inbox.isClosed()) await Promise.race([inbox.drain(), clock.sleep(CALL_TIMEOUT_MS)]);
  }
  if (failure !== undefined) throw failure;
  if (reply !== undefined) return workOf(reply, subject);
  if (signal?.aborted) return undefined;
  throw connection.isClosed() ? new errors.ClosedConnectionError() : new errors.TimeoutError();
}

/** A message of the server itself has a status: the reason why there is no work. */
function workOf(message: Msg, subject: string): Msg | undefined {
  if (message.reply?.startsWith('$JS.ACK.')) return message;
  const { code, description } = message.headers ?? {};
  if (code === 404 || code === 408) return undefined;
  if (code === 503) throw new errors.NoRespondersError(subject);
  throw new errors.RequestError(`${code} ${description}`);
}
