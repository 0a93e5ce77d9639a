// The daemon for the rest of the extension: connection state, requests, run states. lifecycle.ts decides,
// this file carries out. Pages of panels get connections of their own to the same daemon.

import type { Clock } from '../../runtime/core/clock.ts';
import type { DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';
import type { DaemonMethod, DaemonParams, DaemonResults } from '../../runtime/protocol/daemon/messages.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import type { ConnectionListener, DaemonConnection } from './connection.ts';
import {
  type ClientEffect,
  type ClientEvent,
  type ClientState,
  IDLE,
  requestFailure,
  transition,
} from './lifecycle.ts';
import { DaemonRequestError, DaemonRequests, NOT_CONNECTED } from './requests.ts';

export type OpenConnection = Pick<DaemonConnection, 'send' | 'close'>;

export interface ClientEffects {
  readonly clock: Clock;
  /** The running daemon of the workspace. */
  find(): Promise<DaemonAddress | undefined>;
  /** Starts a daemon; `onExit` gets the reason why it exited. */
  start(onExit: (reason: string) => void): void;
  connect(daemon: DaemonAddress, listener: ConnectionListener): OpenConnection;
  log(message: string): void;
}

export interface ClientListener {
  /** Called after each change of `state`. */
  stateChanged?(state: ClientState): void;
  /** Called with the state of a run to which the client has subscribed. */
  runChanged?(state: RunState): void;
  /** Called when the client is disposed. */
  disposed?(state: ClientState): void;
}

const DISPOSED: ClientState = {
  kind: 'failed',
  reason: 'This window has closed its connection to the Dartboard daemon. Try again.',
};

export class DaemonClient {
  readonly #effects: ClientEffects;
  readonly #listeners = new Set<ClientListener>();
  #state: ClientState = IDLE;
  #connection: OpenConnection | undefined;
  #requests: DaemonRequests | undefined;
  #timer: AbortController | undefined;
  #searches = 0;
  #starts = 0;
  #isDisposed = false;

  constructor(effects: ClientEffects) {
    this.#effects = effects;
  }

  get state(): ClientState {
    return this.#state;
  }

  listen(listener: ClientListener): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Connects to the daemon if one runs. With `start`, starts one otherwise. */
  connect(start: boolean): void {
    this.#handle({ kind: 'requested', start });
  }

  /** Starts a daemon if none runs. Resolves when connected, rejects with the reason of a failure, or if the daemon does not answer. */
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (state: ClientState): boolean => {
        const failure = requestFailure(state);
        if (state.kind === 'connected') resolve();
        else if (failure !== undefined) reject(new DaemonRequestError(failure));
        else return false;
        return true;
      };
      const subscription = this.listen({
        stateChanged: state => settle(state) && subscription.dispose(),
        disposed: settle,
      });
      this.connect(true);
      if (settle(this.#state)) subscription.dispose();
    });
  }

  /** Starts a daemon if none runs. */
  async request<M extends DaemonMethod>(method: M, params: DaemonParams<M>): Promise<DaemonResults[M]> {
    await this.ready();
    if (this.#requests === undefined) throw new DaemonRequestError(NOT_CONNECTED);
    return this.#requests.request(method, params);
  }

  /** Opens a separate connection; undefined while this client is not connected. */
  openConnection(listener: ConnectionListener): OpenConnection | undefined {
    const state = this.#state;
    return state.kind === 'connected' ? this.#effects.connect(state.daemon, listener) : undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.abort();
    this.#connection?.close();
    this.#requests?.close();
    this.#state = DISPOSED;
    for (const listener of this.#listeners) listener.disposed?.(this.#state);
    this.#listeners.clear();
  }

  #handle(event: ClientEvent): void {
    if (this.#isDisposed) return;
    const before = this.#state;
    const { state, effects } = transition(before, event, this.#effects.clock.now());
    this.#state = state;
    // A timer belongs to the state that set it.
    if (state.kind !== before.kind) this.#timer?.abort();
    this.#logChange(before, state);
    if (before.kind === 'connected' && state.kind !== 'connected') this.#disconnect();
    for (const effect of effects) this.#carryOut(effect);
    if (state !== before) for (const listener of [...this.#listeners]) listener.stateChanged?.(state);
  }

  #logChange(before: ClientState, state: ClientState): void {
    if (state.kind === before.kind) return;
    // A search without a result is not worth a line.
    if (state.kind === 'idle' && before.kind === 'searching') return;
    const message = logMessage(state);
    if (message !== undefined) this.#effects.log(message);
  }

  #carryOut(effect: ClientEffect): void {
    switch (effect.kind) {
      case 'search':
        this.#search();
        break;
      case 'start':
        this.#start();
        break;
      case 'connect':
        this.#connect(effect.daemon);
        break;
      case 'set-timer': {
        const timer = new AbortController();
        this.#timer = timer;
        this.#effects.clock.sleep(effect.afterMs, timer.signal).then(
          () => this.#handle({ kind: 'timer' }),
          // Aborted: the state has changed.
          () => undefined,
        );
      }
    }
  }

  #start(): void {
    this.#starts += 1;
    const start = this.#starts;
    this.#effects.start(reason => {
      if (this.#isDisposed) return;
      this.#effects.log(`The daemon exited: ${reason}`);
      // An earlier daemon may exit while the next one starts.
      if (start === this.#starts) this.#handle({ kind: 'exited', reason });
    });
  }

  #search(): void {
    this.#searches += 1;
    const search = this.#searches;
    this.#effects
      .find()
      .catch((error: unknown) => {
        this.#effects.log(`The discovery file of the daemon cannot be read: ${String(error)}`);
        return undefined;
      })
      // The result of an earlier search is out of date.
      .then(daemon => search === this.#searches && this.#handle({ kind: 'found', daemon }));
  }

  #connect(daemon: DaemonAddress): void {
    const connection = this.#effects.connect(daemon, {
      welcomed: () => this.#handle({ kind: 'welcomed' }),
      message: message => {
        if ('method' in message)
          for (const listener of [...this.#listeners]) listener.runChanged?.(message.params);
        else this.#requests?.receive(message);
      },
      // This client requests nothing that has binary replies.
      frame: () => undefined,
      closed: (cause, reason) => this.#handle({ kind: 'closed', cause, reason }),
    });
    this.#connection = connection;
    this.#requests = new DaemonRequests(request => connection.send(request), this.#effects.clock);
  }

  #disconnect(): void {
    this.#requests?.close();
    this.#requests = undefined;
    this.#connection = undefined;
  }
}

function logMessage(state: ClientState): string | undefined {
  switch (state.kind) {
    case 'searching':
      return undefined;
    case 'idle':
      return 'The daemon stopped.';
    case 'starting':
      return 'Starting a daemon.';
    case 'connecting':
      return `Connecting to the daemon (pid ${state.daemon.pid}, port ${state.daemon.port}).`;
    case 'connected':
      return `Connected to the daemon (pid ${state.daemon.pid}).`;
    case 'backoff':
      return `${state.reason} Retry ${state.attempts}.`;
    case 'failed':
      return `No daemon: ${state.reason}`;
  }
}
