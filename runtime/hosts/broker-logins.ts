// The logins of joined hosts to the broker: what the user of the servers gave for all hosts, or an account for each of them.

import type { Clock } from '../core/clock.ts';
import type { NatsCredentials } from '../fabric/nats/credentials.ts';
import type { EpochOfRun } from '../fabric/nats/names.ts';
import type { BrokerLogin } from './messages.ts';

export interface BrokerLogins {
  /** For a host that joins. It has nothing of an earlier host with this name. */
  join(host: string): Promise<BrokerLogin>;
  /** For a host that has joined: valid for another hour. It asks every quarter of a minute. */
  renew(host: string): Promise<BrokerLogin>;
  /** Soon, nothing that the host sends reaches the broker any more, if it has an account of its own. */
  end(host: string): void;
  close(): Promise<void>;
}

export interface BrokerLoginsOptions extends EpochOfRun {
  readonly servers: readonly string[];
  /** Absent for servers that accept everybody. */
  readonly credentials?: NatsCredentials;
  /** The names of those in the broker. Accounts of hosts whose run has none are removed. */
  readonly streams: () => Promise<readonly string[]>;
  readonly clock: Clock;
}

export const sameForAll = (login: BrokerLogin): BrokerLogins => ({
  join: async () => login,
  renew: async () => login,
  end: () => undefined,
  close: async () => undefined,
});
