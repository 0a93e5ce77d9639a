// Docker desktops behind the guest API, on a real engine.

import { randomBytes } from 'node:crypto';
import { thisProcess } from '../../../runtime/core/process-identity.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { containerSpec } from '../../../runtime/environments/docker/container-spec.ts';
import { Fleet } from '../../../runtime/environments/docker/fleet.ts';
import { type DockerHost, openHost } from '../../../runtime/environments/docker/host.ts';
import { takeContainer } from '../../../runtime/guest-server/container-machine.ts';
import { serveGuestDesktops } from '../../../runtime/guest-server/serve-guest-desktops.ts';
import { image, missingDesktops } from '../../environments/docker/real-desktops.ts';
import { localAddress } from '../../environments/docker/test-engine.ts';

export interface RealServer {
  readonly host: DockerHost;
  readonly fleet: Fleet;
  readonly addresses: readonly string[];
  /** The reports of the server. */
  readonly reports: readonly string[];
  /** The ids of all containers. */
  there(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** `others` is the number of containers that a test takes from the fleet itself. */
export async function realServer(count = 1, others = 0): Promise<RealServer> {
  const tag = image;
  if (tag === undefined) throw new Error(missingDesktops);
  const host = await openHost(localAddress, systemClock, 'here');
  const id = `test${randomBytes(4).toString('hex')}`;
  const fleet = new Fleet({
    hosts: [{ host, capacity: count + others }],
    spares: 0,
    image: tag,
    spec: (name, labels) => containerSpec({ name, image: tag, labels }),
    ...{ id, owner: 'test', me: thisProcess(), takeTimeoutMs: 120_000, clock: systemClock, health: () => {} },
  });
  const reports: string[] = [];
  const server = await serveGuestDesktops({
    ...{ count, host: '127.0.0.1', firstPort: 0, clock: systemClock },
    take: takeContainer(fleet, systemClock),
    report: (address, isHealthy, message) => reports.push(`${address} ${isHealthy}: ${message}`),
  });
  await server.ready();
  return {
    ...{ host, fleet, addresses: server.addresses, reports },
    there: async () => (await host.list({ 'dartboard.fleet': id })).map(found => found.id),
    close: async () => {
      await server.close();
      await fleet.close();
      host.close();
    },
  };
}

export const call = async (address: string, path: string, body?: object | URLSearchParams) => {
  const reply = await fetch(`${address}${path}`, {
    ...(body !== undefined && {
      method: 'POST',
      body: body instanceof URLSearchParams ? body : JSON.stringify(body),
      ...(!(body instanceof URLSearchParams) && { headers: { 'content-type': 'application/json' } }),
    }),
  });
  return { status: reply.status, text: await reply.text() };
};
