// A server for hosts on a free port of this machine, and requests to it.

import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { MemoryBlobs } from '../../runtime/blobs/memory-blobs.ts';
import { runId } from '../../runtime/core/ids.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { sameForAll } from '../../runtime/hosts/broker-logins.ts';
import { HostServer, type HostServerOptions } from '../../runtime/hosts/host-server.ts';
import { parseJoinAddress } from '../../runtime/hosts/join-address.ts';
import { type JoinReply, joinReply } from '../../runtime/hosts/messages.ts';
import { temporaryFolder } from '../temporary.ts';

export const OFFERS = { desktops: 8, policy: 1 };
export const JOINING = { name: 'tower', program: '0.1.0', offers: OFFERS };

export interface ServerReply {
  readonly status: number;
  readonly text: string;
}

export async function openedServer(options: Partial<HostServerOptions> = {}) {
  const clock = new VirtualClock();
  const blobs = new MemoryBlobs();
  const all = {
    ...{ listen: '127.0.0.1:0', folder: join(temporaryFolder('hosts'), 'hosts'), reserved: ['local'] },
    ...{ run: runId('run-1'), epoch: '0badcafe', logins: sameForAll({ servers: ['nats://127.0.0.1:4222'] }) },
    startFor: ({ host }: { readonly host: string }): unknown => ({ for: host }),
    ...{ blobs, clock },
    ...options,
  };
  const server = await HostServer.open(all);
  onTestFinished(() => server.close());
  const { url } = parseJoinAddress(server.address);
  const send = async (
    method: string,
    path: string,
    {
      token,
      body,
      headers = {},
    }: {
      readonly token?: string;
      readonly body?: string | Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<ServerReply> => {
    const reply = await fetch(url + path, {
      method,
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : Buffer.from(body) }),
    });
    return { status: reply.status, text: await reply.text() };
  };
  return {
    ...{ server, url, clock, blobs, send, folder: all.folder, port: Number(new URL(url).port) },
    pass: (ms: number) => clock.run(clock.now() + ms),
    get joinToken() {
      return parseJoinAddress(server.address).token;
    },
    async join(name = 'tower'): Promise<JoinReply> {
      const token = parseJoinAddress(server.address).token;
      const { status, text } = await send('POST', '/v1/join', {
        ...{ token, body: JSON.stringify({ ...JOINING, name }) },
      });
      if (status !== 200) throw new Error(text);
      return joinReply.parse(JSON.parse(text));
    },
  };
}

/** Sends bytes to a port, and resolves with all that comes back until the server ends the connection. */
export function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', chunk => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    // The server may end it while this side still sends.
    socket.on('error', error =>
      chunks.length > 0 ? resolve(Buffer.concat(chunks).toString('latin1')) : reject(error),
    );
    socket.write(text);
  });
}
