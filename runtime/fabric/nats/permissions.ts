// The least privileges of a joined host in the broker. It can neither create nor read consumers: one with a chosen address for its deliveries
// would write to subjects of others. The server does not check the subject that a host chooses for a reply. So each host should have an account
// of its own, where no such subject belongs to anybody else (runtime/hosts/host-accounts.ts).

import { leaseNames } from '../../lease/nats/streams.ts';
import {
  BrokerNames,
  type EpochOfRun,
  FOLLOWED_LOGS,
  FOLLOWED_REGISTERS,
  HEARD_TOPICS,
  INTAKE_QUEUES,
  LEASED_QUEUES,
} from './names.ts';

export interface BrokerPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

const API = '$JS.API';

/** Beside its inboxes. `host` is its name in the run; without it, it may report as any host. */
export function hostPermissions(epoch: EpochOfRun, host = '*'): BrokerPermissions {
  const names = new BrokerNames(epoch);
  const leases = LEASED_QUEUES.flatMap(queue => {
    const { stream, consumer, bucket } = leaseNames(names.stream(queue));
    return [
      `${API}.CONSUMER.INFO.${stream}.${consumer}`,
      `${API}.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
      `$JS.ACK.${stream}.${consumer}.>`,
      `${API}.DIRECT.GET.KV_${bucket}.>`,
      `$KV.${bucket}.>`,
    ];
  });
  return {
    publish: [
      ...INTAKE_QUEUES.flatMap(queue => [names.put(queue, host), names.depth(queue, host)]),
      ...HEARD_TOPICS.map(topic => names.topic(topic, host)),
      ...leases,
      ...FOLLOWED_REGISTERS.map(
        register => `${API}.DIRECT.GET.${names.registersStream}.${names.register(register)}`,
      ),
      ...FOLLOWED_LOGS.flatMap(log => [
        `${API}.DIRECT.GET.${names.stream(log)}`,
        `${API}.STREAM.INFO.${names.stream(log)}`,
      ]),
    ],
    subscribe: [
      ...FOLLOWED_REGISTERS.map(register => names.register(register)),
      ...FOLLOWED_LOGS.map(log => names.streamed(log)),
    ],
  };
}
