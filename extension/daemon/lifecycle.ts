// The connection to the daemon of the workspace as a pure state machine: a state and an event give the next
// state and the effects to carry out. client.ts carries them out.
//
// Invariants: the client searches for a daemon before it starts one, so that windows share it. It starts one
// only on request. It retries a lost connection with exponential backoff. It does not retry after the daemon
// stopped or refused it.

import { backoffMs } from '../../runtime/core/retry.ts';
import type { DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';

/** `start` allows to start a daemon. */
interface Attempt {
  readonly start: boolean;
  readonly attempts: number;
}

export type ClientState =
  /** No daemon runs, or it stopped, and nothing in this window needs one. */
  | { readonly kind: 'idle' }
  | (Attempt & { readonly kind: 'searching' })
  /** This window started a daemon, which has not written its file yet; it may have exited already. */
  | {
      readonly kind: 'starting';
      readonly since: number;
      readonly attempts: number;
      readonly exitReason?: string;
    }
  | (Attempt & { readonly kind: 'connecting'; readonly daemon: DaemonAddress })
  | {
      readonly kind: 'connected';
      readonly daemon: DaemonAddress;
      readonly since: number;
      readonly attempts: number;
    }
  | (Attempt & { readonly kind: 'backoff'; readonly until: number; readonly reason: string })
  /** The client tries again only on request. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Why a connection closed: the daemon refused it, the daemon stopped, or it broke. */
export type CloseCause = 'refused' | 'stopped' | 'lost';

export type ClientEvent =
  /** Something needs the daemon; `start` allows to start one. */
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
/** A connection of this length resets the count of attempts. */
const STABLE_AFTER_MS = 60_000;
const MAX_ATTEMPTS = 6;

export function transition(state: ClientState, event: ClientEvent, now: number): Transition {
  if (event.kind === 'requested') return onRequest(state, event.start);
  switch (state.kind) {
    case 'searching':
      return event.kind === 'found' ? onSearched(state, event.daemon, now) : stay(state);
    case 'starting':
      return onStarting(state, event, now);
    case 'connecting':
      if (event.kind === 'welcomed')
        return stay({ kind: 'connected', daemon: state.daemon, since: now, attempts: state.attempts });
      return event.kind === 'closed' ? onClosed(state, event, now) : stay(state);
    case 'connected': {
      if (event.kind !== 'closed') return stay(state);
      if (event.cause === 'stopped') return stay(IDLE);
      const attempts = now - state.since >= STABLE_AFTER_MS ? 0 : state.attempts;
      return onClosed({ start: true, attempts }, event, now);
    }
    case 'backoff':
      return event.kind === 'timer' ? search(state.start, state.attempts) : stay(state);
    case 'idle':
    case 'failed':
      return stay(state);
  }
}

const stay = (state: ClientState): Transition => ({ state, effects: [] });

const search = (start: boolean, attempts: number): Transition => ({
  state: { kind: 'searching', start, attempts },
  effects: [{ kind: 'search' }],
});

function onRequest(state: ClientState, start: boolean): Transition {
  switch (state.kind) {
    case 'idle':
      return search(start, 0);
    case 'failed':
      // A passive request does not repeat what failed.
      return start ? search(true, 0) : stay(state);
    case 'backoff':
      return search(start || state.start, state.attempts);
    case 'searching':
    case 'connecting':
      return stay({ ...state, start: start || state.start });
    case 'starting':
    case 'connected':
      return stay(state);
  }
}

function onSearched(
  { start, attempts }: Attempt,
  daemon: DaemonAddress | undefined,
  now: number,
): Transition {
  if (daemon !== undefined) return connect(daemon, start, attempts);
  if (!start) return stay(IDLE);
  return {
    state: { kind: 'starting', since: now, attempts },
    effects: [{ kind: 'start' }, { kind: 'set-timer', afterMs: SEARCH_INTERVAL_MS }],
  };
}

const connect = (daemon: DaemonAddress, start: boolean, attempts: number): Transition => ({
  state: { kind: 'connecting', daemon, start, attempts },
  effects: [{ kind: 'connect', daemon }],
});

function onStarting(state: ClientState & { kind: 'starting' }, event: ClientEvent, now: number): Transition {
  if (event.kind === 'timer') return { state, effects: [{ kind: 'search' }] };
  // The daemon of another window may have been first; the discovery file shows it.
  if (event.kind === 'exited')
    return { state: { ...state, exitReason: event.reason }, effects: [{ kind: 'search' }] };
  if (event.kind !== 'found') return stay(state);
  if (event.daemon !== undefined) return connect(event.daemon, true, state.attempts);
  if (state.exitReason !== undefined) return stay({ kind: 'failed', reason: state.exitReason });
  if (now - state.since >= START_TIMEOUT_MS) {
    const reason = `The Dartboard daemon did not start within ${START_TIMEOUT_MS / 1000} s. Show the log, then try again.`;
    return stay({ kind: 'failed', reason });
  }
  return { state, effects: [{ kind: 'set-timer', afterMs: SEARCH_INTERVAL_MS }] };
}

function onClosed(
  { start, attempts }: Attempt,
  { cause, reason }: Extract<ClientEvent, { kind: 'closed' }>,
  now: number,
): Transition {
  if (cause === 'refused' || attempts + 1 >= MAX_ATTEMPTS) return stay({ kind: 'failed', reason });
  const afterMs = backoffMs(attempts + 1, BACKOFF);
  return {
    state: { kind: 'backoff', until: now + afterMs, start, attempts: attempts + 1, reason },
    effects: [{ kind: 'set-timer', afterMs }],
  };
}
