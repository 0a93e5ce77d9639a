// Clients of a queue on a real server, for tests.

import { connect, type NatsConnection } from '@nats-io/transport-node';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { NatsLeaseQueue } from '../../runtime/lease/nats.ts';

export interface NatsClient {
  readonly connection: NatsConnection;
  readonly queue: NatsLeaseQueue;
}

/** Reconnects until it is closed. */
export async function natsClient(
  url: string,
  options: { readonly name: string; readonly ttlMs: number },
): Promise<NatsClient> {
  const connection = await connect({
    servers: url,
    ...{ maxReconnectAttempts: -1, reconnectTimeWait: 50, reconnectJitter: 0 },
  });
  return { connection, queue: new NatsLeaseQueue({ connection, clock: systemClock, ...options }) };
}
