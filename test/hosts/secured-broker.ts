// A nats-server as `dartboard up` starts it, with a daemon of a run and hosts of it.

import { onTestFinished } from 'vitest';
import type { Blobs } from '../../runtime/blobs/blobs.ts';
import { MemoryBlobs } from '../../runtime/blobs/memory-blobs.ts';
import { runId } from '../../runtime/core/ids.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { BrokerAccess } from '../../runtime/fabric/nats/connection.ts';
import { daemonAccess, readCredentials } from '../../runtime/fabric/nats/credentials.ts';
import { BrokerNames, newEpoch } from '../../runtime/fabric/nats/names.ts';
import { openNatsFabric } from '../../runtime/fabric/nats/nats.ts';
import { writeNatsFolder } from '../../runtime/hosts/nats-folder.ts';
import { findNatsServer, NatsServer } from '../../runtime/hosts/nats-server.ts';
import { openBrokerLogins } from '../../runtime/hosts/open-broker-logins.ts';
import { SecretFolder } from '../../runtime/hosts/secret-folder.ts';
import { ACCEPT_ALL } from '../fabric/nats/members.ts';
import { temporaryFolder } from '../temporary.ts';

const LISTEN = { host: '127.0.0.1', port: 0 };

/** The caller stops its server. */
export async function securedBroker(certifiedNames?: readonly string[]) {
  const secrets = await SecretFolder.open(temporaryFolder('nats'));
  const files = await writeNatsFolder({
    ...{ secrets, listen: LISTEN, atMs: Date.now() },
    ...(certifiedNames !== undefined && { certifiedNames }),
  });
  const program = (await findNatsServer()).path;
  const server = await NatsServer.start({ program, configuration: files.configuration, clock: systemClock });
  const scheme = certifiedNames === undefined ? 'nats' : 'tls';
  return {
    server,
    servers: [`${scheme}://127.0.0.1:${server.port}`],
    credentials: await readCredentials(files.credentials),
  };
}

export type SecuredBroker = Awaited<ReturnType<typeof securedBroker>>;

/** The streams of all runs of a broker. The accounts of their hosts stay. */
const epochs = new Map<readonly string[], Set<string>>();

export function runOn(
  { servers, credentials }: SecuredBroker,
  name: string,
  { epoch = newEpoch(), blobs = new MemoryBlobs() }: { readonly epoch?: string; readonly blobs?: Blobs } = {},
) {
  const run = runId(name);
  const open = async (role: 'daemon' | 'host', member: string, access: BrokerAccess) => {
    const fabric = await openNatsFabric({
      ...{ access, run, epoch, member, blobs, clock: systemClock, health: () => undefined },
      ...(role === 'daemon' ? { role, guard: ACCEPT_ALL } : { role }),
    });
    onTestFinished(() => fabric.close());
    return fabric;
  };
  const opened = epochs.get(servers) ?? new Set();
  epochs.set(servers, opened.add(new BrokerNames({ run, epoch }).stream('commands')));
  let atMs = Date.now();
  const hostAccess = async (host: string, loggedInMs = Date.now()): Promise<BrokerAccess> => {
    atMs = loggedInMs;
    const clock = { ...systemClock, now: () => atMs };
    logins ??= openBrokerLogins({
      servers,
      credentials,
      run,
      epoch,
      streams: async () => [...opened],
      clock,
    });
    // Joins at the first call.
    const { creds, ...login } = await (await logins).renew(host);
    return { ...login, ...(creds !== undefined && { creds: () => creds }) };
  };
  let logins: ReturnType<typeof openBrokerLogins> | undefined;
  onTestFinished(async () => (await logins)?.close());
  return {
    ...{ run, epoch, hostAccess },
    daemon: () => open('daemon', 'daemon', daemonAccess(servers, credentials)),
    host: async (host: string) => open('host', host, await hostAccess(host)),
  };
}
