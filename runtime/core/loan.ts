// The loan of a training desktop to a person: requests of the daemon, and replies of the host that has the desktop. Plain data.
//
// Law: a request is performed at most once, and has one reply. One that is delivered again is refused, since it may have been performed.

import type { Action } from './action.ts';
import type { Failure } from './failure.ts';
import type { DesktopId } from './ids.ts';
import type { Pixels, Point, Screen } from './screen.ts';
import type { Getter, Instance, SetupStep } from './task.ts';
import type { Ending, Verdict } from './verdict.ts';

export interface LoanRequest {
  /** Unique in its run. */
  readonly id: string;
  /** The borrower chose this name, unique in the run. */
  readonly loan: string;
  readonly call: LoanCall;
}

/** `borrow` comes first. Then each call of the desktop waits for the reply to the one before; `keep` and `hold` do not. */
export type LoanCall =
  /** Interrupts the episode that plays on this desktop. */
  | { readonly kind: 'borrow'; readonly desktop: DesktopId; readonly who: string }
  | { readonly kind: 'reset'; readonly instance: Instance }
  | { readonly kind: 'act'; readonly action: Action }
  | { readonly kind: 'look' }
  | { readonly kind: 'clickAgain'; readonly at: Point; readonly press: 2 | 3 }
  | { readonly kind: 'query'; readonly getter: Getter }
  | { readonly kind: 'setup'; readonly step: SetupStep }
  | { readonly kind: 'judge'; readonly ending: Ending }
  /** Somebody still uses the desktop. */
  | { readonly kind: 'keep' }
  /** The reply comes when the loan is over: a failure if the desktop returned by itself. */
  | { readonly kind: 'hold' }
  /** Returns the desktop to the training; withdraws a `borrow` without a reply. */
  | { readonly kind: 'return' };

/** The value of the reply to each call. */
export interface LoanValues {
  readonly borrow: LentDesktop;
  readonly reset: LentScreen & { readonly instruction?: string };
  readonly act: LentScreen;
  readonly look: LentScreen;
  readonly clickAgain: LentScreen;
  readonly query: unknown;
  readonly setup: undefined;
  readonly judge: Verdict;
  readonly keep: undefined;
  readonly hold: undefined;
  readonly return: undefined;
}

export type LoanReply =
  | { readonly request: string; readonly value: unknown }
  | { readonly request: string; readonly failure: Failure };

/** A screen whose pixels are absent if they equal those that the loan sent last. */
export interface LentScreen extends Omit<Screen, 'pixels'> {
  readonly pixels?: Pixels;
}

export interface LentDesktop {
  readonly renderer?: string;
  /** Whether it has the optional calls. */
  readonly canLook: boolean;
  readonly canClickAgain: boolean;
  readonly episode: InterruptedEpisode;
}

/** An episode that stopped between two calls of its desktop. */
export interface InterruptedEpisode {
  readonly instance: Instance;
  readonly instruction: string;
  readonly actions: readonly Action[];
  /** The screens before each action and the present one, as PNG; absent on a desktop whose frames can be redrawn. */
  readonly images?: readonly Uint8Array[];
  /** The present one. */
  readonly screen: Screen;
}
