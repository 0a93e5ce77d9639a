// How bytes get to an engine: what dockerode is told for each kind of address.

import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { EngineAddress } from './address.ts';
import { SshAgent } from './ssh.ts';

export interface Transport {
  readonly agent: Agent;
  readonly protocol: 'http' | 'https';
  readonly socketPath: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
}

/** Connects nothing, but reads the certificates. Everything is said, for dockerode takes from DOCKER_HOST what is not. */
export async function transportTo(address: EngineAddress): Promise<Transport> {
  const common = { protocol: 'http', socketPath: undefined, host: undefined, port: undefined } as const;
  switch (address.kind) {
    case 'socket':
      return { ...common, agent: quiet(new Agent()), socketPath: address.path };
    case 'ssh':
      // The name is for the request's header alone.
      return { ...common, agent: quiet(new SshAgent(address)), host: 'engine' };
    case 'tcp': {
      const { host, port, certificates } = address;
      const place = { host: host.includes(':') ? `[${host}]` : host, port };
      if (certificates === undefined) return { ...common, ...place, agent: quiet(new Agent()) };
      return {
        ...common,
        ...place,
        protocol: 'https',
        agent: quiet(new TlsAgent(await readCertificates(certificates))),
      };
    }
  }
}

/**
 * Before each request dockerode writes down all that it is made with, whether anybody reads that or not: with the agent's sockets it
 * took longer than the request.
 */
const quiet = <A extends Agent>(agent: A): A =>
  Object.assign(agent, { [inspect.custom]: () => agent.constructor.name });

async function readCertificates(folder: string) {
  const read = async (name: string) => {
    try {
      return await readFile(join(folder, name));
    } catch (error) {
      throw new Error(
        `The certificates in '${folder}' cannot be read: ${error instanceof Error ? error.message : error}. It needs ca.pem, cert.pem and key.pem.`,
        { cause: error },
      );
    }
  };
  const [ca, cert, key] = await Promise.all(['ca.pem', 'cert.pem', 'key.pem'].map(read));
  return { ca, cert, key } as { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };
}
