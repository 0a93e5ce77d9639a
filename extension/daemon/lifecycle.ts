// How this window gets to the workspace's daemon and stays with it, as a pure machine: a state and what happened become the next
// state and what is to be done. No clock, file, process or socket is known here; client.ts does what it says.
//
// Law: a daemon is looked for before one is started, so windows share it. One is started only where somebody asked for what needs it.
// A lost connection is tried again, ever more patiently; one that was closed on purpose is not. Who is told why not can ask again.

import type { DaemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';

export type State =
  /** There is none, or it was stopped on purpose, and nobody needs one. */
  | { readonly kind: 'away' }
  | { readonly kind: 'looking'; readonly start: boolean; readonly tries: number }
  /** A program of ours is coming up; `ended` tells why it went before it was found. */
  | {
      readonly kind: 'starting';
      readonly since: number;
      readonly tries: number;
      readonly ended?: string;
    }
  | {
      readonly kind: 'connecting';
      readonly daemon: DaemonAddress;
      readonly start: boolean;
      readonly tries: number;
    }
  | {
      readonly kind: 'connected';
      readonly daemon: DaemonAddress;
      readonly since: number;
      readonly tries: number;
    }
  | {
      readonly kind: 'waiting';
      readonly until: number;
      readonly start: boolean;
      readonly tries: number;
      readonly why: string;
    }
  /** It is not tried again unless somebody asks. */
  | { readonly kind: 'failed'; readonly why: string };

/** How a connection ended: not let in; by a daemon that goes; or it broke. */
export type How = 'refused' | 'stopped' | 'lost';

export type Event =
  /** Somebody needs the daemon; with `start`, enough to start one. */
  | { readonly kind: 'wanted'; readonly start: boolean }
  | { readonly kind: 'found'; readonly daemon: DaemonAddress | undefined }
  /** The program that this window started has ended. */
  | { readonly kind: 'exited'; readonly why: string }
  | { readonly kind: 'welcomed' }
  | { readonly kind: 'closed'; readonly how: How; readonly why: string }
  | { readonly kind: 'woke' };

export type Effect =
  | { readonly kind: 'look' }
  | { readonly kind: 'start' }
  | { readonly kind: 'connect'; readonly daemon: DaemonAddress }
  | { readonly kind: 'wake'; readonly after: number };

export interface Next {
  readonly state: State;
  readonly effects: readonly Effect[];
}

export const AWAY: State = { kind: 'away' };

/** A daemon that comes up writes its file within a second or two; a slow disk takes longer. */
const START_WITHIN = 30_000;
const LOOK_EVERY = 150;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
/** A connection that held for so long was a good one: what failed before it no longer counts. */
const PROVEN_AFTER = 60_000;
/** Attempts in a row, none of which came to a good connection. */
const MOST_TRIES = 6;

export function next(state: State, event: Event, now: number): Next {
  if (event.kind === 'wanted') return wanted(state, event.start);
  switch (state.kind) {
    case 'looking':
      return event.kind === 'found' ? looked(state, event.daemon, now) : same(state);
    case 'starting':
      return starting(state, event, now);
    case 'connecting':
      if (event.kind === 'welcomed')
        return same({ kind: 'connected', daemon: state.daemon, since: now, tries: state.tries });
      return event.kind === 'closed' ? broken(state, event, now) : same(state);
    case 'connected': {
      if (event.kind !== 'closed') return same(state);
      if (event.how === 'stopped') return same(AWAY);
      const tries = now - state.since >= PROVEN_AFTER ? 0 : state.tries;
      return broken({ start: true, tries }, event, now);
    }
    case 'waiting':
      return event.kind === 'woke' ? look(state.start, state.tries) : same(state);
    case 'away':
    case 'failed':
      return same(state);
  }
}

const same = (state: State): Next => ({ state, effects: [] });

const look = (start: boolean, tries: number): Next => ({
  state: { kind: 'looking', start, tries },
  effects: [{ kind: 'look' }],
});

function wanted(state: State, start: boolean): Next {
  switch (state.kind) {
    case 'away':
      return look(start, 0);
    case 'failed':
      // What only looks on asks for nothing that has failed already.
      return start ? look(true, 0) : same(state);
    case 'waiting':
      return look(start || state.start, state.tries);
    case 'looking':
    case 'connecting':
      return same({ ...state, start: start || state.start });
    case 'starting':
    case 'connected':
      return same(state);
  }
}

type Trying = { readonly start: boolean; readonly tries: number };

function looked({ start, tries }: Trying, daemon: DaemonAddress | undefined, now: number): Next {
  if (daemon !== undefined) return connect(daemon, start, tries);
  if (!start) return same(AWAY);
  return {
    state: { kind: 'starting', since: now, tries },
    effects: [{ kind: 'start' }, { kind: 'wake', after: LOOK_EVERY }],
  };
}

const connect = (daemon: DaemonAddress, start: boolean, tries: number): Next => ({
  state: { kind: 'connecting', daemon, start, tries },
  effects: [{ kind: 'connect', daemon }],
});

function starting(state: State & { kind: 'starting' }, event: Event, now: number): Next {
  if (event.kind === 'woke') return { state, effects: [{ kind: 'look' }] };
  // Another window's may have been first: its file tells.
  if (event.kind === 'exited') return { state: { ...state, ended: event.why }, effects: [{ kind: 'look' }] };
  if (event.kind !== 'found') return same(state);
  if (event.daemon !== undefined) return connect(event.daemon, true, state.tries);
  if (state.ended !== undefined) return same({ kind: 'failed', why: state.ended });
  if (now - state.since >= START_WITHIN)
    return same({ kind: 'failed', why: `It did not come up within ${START_WITHIN / 1000} s.` });
  return { state, effects: [{ kind: 'wake', after: LOOK_EVERY }] };
}

function broken(
  { start, tries }: Trying,
  { how, why }: Extract<Event, { kind: 'closed' }>,
  now: number,
): Next {
  if (how === 'refused' || tries + 1 >= MOST_TRIES) return same({ kind: 'failed', why });
  const after = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries);
  return {
    state: { kind: 'waiting', until: now + after, start, tries: tries + 1, why },
    effects: [{ kind: 'wake', after }],
  };
}
