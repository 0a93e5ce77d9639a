// The connection to the daemon of the workspace as a pure state machine: a state and an event give the next
// state and the effects to carry out. client.ts carries them out.
//
// Invariants: the client searches for a daemon before it starts one, so that windows share it. It starts one
// only on request. It retries a lost connection with exponential backoff for as long as the daemon runs: without
// clients the daemon would end its trainings. It gives up when a daemon refuses it, does not start, or crashes
// again and again. It does not retry after the daemon stopped.

import { backoffMs } from '../../runtime/core/retry.ts';
import type { DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';

/** Counts since the last connection that lasted. */
interface Tries {
  readonly attempts: number;
  /** Daemons that this window started. */
  readonly starts: number;
}

/** `start` allows to start a daemon. */
interface Attempt extends Tries {
  readonly start: boolean;
}

export type ClientState =
  /** No daemon runs, or it stopped, and nothing in this window needs one. */
  | { readonly kind: 'idle' }
  /** `failure`: the reason of the failure before this search. */
  | (Attempt & { readonly kind: 'searching'; readonly failure?: string })
  /** This window started a daemon, which has not written its file yet; it may have exited already. */
  | (Tries & { readonly kind: 'starting'; readonly since: number; readonly exitReason?: string })
  | (Attempt & { readonly kind: 'connecting'; readonly daemon: DaemonAddress })
  | (Tries & { readonly kind: 'connected'; readonly daemon: DaemonAddress; readonly since: number })
  | (Attempt & { readonly kind: 'backoff'; readonly until: number; readonly reason: string })
  /** The client tries again only on request. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Why a connection closed: the daemon refused it, the daemon stopped, or it broke. */
export type CloseCause = 'refused' | 'stopped' | 'lost';

export type ClientEvent =
  /** Something needs the daemon, or `daemon.json` changed; `start` allows to start one. */
  | { readonly kind: 'requested'; readonly start: boolean }
  | { readonly kind: 'found'; readonly daemon: DaemonAddress | undefined }
  /** The program that this window started has exited. */
  | { readonly kind: 'exited'; readonly reason: string }
  | { readonly kind: 'welcomed' }
  | { readonly kind: 'closed'; readonly cause: CloseCause; readonly reason: string }
  | { readonly kind: 'timer' };

export type ClientEffect =
  | { readonly kind: 'search' }
  | { readonly kind: 'start' }
  | { readonly kind: 'connect'; readonly daemon: DaemonAddress }
  | { readonly kind: 'set-timer'; readonly afterMs: number };

export interface Transition {
  readonly state: ClientState;
  readonly effects: readonly ClientEffect[];
}

export const IDLE: ClientState = { kind: 'idle' };

/** A daemon writes its discovery file within two seconds; a slow disk takes longer. */
const START_TIMEOUT_MS = 30_000;
const SEARCH_INTERVAL_MS = 150;
const BACKOFF = { firstMs: 500, maxMs: 15_000 };
/** A connection of this length resets the counts. */
const STABLE_AFTER_MS = 60_000;
/** A request waits for so many attempts in a row. */
const MAX_ATTEMPTS = 6;
/** A training that crashes its daemon must not start daemons for ever. */
const MAX_STARTS = 6;
const NO_TRIES: Tries = { attempts: 0, starts: 0 };

export function transition(state: ClientState, event: ClientEvent, now: number): Transition {
  if (event.kind === 'requested') return onRequest(state, event.start);
  switch (state.kind) {
    case 'searching':
      return event.kind === 'found' ? onSearched(state, event.daemon, now) : stay(state);
    case 'starting':
      return onStarting(state, event, now);
    case 'connecting': {
      const { daemon, attempts, starts } = state;
      if (event.kind === 'welcomed') return stay({ kind: 'connected', daemon, since: now, attempts, starts });
      return event.kind === 'closed' ? onClosed(state, event, now) : stay(state);
    }
    case 'connected': {
      if (event.kind !== 'closed') return stay(state);
      if (event.cause === 'stopped') return stay(IDLE);
      const { attempts, starts } = now - state.since >= STABLE_AFTER_MS ? NO_TRIES : state;
      return onClosed({ start: true, attempts, starts }, event, now);
    }
    case 'backoff':
      return event.kind === 'timer' ? search(state.start, state) : stay(state);
    case 'idle':
    case 'failed':
      return stay(state);
  }
}

/** Why requests fail in this state. Undefined while they wait. */
export const requestFailure = (state: ClientState): string | undefined =>
  state.kind === 'failed' || (state.kind === 'backoff' && state.attempts >= MAX_ATTEMPTS)
    ? state.reason
    : undefined;

const stay = (state: ClientState): Transition => ({ state, effects: [] });

const search = (start: boolean, { attempts, starts }: Tries, failure?: string): Transition => ({
  state: { kind: 'searching', start, attempts, starts, ...(failure !== undefined && { failure }) },
  effects: [{ kind: 'search' }],
});

function onRequest(state: ClientState, start: boolean): Transition {
  switch (state.kind) {
    case 'idle':
      return search(start, NO_TRIES);
    case 'failed':
      return search(start, NO_TRIES, state.reason);
    case 'backoff':
      return search(start || state.start, state);
    case 'searching':
    case 'connecting':
      return stay({ ...state, start: start || state.start });
    case 'starting':
    case 'connected':
      return stay(state);
  }
}

function onSearched(
  { start, attempts, starts, failure }: ClientState & { kind: 'searching' },
  daemon: DaemonAddress | undefined,
  now: number,
): Transition {
  if (daemon !== undefined) return connect(daemon, { start, attempts, starts });
  if (!start) return stay(failure === undefined ? IDLE : { kind: 'failed', reason: failure });
  if (starts >= MAX_STARTS) return stay({ kind: 'failed', reason: CRASHES });
  return {
    state: { kind: 'starting', since: now, attempts, starts: starts + 1 },
    effects: [{ kind: 'start' }, { kind: 'set-timer', afterMs: SEARCH_INTERVAL_MS }],
  };
}

const CRASHES = `The Dartboard daemon crashed ${MAX_STARTS} times in a row, each time within a minute. Show the log, then try again.`;

const connect = (daemon: DaemonAddress, attempt: Attempt): Transition => ({
  state: { kind: 'connecting', daemon, ...attempt },
  effects: [{ kind: 'connect', daemon }],
});

function onStarting(state: ClientState & { kind: 'starting' }, event: ClientEvent, now: number): Transition {
  if (event.kind === 'timer') return { state, effects: [{ kind: 'search' }] };
  // The daemon of another window may have been first; the discovery file shows it.
  if (event.kind === 'exited')
    return { state: { ...state, exitReason: event.reason }, effects: [{ kind: 'search' }] };
  if (event.kind !== 'found') return stay(state);
  const { attempts, starts } = state;
  if (event.daemon !== undefined) return connect(event.daemon, { start: true, attempts, starts });
  if (state.exitReason !== undefined) return stay({ kind: 'failed', reason: state.exitReason });
  if (now - state.since >= START_TIMEOUT_MS) {
    const reason = `The Dartboard daemon did not start within ${START_TIMEOUT_MS / 1000} s. Show the log, then try again.`;
    return stay({ kind: 'failed', reason });
  }
  return { state, effects: [{ kind: 'set-timer', afterMs: SEARCH_INTERVAL_MS }] };
}

function onClosed(
  { start, attempts, starts }: Attempt,
  { cause, reason }: Extract<ClientEvent, { kind: 'closed' }>,
  now: number,
): Transition {
  if (cause === 'refused') return stay({ kind: 'failed', reason });
  const afterMs = backoffMs(attempts + 1, BACKOFF);
  return {
    state: { kind: 'backoff', until: now + afterMs, start, attempts: attempts + 1, starts, reason },
    effects: [{ kind: 'set-timer', afterMs }],
  };
}
