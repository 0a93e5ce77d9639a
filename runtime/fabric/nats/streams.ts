// The streams and the bucket of a run's epoch in the broker, with their limits. Creating them again changes nothing.

import {
  AckPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { errors, nanos } from '@nats-io/transport-node';
import { createLeaseQueue, leaseNames } from '../../lease/nats/streams.ts';
import { type Broker, isMissingStream } from './broker.ts';
import { type BrokerAccess, CALL_TIMEOUT_MS, connectTo } from './connection.ts';
import {
  BrokerNames,
  type EpochOfRun,
  FOLLOWED_LOGS,
  INTAKE_QUEUES,
  LEASED_QUEUES,
  streamsOfOtherEpochs,
} from './names.ts';

/** The durable consumer of each stream towards the daemon. */
export const INTAKE_CONSUMER = 'daemon';
/** Work whose holder sent no heartbeat for so long returns to its queue. */
export const LEASE_TTL_MS = 30_000;

const MAX_STORED_MESSAGE_BYTES = 64 * 1024;
/** A put whose reply was lost is repeated within it. */
const DUPLICATE_WINDOW_MS = 10 * 60_000;
/** An unacknowledged message is delivered to the daemon again. */
const ACK_WAIT_MS = 60_000;

const COMMON = {
  storage: StorageType.File,
  // A full stream refuses what is new, and the sender tries again: nothing is lost.
  discard: DiscardPolicy.New,
  max_msg_size: MAX_STORED_MESSAGE_BYTES,
} satisfies Partial<StreamConfig>;

export async function createStreams(broker: Broker, names: BrokerNames): Promise<void> {
  const { jsm, js, connection } = broker;
  for (const queue of INTAKE_QUEUES) {
    await jsm.streams.add({
      ...COMMON,
      ...{ name: names.stream(queue), subjects: [names.put(queue, '*')] },
      ...{ retention: RetentionPolicy.Workqueue, max_msgs: 20_000, max_bytes: 64e6, max_consumers: 1 },
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    });
    await jsm.consumers.add(names.stream(queue), {
      durable_name: INTAKE_CONSUMER,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
    });
  }
  for (const log of FOLLOWED_LOGS)
    await jsm.streams.add({
      ...COMMON,
      ...{ name: names.stream(log), subjects: [names.streamed(log)], retention: RetentionPolicy.Limits },
      ...{ max_msgs: 100_000, max_bytes: 16e6, allow_direct: true, deny_delete: true, deny_purge: true },
    });
  await new Kvm(js).create(names.registers, {
    ...{ history: 1, storage: StorageType.File, max_bytes: 4e6, maxValueSize: MAX_STORED_MESSAGE_BYTES },
  });
  for (const queue of LEASED_QUEUES)
    await createLeaseQueue(connection, { name: names.stream(queue), ttlMs: LEASE_TTL_MS });
}

/** Of the server and of the account: no room for another stream. */
const NO_ROOM: ReadonlySet<number> = new Set([10047, 10002]);

/** The broker's own text names neither the broker nor a remedy. */
export function explainStreams(error: unknown, { servers }: BrokerAccess): unknown {
  const where = `The broker at ${servers.join(', ')}`;
  const why = (text: string) => new Error(`${where} ${text}`, { cause: error });
  // The class is not exported.
  if (error instanceof Error && error.name === 'JetStreamNotEnabled')
    return why(
      "has no JetStream, which a run on several machines needs. Start it with 'dartboard up' or with the option '-js' of nats-server, or name another one in 'fabric.servers'.",
    );
  if (error instanceof JetStreamApiError && NO_ROOM.has(error.code))
    return why(
      `has no room for the streams of the run: ${error.message}. A run reserves 620 MB of its disk. Delete streams of ended runs from the broker, or raise 'max_file_store' of its JetStream.`,
    );
  if (error instanceof errors.TimeoutError)
    return why(
      `does not answer the request for its streams within ${CALL_TIMEOUT_MS / 1000} s. Check its log and its disk, then start it again.`,
    );
  return error;
}

/** All streams that `createStreams` creates. */
export const streamsOf = (names: BrokerNames): readonly string[] => [
  ...[...INTAKE_QUEUES, ...FOLLOWED_LOGS].map(channel => names.stream(channel)),
  names.registersStream,
  ...LEASED_QUEUES.flatMap(queue => {
    const { stream, bucket } = leaseNames(names.stream(queue));
    return [stream, `KV_${bucket}`];
  }),
];

/** Of all runs and programs that use the broker. */
export async function streamNames(jsm: JetStreamManager): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const name of jsm.streams.names()) names.push(name);
  return names;
}

export async function removeStreams(jsm: JetStreamManager, streams: readonly string[]): Promise<void> {
  for (const stream of streams)
    try {
      await jsm.streams.delete(stream);
    } catch (error) {
      if (!isMissingStream(error)) throw error;
    }
}

/**
 * Removes what `abandoned` epochs left in the broker; their hosts join again. Resolves with the streams of other epochs of the run: a copy of
 * the workspace, whose daemon may be running, made them.
 */
export async function removeOlderEpochs(
  access: BrokerAccess,
  epoch: EpochOfRun,
  abandoned: readonly EpochOfRun[],
): Promise<readonly string[]> {
  const connection = await connectTo(access, 'dartboard');
  try {
    const jsm = await jetstreamManager(connection);
    const streams = await streamNames(jsm);
    const unused = new Set(abandoned.flatMap(each => streamsOf(new BrokerNames(each))));
    await removeStreams(
      jsm,
      streams.filter(stream => unused.has(stream)),
    );
    return streamsOfOtherEpochs(streams, epoch).filter(stream => !unused.has(stream));
  } catch (error) {
    throw explainStreams(error, access);
  } finally {
    await connection.close();
  }
}
