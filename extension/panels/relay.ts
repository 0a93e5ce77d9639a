// Relays messages between one page and the daemon. Each visible page has a connection of its own, so its
// request ids, subscriptions and reading speed do not affect other pages.
//
// Invariants: a page that is ready learns the connection state at once, and each change of it. It receives
// nothing else while there is no connection. A hidden page has no connection.

import type { Clock } from '../../runtime/core/clock.ts';
import {
  type ConnectionLoss,
  type ExchangeRequest,
  type HostMessage,
  type PanelPlace,
  pageMessage,
  type SavedFile,
} from '../../runtime/protocol/panels.ts';
import type { DaemonClient, OpenConnection } from '../daemon/client.ts';
import type { ClientState } from '../daemon/lifecycle.ts';
import type { Signature } from './signature.ts';

export interface RelayOptions {
  readonly client: Pick<DaemonClient, 'state' | 'listen' | 'connect' | 'openConnection' | 'request'>;
  readonly clock: Clock;
  readonly post: (message: HostMessage) => void;
  /** Opens another panel. */
  readonly open: (place: PanelPlace) => void;
  /** Calls the command that imports or exports trajectories. */
  readonly exchange?: (request: ExchangeRequest) => void;
  /** Asks for a place and saves the file there. */
  readonly save: (file: SavedFile) => void;
  readonly log: (message: string) => void;
  /** Absent in the read-only sample. */
  readonly signature?: Signature;
  /** Called after the daemon replied to a request of this page with that method. */
  readonly replied?: Partial<Record<WatchedMethod, () => void>>;
}

/** Requests of pages whose effects the extension shows elsewhere. */
const WATCHED_METHODS = ['annotate', 'daemon.keepTraining'] as const;
type WatchedMethod = (typeof WATCHED_METHODS)[number];

/** The delay before a page whose own connection broke connects again. */
const RECONNECT_MS = 1000;

export class Relay {
  readonly #options: RelayOptions;
  readonly #subscriptions: readonly { dispose(): void }[];
  /** Requests without a reply, by their ids. */
  readonly #watched = new Map<number, WatchedMethod>();
  #isReady = false;
  #connection: OpenConnection | undefined;
  #reconnect: AbortController | undefined;
  #place: PanelPlace | undefined;
  /** The recording that the page showed last. */
  #recording: string | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
    const { client, signature } = options;
    this.#subscriptions = [
      client.listen({ stateChanged: () => this.#update() }),
      ...(signature === undefined ? [] : [signature.listen(this.#postSignature)]),
    ];
  }

  /** A message of the page. */
  receive(data: unknown): void {
    const parsed = pageMessage.safeParse(data);
    if (!parsed.success) {
      this.#options.log(`A message of a page is not valid and was ignored: ${parsed.error.message}`);
      return;
    }
    const message = parsed.data;
    switch (message.kind) {
      case 'ready':
        // After a reload the page has forgotten its requests.
        this.hide();
        this.#isReady = true;
        this.#postSignature();
        this.#connectNow();
        break;
      case 'retry':
        this.#connectNow();
        break;
      case 'open':
        this.#options.open(message.place);
        break;
      case 'exchange':
        this.#options.exchange?.(message);
        break;
      case 'save':
        this.#options.save(message.file);
        break;
      case 'sign':
        this.#options.signature?.change(message.who, this.#postSignature);
        break;
      case 'request':
        // Without a connection the request is dropped; the page knows that the connection is lost.
        this.#watch(message.request);
        this.#recording = lookedRecording(message.request) ?? this.#recording;
        this.#connection?.send(message.request);
    }
  }

  /** Shows a place as soon as the page is ready. */
  show(place: PanelPlace): void {
    this.#place = place;
    if (this.#isReady) this.#postPlace();
  }

  /** Without details, a panel that is open stays at its place. Record always looks for a desktop that was taken over since. */
  showAgain(place: PanelPlace): void {
    const { panel, ...details } = place;
    if (panel === 'record' || Object.values(details).some(each => each !== undefined)) this.show(place);
  }

  /** The page is hidden or reloads. */
  hide(): void {
    this.#isReady = false;
    this.#closeConnection();
  }

  /** The user closed the panel: a desktop that its page showed goes back to its training. */
  close(): void {
    if (this.#recording !== undefined) this.#leave(this.#recording);
    this.dispose();
  }

  dispose(): void {
    this.hide();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #leave(recording: string): void {
    const { client } = this.#options;
    // A daemon of an earlier version does not know the request: the grace time returns the desktop.
    if (client.state.kind === 'connected')
      client.request('record.leave', { recording }).catch(() => undefined);
  }

  #watch({ id, method }: { readonly id: number; readonly method: string }): void {
    const watched = WATCHED_METHODS.find(each => each === method);
    if (watched !== undefined) this.#watched.set(id, watched);
  }

  #replied(id: number): void {
    const method = this.#watched.get(id);
    if (method === undefined) return;
    this.#watched.delete(id);
    this.#options.replied?.[method]?.();
  }

  #connectNow(): void {
    this.#reconnect?.abort();
    this.#options.client.connect(true);
    this.#update();
  }

  /** Follows the connection state of the client. */
  #update(): void {
    if (!this.#isReady) return;
    const { state } = this.#options.client;
    if (state.kind === 'connected') this.#openConnection();
    else {
      this.#closeConnection();
      this.#postLoss(lossOf(state, this.#options.clock.now()));
    }
  }

  #openConnection(): void {
    if (this.#connection !== undefined) return;
    const { client, post } = this.#options;
    this.#connection = client.openConnection({
      welcomed: methods => {
        post({ kind: 'connected', methods });
        this.#postPlace();
      },
      message: message => {
        post({ kind: 'message', message });
        if ('id' in message && message.id !== null) this.#replied(message.id);
      },
      frame: ({ id, payload }) => post({ kind: 'frame', id, payload }),
      closed: (cause, reason) => {
        this.#connection = undefined;
        if (cause === 'refused') this.#postLoss({ kind: 'refused', why: reason });
        // A daemon that stops closes the connection of the client too, which calls #update.
        if (cause === 'lost') this.#reconnectSoon();
      },
    });
  }

  /** If the daemon itself is gone, the client changes its state, which ends this wait. */
  #reconnectSoon(): void {
    const { clock } = this.#options;
    this.#postLoss({ kind: 'lost', again: clock.now() + RECONNECT_MS });
    const reconnect = new AbortController();
    this.#reconnect = reconnect;
    clock.sleep(RECONNECT_MS, reconnect.signal).then(
      () => this.#update(),
      // Aborted: the page connected earlier, or was hidden.
      () => undefined,
    );
  }

  #postLoss(loss: ConnectionLoss): void {
    this.#options.post({ kind: 'lost', loss });
    this.#postPlace();
  }

  readonly #postSignature = (): void => {
    const { post, signature } = this.#options;
    if (this.#isReady && signature !== undefined) post({ kind: 'signed', who: signature.who });
  };

  #postPlace(): void {
    if (this.#place !== undefined) this.#options.post({ kind: 'show', place: this.#place });
    this.#place = undefined;
  }

  #closeConnection(): void {
    this.#reconnect?.abort();
    this.#connection?.close();
    this.#connection = undefined;
    this.#watched.clear();
  }
}

/** The recording whose screen a page requests. */
function lookedRecording({ method, params }: { readonly method: string; readonly params?: unknown }) {
  if (method !== 'record.look') return undefined;
  const isNamed = typeof params === 'object' && params !== null && 'recording' in params;
  return isNamed && typeof params.recording === 'string' ? params.recording : undefined;
}

/** The usual duration of a daemon start. */
const START_MS = 1000;

function lossOf(state: Exclude<ClientState, { kind: 'connected' }>, now: number): ConnectionLoss {
  switch (state.kind) {
    case 'backoff':
      return { kind: 'lost', again: state.until };
    case 'failed':
      return { kind: 'gone', why: state.reason };
    case 'idle':
      return { kind: 'gone', why: 'The Dartboard daemon stopped. Reconnect, or start a training.' };
    default:
      return { kind: 'lost', again: now + START_MS };
  }
}
