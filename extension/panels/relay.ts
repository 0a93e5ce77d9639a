// Between one page and the daemon: a connection for each page that is looked at, so that what one asks for, subscribes to and reads
// slowly is no other's affair. Ids are the page's own.
//
// Law: a page that is ready hears at once how things stand, 'connected' or 'lost', and again at each change; it hears nothing else
// while there is no connection. A page that is not looked at has none.

import {
  type ConnectionLoss,
  type HostMessage,
  type PanelPlace,
  pageMessage,
} from '../../runtime/protocol/panels.ts';
import type { Clock, DaemonClient, Dialled } from '../daemon/client.ts';
import type { State } from '../daemon/lifecycle.ts';

export interface RelayOptions {
  readonly client: Pick<DaemonClient, 'state' | 'listen' | 'want' | 'dial'>;
  readonly clock: Clock;
  readonly post: (message: HostMessage) => void;
  /** Shows another panel. */
  readonly open: (place: PanelPlace) => void;
  readonly note: (message: string) => void;
  /** Told whenever something that a page said of a trajectory holds. */
  readonly annotated?: () => void;
}

/** After a page's own connection broke while the daemon is there. */
const AGAIN_AFTER = 1000;

export class Relay {
  readonly #options: RelayOptions;
  readonly #listening: { dispose(): void };
  /** What a page says of trajectories, until it is answered. */
  readonly #saying = new Set<number>();
  #isReady = false;
  #connection: Dialled | undefined;
  #waiting: AbortController | undefined;
  #place: PanelPlace | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#listening = options.client.listen({ changed: () => this.#follow() });
  }

  hear(said: unknown): void {
    const parsed = pageMessage.safeParse(said);
    if (!parsed.success) {
      this.#options.note(`A page said what is not understood: ${parsed.error.message}`);
      return;
    }
    const message = parsed.data;
    switch (message.kind) {
      case 'ready':
        // Perhaps it was reloaded: what it asked for before is gone.
        this.hide();
        this.#isReady = true;
        this.#try();
        break;
      case 'retry':
        this.#try();
        break;
      case 'open':
        this.#options.open(message.place);
        break;
      case 'request':
        // What is not sent is lost with the connection, which the page is told.
        if (message.request.method === 'annotate') this.#saying.add(message.request.id);
        this.#connection?.send(message.request);
    }
  }

  show(place: PanelPlace): void {
    this.#place = place;
    if (this.#isReady) this.#turnTo();
  }

  /** Nobody looks at it, or it is being loaded. */
  hide(): void {
    this.#isReady = false;
    this.#drop();
  }

  dispose(): void {
    this.hide();
    this.#listening.dispose();
  }

  #try(): void {
    this.#waiting?.abort();
    this.#options.client.want(true);
    this.#follow();
  }

  /** As the daemon's state says. */
  #follow(): void {
    if (!this.#isReady) return;
    const { state } = this.#options.client;
    if (state.kind === 'connected') this.#dial();
    else {
      this.#drop();
      this.#lost(lossOf(state, this.#options.clock.now()));
    }
  }

  #dial(): void {
    if (this.#connection !== undefined) return;
    const { client, post } = this.#options;
    this.#connection = client.dial({
      welcomed: methods => {
        post({ kind: 'connected', methods });
        this.#turnTo();
      },
      message: message => {
        post({ kind: 'message', message });
        if ('id' in message && message.id !== null && this.#saying.delete(message.id))
          this.#options.annotated?.();
      },
      frame: ({ id, payload }) => post({ kind: 'frame', id, payload }),
      closed: (how, why) => {
        this.#connection = undefined;
        if (how === 'refused') this.#lost({ kind: 'refused', why });
        // Who was stopped tells its client too.
        if (how === 'lost') this.#again();
      },
    });
  }

  /** Where the daemon itself is gone, its client tells that first or next, and this waiting ends. */
  #again(): void {
    const { clock } = this.#options;
    this.#lost({ kind: 'lost', again: clock.now() + AGAIN_AFTER });
    const waiting = new AbortController();
    this.#waiting = waiting;
    clock.sleep(AGAIN_AFTER, waiting.signal).then(
      () => this.#follow(),
      () => undefined,
    );
  }

  #lost(loss: ConnectionLoss): void {
    this.#options.post({ kind: 'lost', loss });
    this.#turnTo();
  }

  #turnTo(): void {
    if (this.#place !== undefined) this.#options.post({ kind: 'show', place: this.#place });
    this.#place = undefined;
  }

  #drop(): void {
    this.#waiting?.abort();
    this.#connection?.close();
    this.#connection = undefined;
    this.#saying.clear();
  }
}

/** A start takes about a second. */
const SOON = 1000;

function lossOf(state: Exclude<State, { kind: 'connected' }>, now: number): ConnectionLoss {
  switch (state.kind) {
    case 'waiting':
      return { kind: 'lost', again: state.until };
    case 'failed':
      return { kind: 'gone', why: state.why };
    case 'away':
      return { kind: 'gone', why: 'It was stopped. It starts again with a training, or when you try now.' };
    default:
      return { kind: 'lost', again: now + SOON };
  }
}
