// The daemon as the rest of the extension sees it: wanted, there or not, asked, listened to. lifecycle.ts decides what to do; this does
// it, with a world that is handed in. Whoever shows pages dials connections of their own to the same daemon.

import type { DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';
import type { DaemonMethod, DaemonParams, DaemonResults } from '../../runtime/protocol/daemon/messages.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import { Asking, Refusal } from './asking.ts';
import type { Connection, Hearing } from './connection.ts';
import { AWAY, type Effect, type Event, next, type State } from './lifecycle.ts';

export interface Clock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export type Dialled = Pick<Connection, 'send' | 'close'>;

export interface World {
  readonly clock: Clock;
  /** The daemon of the workspace, if one runs. */
  find(): Promise<DaemonAddress | undefined>;
  /** Starts one; `ended` is told why it went. */
  start(ended: (why: string) => void): void;
  dial(daemon: DaemonAddress, hearing: Hearing): Dialled;
  note(message: string): void;
}

export interface Listener {
  /** After every change of `state`. */
  changed?(state: State): void;
  /** Of a run that was subscribed to. */
  heard?(state: RunState): void;
}

export class DaemonClient {
  readonly #world: World;
  readonly #listeners = new Set<Listener>();
  #state: State = AWAY;
  #connection: Dialled | undefined;
  #asking: Asking | undefined;
  #waking: AbortController | undefined;
  #looks = 0;
  #isDisposed = false;

  constructor(world: World) {
    this.#world = world;
  }

  get state(): State {
    return this.#state;
  }

  listen(listener: Listener): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Finds the daemon, and with `start` starts one where there is none. */
  want(start: boolean): void {
    this.#happened({ kind: 'wanted', start });
  }

  /** Resolves once it is connected; rejects with the reason where it cannot be. */
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (state: State): boolean => {
        if (state.kind === 'connected') resolve();
        else if (state.kind === 'failed') reject(new Refusal(state.why));
        else return false;
        return true;
      };
      const listening = this.listen({ changed: state => look(state) && listening.dispose() });
      this.want(true);
      if (look(this.#state)) listening.dispose();
    });
  }

  /** Starts a daemon where there is none. */
  async ask<M extends DaemonMethod>(method: M, params: DaemonParams<M>): Promise<DaemonResults[M]> {
    await this.ready();
    if (this.#asking === undefined) throw new Refusal('There is no connection to the daemon.');
    return this.#asking.ask(method, params);
  }

  /** A connection apart; undefined while there is no daemon. */
  dial(hearing: Hearing): Dialled | undefined {
    return this.#state.kind === 'connected' ? this.#world.dial(this.#state.daemon, hearing) : undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#waking?.abort();
    this.#connection?.close();
    this.#asking?.close();
    this.#listeners.clear();
  }

  #happened(event: Event): void {
    if (this.#isDisposed) return;
    const before = this.#state;
    const { state, effects } = next(before, event, this.#world.clock.now());
    this.#state = state;
    // A timer belongs to the state that asked for it.
    if (state.kind !== before.kind) this.#waking?.abort();
    this.#note(before, state);
    if (before.kind === 'connected' && state.kind !== 'connected') this.#disconnected();
    for (const effect of effects) this.#carryOut(effect);
    if (state !== before) for (const listener of [...this.#listeners]) listener.changed?.(state);
  }

  #note(before: State, state: State): void {
    const said = told(state);
    // Who looked on and found none has nothing to tell.
    const isNews = state.kind !== before.kind && (state.kind !== 'away' || before.kind !== 'looking');
    if (isNews && said !== undefined) this.#world.note(said);
  }

  #carryOut(effect: Effect): void {
    const { clock, find, start } = this.#world;
    switch (effect.kind) {
      case 'look':
        this.#look(find);
        break;
      case 'start':
        start(why => this.#happened({ kind: 'exited', why }));
        break;
      case 'connect':
        this.#connect(effect.daemon);
        break;
      case 'wake': {
        const waking = new AbortController();
        this.#waking = waking;
        clock.sleep(effect.after, waking.signal).then(
          () => this.#happened({ kind: 'woke' }),
          () => undefined,
        );
      }
    }
  }

  #look(find: World['find']): void {
    this.#looks += 1;
    const look = this.#looks;
    find()
      .catch((error: unknown) => {
        this.#world.note(`The file of the daemon cannot be read: ${String(error)}`);
        return undefined;
      })
      // What an earlier look saw is out of date.
      .then(daemon => look === this.#looks && this.#happened({ kind: 'found', daemon }));
  }

  #connect(daemon: DaemonAddress): void {
    const connection = this.#world.dial(daemon, {
      welcomed: () => this.#happened({ kind: 'welcomed' }),
      message: message => {
        if ('method' in message)
          for (const listener of [...this.#listeners]) listener.heard?.(message.params);
        else this.#asking?.heard(message);
      },
      // Nothing that is asked here is answered with bytes.
      frame: () => undefined,
      closed: (how, why) => this.#happened({ kind: 'closed', how, why }),
    });
    this.#connection = connection;
    this.#asking = new Asking(request => connection.send(request));
  }

  #disconnected(): void {
    this.#asking?.close();
    this.#asking = undefined;
    this.#connection = undefined;
  }
}

/** For the log. */
function told(state: State): string | undefined {
  switch (state.kind) {
    case 'looking':
      return undefined;
    case 'away':
      return 'The daemon was stopped.';
    case 'starting':
      return 'Starting a daemon.';
    case 'connecting':
      return `Connecting to the daemon (pid ${state.daemon.pid}, port ${state.daemon.port}).`;
    case 'connected':
      return `Connected to the daemon (pid ${state.daemon.pid}).`;
    case 'waiting':
      return `${state.why} Trying again (${state.tries}).`;
    case 'failed':
      return `There is no daemon: ${state.why}`;
  }
}
