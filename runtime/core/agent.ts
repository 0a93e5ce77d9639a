// The interface of an agent: screens in, actions out. `compact` is one agent; each model behind an endpoint is another. The runner of
// an episode knows nothing else about them.

import type { Action } from './action.ts';
import type { Candidate } from './decision.ts';
import type { Version } from './ids.ts';
import type { EncodedObservation, Mode } from './policy.ts';
import type { Random } from './rng.ts';
import type { Screen } from './screen.ts';
import type { Trace } from './trace.ts';

/** The built-in agent. */
export const COMPACT_AGENT = 'compact';

/** The name of its weights that come with Dartboard, in options, and of their run in their file. */
export const BASE = 'base';

export interface Agent {
  /** The name that users know: 'compact', or the name in dartboard.json. */
  readonly id: string;
  begin(task: AgentTask): AgentSession;
}

export interface AgentTask {
  /** Unique per episode: requests of one episode go to the same server, which has its prefix in the cache. */
  readonly episode: string;
  readonly instruction: string;
  readonly mode: Mode;
  readonly maxSteps: number;
  /** 1 samples from the policy; 0 takes the likeliest choice. */
  readonly temperature: number;
  /** The probability of a random choice, for agents that support it. */
  readonly exploration: number;
  /** Random choices prefer what the screen offers and the instruction names. Otherwise all are equally likely. */
  readonly isGuided?: boolean;
  /** Decide with exactly this version, or reject. */
  readonly version?: Version;
  /** The source of the seed of each turn. */
  readonly random: Random;
  /** Abandons pending requests. */
  readonly signal: AbortSignal;
}

/**
 * Laws:
 * - `next` and `acted` alternate: one `acted` for each action of a turn that was performed, in order.
 * - `next` does not keep the pixels of the screen after it resolves.
 * - A reply without a readable action is a turn with the action `none`. `next` rejects, with a BoundaryError of the boundary `policy` or
 *   `provider`, only when there is no reply.
 * - The cost of `next` does not grow with the length of the episode.
 * - Actions of a turn that were not performed before the next call of `next` or `witnessed` never will be, and leave no trace in the history.
 */
export interface AgentSession {
  next(screen: Screen): Promise<Turn>;
  acted(action: Action, screen: Screen): void;
  /**
   * Somebody else acted, for example a person who corrects. The history then has this action as if the agent had chosen it on the screen
   * `before`. Never while `next` is pending; the pixels of both screens stay valid until the next call.
   */
  witnessed(action: Action, before: Screen, after: Screen): Promise<void>;
  /** Releases what the episode holds. Repeated calls have no effect. */
  close(): void;
}

/** The same session with another `next`. */
export const withNext = (session: AgentSession, next: AgentSession['next']): AgentSession => ({
  next,
  acted: (action, screen) => session.acted(action, screen),
  witnessed: (action, before, after) => session.witnessed(action, before, after),
  close: () => session.close(),
});

/** One reply of the policy: one or several actions. */
export interface Turn {
  readonly observation: EncodedObservation;
  readonly actions: readonly [TurnAction, ...TurnAction[]];
  readonly trace: Trace;
  readonly version: Version;
  /** Images of the observation that earlier turns of the episode did not contain. */
  readonly images?: readonly SentImage[];
}

export interface TurnAction {
  readonly action: Action;
  /** The targets of the pointer, in order; empty if the agent chose coordinates. */
  readonly meant: readonly Candidate[];
}

/** An image exactly as it was sent. */
export interface SentImage {
  /** In hexadecimal digits. */
  readonly sha256: string;
  readonly png: Uint8Array;
}
