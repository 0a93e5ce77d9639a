// A nats-server as `dartboard up` starts it, with a daemon of a run and hosts of it.

import { onTestFinished } from 'vitest';
import type { Blobs } from '../../runtime/blobs/blobs.ts';
import { MemoryBlobs } from '../../runtime/blobs/memory-blobs.ts';
import { runId } from '../../runtime/core/ids.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { BrokerAccess } from '../../runtime/fabric/nats/connection.ts';
import { daemonAccess, readCredentials } from '../../runtime/fabric/nats/credentials.ts';
import { newEpoch } from '../../runtime/fabric/nats/names.ts';
import { openNatsFabric } from '../../runtime/fabric/nats/nats.ts';
import { hostLogin } from '../../runtime/hosts/host-login.ts';
import { writeNatsFolder } from '../../runtime/hosts/nats-folder.ts';
import { findNatsServer, NatsServer } from '../../runtime/hosts/nats-server.ts';
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
  const hostAccess = (host: string, atMs = Date.now()): BrokerAccess => {
    const { creds, ...login } = hostLogin({ servers, credentials, run, epoch }, host, atMs);
    return { ...login, ...(creds !== undefined && { creds: () => creds }) };
  };
  return {
    ...{ run, epoch, hostAccess },
    daemon: () => open('daemon', 'daemon', daemonAccess(servers, credentials)),
    host: (host: string) => open('host', host, hostAccess(host)),
  };
}
