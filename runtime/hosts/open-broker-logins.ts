// Chooses the logins of joined hosts by the credentials of the servers.

import { type BrokerLogins, type BrokerLoginsOptions, sameForAll } from './broker-logins.ts';
import { HostAccounts } from './host-accounts.ts';

/** Rejects if the servers refuse the credentials for accounts. */
export async function openBrokerLogins(options: BrokerLoginsOptions): Promise<BrokerLogins> {
  const { servers, credentials, ...rest } = options;
  if (credentials === undefined) return sameForAll({ servers: [...servers] });
  const { host, ca } = credentials;
  if ('operatorSeed' in host) return await HostAccounts.open({ ...rest, servers, keys: host, ca });
  return sameForAll({ servers: [...servers], ...host, ...(ca !== undefined && { ca }) });
}
