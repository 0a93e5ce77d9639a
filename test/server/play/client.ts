// A page as the server sees one: a real WebSocket that sends requests and keeps every message.

import { WebSocket } from 'ws';
import type { Clock } from '../../../runtime/core/clock.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { decodeScreen, type Pixels } from '../../../runtime/protocol/frame.ts';
import { message, PLAY_PATH, PLAY_VERSION, type PlayMessage } from '../../../runtime/protocol/play.ts';
import { type PlayServer, startPlay } from '../../../runtime/server/play/server.ts';

export const TOKEN = 'a-token-for-tests';
const PAGES = new URL('../../../dist/webview/', import.meta.url);

export const serve = (clock: Clock = systemClock): Promise<PlayServer> =>
  startPlay({ pages: PAGES, port: 0, token: TOKEN, suite: POCKET, clock, random: seeded('tests') });

export interface Headers {
  readonly Host?: string;
  readonly Origin?: string;
}

export class Client {
  readonly socket: WebSocket;
  readonly messages: PlayMessage[] = [];
  readonly screens: Pixels[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #heard: (() => void)[] = [];
  #id = 0;

  constructor(port: number, headers: Headers = {}) {
    const url = `ws://127.0.0.1:${port}${PLAY_PATH}`;
    this.socket = new WebSocket(url, { headers: { Origin: `http://127.0.0.1:${port}`, ...headers } });
    this.closed = new Promise(resolve =>
      this.socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.screens.push(decodeScreen(Uint8Array.from(data).buffer));
      else this.messages.push(message.parse(JSON.parse(data.toString())));
      for (const tell of this.#heard.splice(0)) tell();
    });
  }

  /** Connected and authenticated. */
  static async enter(port: number, token: string = TOKEN): Promise<Client> {
    const client = new Client(port);
    await client.open();
    await client.ask('hello', { version: PLAY_VERSION, token, client: 'a test' });
    return client;
  }

  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.once('open', () => resolve());
      this.socket.once('error', reject);
    });
  }

  /** The reply. The request is not checked: a server must accept anything. */
  async ask(method: string, params: object = {}): Promise<PlayMessage> {
    const id = this.#id++;
    this.socket.send(JSON.stringify({ id, method, params }));
    return this.until(each => 'id' in each && each.id === id);
  }

  async until(wanted: (message: PlayMessage) => boolean): Promise<PlayMessage> {
    for (;;) {
      const found = this.messages.find(wanted);
      if (found !== undefined) return found;
      await new Promise<void>(resolve => this.#heard.push(resolve));
    }
  }
}
