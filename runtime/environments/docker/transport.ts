// The connection to an engine: what dockerode needs for each kind of address.

import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type Docker from 'dockerode';
import { messageOf } from '../../core/errors.ts';
import type { EngineAddress } from './address.ts';
import { SshAgent } from './ssh.ts';

/** Reads certificates, but does not connect. Sets all fields, because dockerode takes missing ones from DOCKER_HOST. */
export async function transportTo(
  address: EngineAddress,
): Promise<Docker.DockerOptions & { readonly agent: Agent }> {
  const base = { protocol: 'http', socketPath: undefined, host: undefined, port: undefined } as const;
  switch (address.kind) {
    case 'socket':
      return { ...base, agent: quiet(new Agent()), socketPath: address.path };
    case 'ssh':
      // The host name only fills the header of the request.
      return { ...base, agent: quiet(new SshAgent(address)), host: 'engine' };
    case 'tcp': {
      const { host, port, certificates } = address;
      const target = { ...base, host: host.includes(':') ? `[${host}]` : host, port };
      if (certificates === undefined) return { ...target, agent: quiet(new Agent()) };
      const agent = new TlsAgent(await readCertificates(certificates));
      return { ...target, protocol: 'https', agent: quiet(agent) };
    }
  }
}

/** dockerode formats its options before each request, even without a debug log. With the agent's sockets that takes longer than the request. */
const quiet = <A extends Agent>(agent: A): A =>
  Object.assign(agent, { [inspect.custom]: () => agent.constructor.name });

async function readCertificates(folder: string) {
  const read = async (name: string) => {
    try {
      return await readFile(join(folder, name));
    } catch (error) {
      throw new Error(
        `The certificates in '${folder}' cannot be read: ${messageOf(error)}. The folder needs ca.pem, cert.pem and key.pem.`,
        { cause: error },
      );
    }
  };
  return { ca: await read('ca.pem'), cert: await read('cert.pem'), key: await read('key.pem') };
}
