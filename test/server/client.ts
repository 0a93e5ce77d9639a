// A client of the daemon: a real WebSocket that sends requests and keeps every message.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type RawData, WebSocket } from 'ws';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { decodeReplyFrame, type ReplyFrame } from '../../runtime/protocol/daemon/frame.ts';
import {
  DAEMON_PATH,
  DAEMON_VERSION,
  type DaemonMessage,
  message,
} from '../../runtime/protocol/daemon/messages.ts';
import type { DaemonFailure } from '../../runtime/protocol/daemon/schemas.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { type DaemonServer, type ServerOptions, startServer } from '../../runtime/server/server.ts';
import { temporaryFolder } from '../temporary.ts';

export const TOKEN = 'a-token-for-tests';

/** Replaces the built page, whose content the server does not read. */
export function pagesFolder(): URL {
  const folder = temporaryFolder('pages');
  for (const file of ['panels.html', 'panels.js', 'panels.css', 'icon.svg'])
    writeFileSync(join(folder, file), `the ${file}`);
  return pathToFileURL(`${folder}/`);
}

export const serve = (
  options: Pick<ServerOptions, 'pages' | 'runs'> & Partial<ServerOptions>,
): Promise<DaemonServer> =>
  startServer({
    port: 0,
    token: TOKEN,
    clock: systemClock,
    keepTraining: false,
    parseConfig: value => {
      throw new Error(`'${Object.keys(Object(value))[0]}' is no setting: leave it out.`);
    },
    ...options,
  });

const bytesOf = (data: RawData): ArrayBuffer => Uint8Array.from(Buffer.concat([data as Buffer])).buffer;

export class Client {
  readonly socket: WebSocket;
  readonly messages: DaemonMessage[] = [];
  readonly frames: ReplyFrame[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #heard: (() => void)[] = [];
  #id = 0;

  constructor(port: number, headers: Readonly<Record<string, string>> = {}) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}${DAEMON_PATH}`, { headers });
    this.closed = new Promise(resolve =>
      this.socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
    this.socket.on('message', (data, isBinary) => {
      if (isBinary) this.frames.push(decodeReplyFrame(bytesOf(data)));
      else this.messages.push(message.parse(JSON.parse(data.toString())));
      for (const tell of this.#heard.splice(0)) tell();
    });
  }

  /** Connected and authenticated. */
  static async enter(port: number, token = TOKEN): Promise<Client> {
    const client = new Client(port);
    await client.open();
    await client.ask('hello', { version: DAEMON_VERSION, token, client: 'a test' });
    return client;
  }

  get states(): readonly RunState[] {
    return this.messages.flatMap(each => ('method' in each ? [each.params] : []));
  }

  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.once('open', () => resolve());
      this.socket.once('error', reject);
    });
  }

  /** The reply. The request is not checked: a server must accept anything. */
  async ask(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<DaemonMessage> {
    const id = this.#id++;
    this.socket.send(JSON.stringify({ id, method, params }));
    return this.until(() => this.messages.find(each => 'id' in each && each.id === id));
  }

  async fail(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<DaemonFailure> {
    const reply = await this.ask(method, params);
    if ('error' in reply) return reply.error;
    throw new Error(`'${method}' did not fail: ${JSON.stringify(reply)}`);
  }

  async until<Value>(look: () => Value | undefined): Promise<Value> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      await new Promise<void>(resolve => this.#heard.push(resolve));
    }
  }
}
