// The streams of a queue of leases in JetStream. The daemon creates them; every client finds them by name.

import {
  AckPolicy,
  DiscardPolicy,
  type JetStreamManager,
  jetstream,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { MEMORY_MS } from '../lease.ts';

/** A message has at most 64 KB; the rest is for its headers. */
const MAX_MESSAGE_BYTES = 64 * 1024 + 4096;
/** A full queue makes `put` wait. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Records of about 400 pieces per second. */
const MAX_RECORD_BYTES = 6 * MAX_BYTES;
/** Claims that wait at a time, over all hosts. */
const MAX_CLAIMS = 4096;

export interface LeaseNames {
  /** Contains the work: one message per piece. */
  readonly stream: string;
  /** Sends each piece to one client, and again when `ttlMs` have passed. */
  readonly consumer: string;
  /** Contains a record per piece, which decides whose lease is valid. */
  readonly bucket: string;
}

export const leaseNames = (name: string): LeaseNames => ({
  stream: name,
  consumer: 'leases',
  bucket: `${name}-leases`,
});

export interface LeaseStreamOptions {
  /** Letters, digits, '_' and '-'. */
  readonly name: string;
  readonly ttlMs: number;
}

/** Idempotent. */
export async function createLeaseQueue(
  connection: NatsConnection,
  { name, ttlMs }: LeaseStreamOptions,
): Promise<void> {
  const { stream, consumer, bucket } = leaseNames(name);
  const js = jetstream(connection);
  const manager = await js.jetstreamManager();
  await manager.streams.add({
    name: stream,
    subjects: [`${stream}.*`],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    // The oldest work is never dropped for the newest.
    discard: DiscardPolicy.New,
    max_bytes: MAX_BYTES,
    max_msg_size: MAX_MESSAGE_BYTES,
  });
  await new Kvm(js).create(bucket, { ttl: MEMORY_MS, max_bytes: MAX_RECORD_BYTES });
  await manager.consumers.add(stream, {
    durable_name: consumer,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ttlMs),
    // A limit of leases would stall all hosts at once.
    max_ack_pending: -1,
    max_waiting: MAX_CLAIMS,
  });
}

const PLAIN_ID = /^[\w-]+$/;
const ENCODED = '=';

/** An id as one token of a subject. No plain id begins with '='. */
export const tokenOfId = (id: string): string =>
  PLAIN_ID.test(id) ? id : `${ENCODED}${Buffer.from(id).toString('base64url')}`;

export const idOfToken = (token: string): string =>
  token.startsWith(ENCODED) ? Buffer.from(token.slice(1), 'base64url').toString() : token;

/** The ids of all work that is not completed. */
export async function openWork(jsm: JetStreamManager, name: string): Promise<ReadonlySet<string>> {
  const { stream } = leaseNames(name);
  const { state } = await jsm.streams.info(stream, { subjects_filter: `${stream}.*` });
  return new Set(
    Object.keys(state.subjects ?? {}).map(subject => idOfToken(subject.slice(stream.length + 1))),
  );
}
