// Faults between a learner and the double, each at one request: a lost connection, an error, or a restart of the server. Heartbeats do not
// count.

import type {
  HttpBytesReply,
  HttpBytesTransport,
  HttpRequest,
} from '../../../runtime/endpoints/http-transport.ts';
import { replyOf } from './served-result.ts';
import type { TinkerServer } from './tinker-server.ts';

export const FAULTS = [
  'refused',
  'lost before the server has it',
  'lost after the server handled it',
  'status 408',
  'status 429',
  'status 500 before it is handled',
  'status 500 after it was handled',
  'cut',
  'restart with the state',
  'restart without the state',
  'results dropped',
] as const;
export type TinkerFault = (typeof FAULTS)[number];

export class FaultyTransport implements HttpBytesTransport {
  /** Requests so far. */
  requests = 0;
  readonly #server: TinkerServer;
  readonly #faultAt: (request: number) => TinkerFault | undefined;
  /** Requests that find no server. */
  #refusals = 0;

  constructor(server: TinkerServer, faultAt: (request: number) => TinkerFault | undefined = () => undefined) {
    this.#server = server;
    this.#faultAt = faultAt;
  }

  async sendForBytes(request: HttpRequest): Promise<HttpBytesReply> {
    if (request.url.endsWith('/session_heartbeat')) return this.#server.sendForBytes(request);
    const fault = this.#faultAt(this.requests);
    this.requests += 1;
    if (this.#refusals > 0) {
      this.#refusals -= 1;
      throw refused();
    }
    switch (fault) {
      case undefined:
        return this.#server.sendForBytes(request);
      case 'refused':
        throw refused();
      case 'lost before the server has it':
        throw new Error('socket hang up');
      case 'lost after the server handled it':
        await this.#server.sendForBytes(request);
        throw new Error('read ECONNRESET');
      case 'status 408':
        return replyOf(408, { detail: 'Timeout waiting for result' });
      case 'status 429':
        return { ...replyOf(429, { detail: 'slow down' }), headers: { 'retry-after': '2' } };
      case 'status 500 before it is handled':
        return replyOf(500, { detail: 'out of memory' });
      case 'status 500 after it was handled':
        await this.#server.sendForBytes(request);
        return replyOf(500, { detail: 'the reply is lost' });
      case 'cut': {
        const reply = await this.#server.sendForBytes(request);
        return { ...reply, body: reply.body.slice(0, reply.body.length / 2) };
      }
      case 'restart with the state':
        await this.#server.sendForBytes(request);
        this.#refusals = 2;
        throw new Error('socket hang up');
      case 'restart without the state':
        this.#server.restart();
        throw new Error('socket hang up');
      case 'results dropped':
        this.#server.dropResults();
        return this.#server.sendForBytes(request);
    }
  }

  close(): void {}
}

/** As Node reports that a call of the system failed. */
export const networkError = (syscall: string, code: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { syscall, code });

const refused = () => networkError('connect', 'ECONNREFUSED');
