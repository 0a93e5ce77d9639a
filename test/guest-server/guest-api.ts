// The guest API of a served desktop on a local port, and requests to it.

import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { type GuestListener, listenForClients } from '../../runtime/guest-server/guest-http.ts';
import { answerCall } from '../../runtime/guest-server/routes.ts';
import { temporaryFolder } from '../temporary.ts';
import { servedDesktop } from './fake-desktops.ts';
import type { FakeMachine } from './fake-machine.ts';

/** Each `open` serves a new desktop, until `close`. */
export function guestApi() {
  let listener: GuestListener;
  let address: string;
  let desktop: ReturnType<typeof servedDesktop>;

  async function open() {
    const clock = new VirtualClock();
    const home = temporaryFolder('guest-routes');
    desktop = servedDesktop(clock, home);
    await desktop.served.ready();
    listener = await listenForClients({
      ...{ host: '127.0.0.1', port: 0 },
      answer: (method, call) => answerCall(desktop.served, method, call),
    });
    address = `http://127.0.0.1:${listener.port}`;
    return { clock, home, desktop };
  }

  async function close(): Promise<void> {
    await listener.close();
    await desktop.served.close();
  }

  const machine = (): FakeMachine => {
    const found = desktop.taken.at(-1)?.machines.at(-1);
    if (found === undefined) throw new Error('No machine is open.');
    return found;
  };

  async function send(path: string, options: RequestInit = {}) {
    const reply = await fetch(`${address}${path}`, options);
    const bytes = new Uint8Array(await reply.arrayBuffer());
    const text = Buffer.from(bytes).toString('utf8');
    const type = reply.headers.get('content-type') ?? '';
    return {
      status: reply.status,
      type,
      bytes,
      text,
      json: type.includes('json') ? JSON.parse(text) : undefined,
    };
  }
  const post = (path: string, value: unknown) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(value),
    });
  const form = (path: string, fields: Record<string, string>) =>
    send(path, { method: 'POST', body: new URLSearchParams(fields) });

  const execute = (command: unknown, shell = false, path = '/execute') => post(path, { command, shell });

  return { open, close, machine, send, post, form, execute };
}
