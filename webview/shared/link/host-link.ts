// The link in an editor: the page hands its requests to the host, which has the connection. runtime/protocol/panels.ts defines the
// messages.

import type { DaemonMethod, DaemonParams } from '../../../runtime/protocol/daemon/messages.ts';
import type { HostMessage, PageMessage } from '../../../runtime/protocol/panels.ts';
import { ConnectionLostError } from '../errors.ts';
import { type DaemonLink, type LinkListener, NO_CONNECTION } from './link.ts';
import { PendingRequests, type SentRequest } from './pending-requests.ts';

export class HostLink implements DaemonLink {
  readonly #send: (message: PageMessage) => void;
  readonly #listener: LinkListener;
  readonly #pending = new PendingRequests();
  #isConnected = false;

  constructor(send: (message: PageMessage) => void, listener: LinkListener) {
    this.#send = send;
    this.#listener = listener;
  }

  receive(message: Exclude<HostMessage, { kind: 'show' | 'signed' }>): void {
    switch (message.kind) {
      case 'connected':
        this.#isConnected = true;
        this.#pending.setMethods(message.methods);
        this.#listener.connected();
        break;
      case 'lost':
        this.#isConnected = false;
        this.#pending.rejectAll();
        this.#listener.lost(message.loss);
        break;
      case 'frame':
        this.#pending.receiveBytes(message.id, new Uint8Array(message.payload));
        break;
      case 'message': {
        const state = this.#pending.receive(message.message);
        if (state !== undefined) this.#listener.state(state);
      }
    }
  }

  supports(method: DaemonMethod): boolean {
    return this.#pending.supports(method);
  }

  async request<M extends DaemonMethod>(method: M, params: DaemonParams<M>) {
    return (await this.#pending.request(method, params, this.#sender())).result;
  }

  async requestBytes<M extends DaemonMethod>(method: M, params: DaemonParams<M>) {
    return await this.#pending.request(method, params, this.#sender(), true);
  }

  retry(): void {
    this.#send({ kind: 'retry' });
  }

  #sender(): (request: SentRequest) => void {
    if (!this.#isConnected) throw new ConnectionLostError(NO_CONNECTION);
    return request => this.#send({ kind: 'request', request });
  }
}
