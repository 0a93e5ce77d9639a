// A member of a run, as its channels see it: the daemon, or a joined host.

import type { KV } from '@nats-io/kv';
import type { Clock } from '../../core/clock.ts';
import type { LeaseQueue } from '../../lease/lease.ts';
import { NatsLeaseQueue } from '../../lease/nats.ts';
import { LeasedQueue } from '../leased-queue.ts';
import type { Broker } from './broker.ts';
import type { ValueCodec } from './codec.ts';
import { CodedLeases } from './coded-leases.ts';
import type { BrokerNames } from './names.ts';
import { LEASE_TTL_MS } from './streams.ts';

export interface Member {
  /** Unique in the run. */
  readonly name: string;
  readonly names: BrokerNames;
  readonly broker: Broker;
  readonly codec: ValueCodec;
  /** Of the registers. */
  readonly bucket: KV;
  readonly clock: Clock;
  /** Different at each call, in all processes. */
  readonly nextId: () => string;
  /** Work beside the calls of channels. Its failure ends the connection. */
  readonly beside: (work: Promise<void>) => void;
}

/** The work of a channel from which any host takes. */
export const leasesOf = <T>(channel: string, { names, broker, codec, clock }: Member): LeaseQueue<T> =>
  new CodedLeases({
    ...{ name: channel, broker, codec },
    leases: new NatsLeaseQueue({
      ...{ connection: broker.connection, name: names.stream(channel), ttlMs: LEASE_TTL_MS, clock },
      report: error => broker.report(`the channel '${channel}'`, error),
    }),
  });

export const leasedQueue = <T>(
  channel: string,
  leases: LeaseQueue<T>,
  { clock, nextId }: Member,
): LeasedQueue<T> => new LeasedQueue({ name: channel, leases, nextId, clock });
