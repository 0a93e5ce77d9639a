// The fabric of a run on several machines. The channels of the daemon stay embedded, and the broker carries only what joined hosts take, put
// or follow; names.ts lists these channels. While the broker is away no new episode starts, but the trainer and the pages go on.

import { randomBytes } from 'node:crypto';
import { Kvm } from '@nats-io/kv';
import type { BlobHash, Blobs } from '../../blobs/blobs.ts';
import { PutOnce } from '../../blobs/put-once.ts';
import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import { asError } from '../../core/errors.ts';
import type { RunId } from '../../core/ids.ts';
import type { Order } from '../../core/order.ts';
import { createChannels, type Fabric } from '../fabric.ts';
import { Broker } from './broker.ts';
import { ValueCodec } from './codec.ts';
import type { BrokerAccess } from './connection.ts';
import { DaemonChannels } from './daemon-channels.ts';
import { HostChannels } from './host-channels.ts';
import type { HostGuard } from './host-guard.ts';
import type { Member } from './member.ts';
import { BrokerNames, FOLLOWED_LOGS } from './names.ts';
import { sendableResults } from './sendable-results.ts';
import { createStreams, explainStreams, removeStreams, streamNames, streamsOf } from './streams.ts';

interface MemberOptions {
  readonly access: BrokerAccess;
  readonly run: RunId;
  /** From `newEpoch`, or from the daemon for a host. */
  readonly epoch: string;
  /** Unique in the run: the name of the host, or 'daemon'. */
  readonly member: string;
  readonly blobs: Blobs;
  readonly clock: Clock;
  /** Told when the broker disappears and when it is back, and what cannot be sent or read. */
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

export type NatsFabricOptions = MemberOptions &
  ({ readonly role: 'host' } | { readonly role: 'daemon'; readonly guard: HostGuard });

export interface NatsFabric extends Fabric {
  /** Connected to the broker. */
  readonly isUp: boolean;
  /** Aborted when it closes, or with an EpochOver when the daemon has ended or started anew. A host joins again then. */
  readonly ended: AbortSignal;
  /** Of a ping to the broker. Rejects while it is away. */
  roundTripMs(): Promise<number>;
  /** The blobs that the registers of the daemon refer to. They must not be collected. */
  referenced(): ReadonlySet<BlobHash>;
  /** The names of all streams that this side may list, of all runs. */
  streams(): Promise<readonly string[]>;
  /** For the daemon: the orders that a host has completed since the last call. Their results have arrived, if there are any. */
  completedOrders(): Promise<readonly Order[]>;
}

/** A joined host gets the addresses of the broker from the daemon. */
const REACH_BROKER =
  "Check that no firewall is between, and that 'fabric.servers' on the daemon's machine is an address that this machine reaches.";
/** For what must still reach the broker when this side closes. */
const LEAVING_MS = 10_000;
/** Equal pictures of episodes are put once. A message may wait for five minutes, and the daemon keeps blobs that nobody uses for ten. */
const KNOWN_MS = 60_000;

/**
 * Rejects while the broker is away at the start, and for a host whose epoch is over. `close` of the daemon removes the streams of its epoch; that
 * of a host sends what was put, and gives back what it holds. Both wait for an absent broker for ten seconds at most.
 */
export async function openNatsFabric(options: NatsFabricOptions): Promise<NatsFabric> {
  const { access, role, member: name, blobs, clock, health } = options;
  const names = new BrokerNames(options);
  const epochStream = names.stream(FOLLOWED_LOGS[0]);
  const broker = await Broker.open({
    ...{ access, name: `dartboard ${name}`, epochStream, clock, health },
    ...(role === 'host' && { remedy: REACH_BROKER }),
  });
  try {
    if (role === 'daemon') await createStreams(broker, names);
    else await broker.checkEpoch();
    broker.over.throwIfAborted();
    const nonce = randomBytes(6).toString('hex');
    let numbers = 0;
    const member: Member = {
      ...{ name, names, broker, clock },
      codec: new ValueCodec(role === 'host' ? new PutOnce(blobs, clock, KNOWN_MS) : blobs),
      bucket: await new Kvm(broker.js).open(names.registers, { allow_direct: true }),
      nextId: () => `${nonce}-${numbers++}`,
      beside: work => {
        work.catch(error => broker.end(asError(error)));
      },
    };
    member.beside(broker.watchEpoch());
    return options.role === 'daemon' ? daemonFabric(member, options.guard) : hostFabric(member, health);
  } catch (error) {
    await broker.close();
    throw explainStreams(error, access);
  }
}

function daemonFabric(member: Member, guard: HostGuard): NatsFabric {
  const { broker, names } = member;
  const factory = new DaemonChannels(member, guard);
  return natsFabric(createChannels(factory), member, {
    referenced: () => factory.referenced(),
    completedOrders: async () => (await factory.completed('orders', 'trajectories')) as readonly Order[],
    leave: async () => {
      try {
        await factory.close();
      } finally {
        await removeStreams(broker.jsm, streamsOf(names));
      }
    },
  });
}

function hostFabric(member: Member, health: MemberOptions['health']): NatsFabric {
  const factory = new HostChannels(member);
  member.broker.over.addEventListener('abort', () => factory.endFollowing(), { once: true });
  const channels = createChannels(factory);
  const trajectories = sendableResults(channels.trajectories, health);
  return natsFabric({ ...channels, trajectories }, member, {
    referenced: () => new Set(),
    completedOrders: async () => [],
    leave: async () => {
      await factory.sent();
      await factory.giveBack();
    },
  });
}

interface FabricEnd extends Pick<NatsFabric, 'referenced' | 'completedOrders'> {
  readonly leave: () => Promise<void>;
}

function natsFabric(
  channels: Omit<Fabric, 'close'>,
  { broker, clock }: Member,
  { leave, ...ofSide }: FabricEnd,
): NatsFabric {
  let closing: Promise<void> | undefined;
  const close = async () => {
    const done = new AbortController();
    // Leases that cannot be given back end by themselves, and the next start removes the streams.
    await Promise.race([leave(), sleepUnlessAborted(clock, LEAVING_MS, done.signal)]).catch(() => undefined);
    done.abort();
    await broker.close();
  };
  return {
    ...channels,
    get isUp() {
      return broker.isUp;
    },
    ended: broker.over,
    roundTripMs: () => broker.roundTripMs(),
    streams: () => streamNames(broker.jsm),
    ...ofSide,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
