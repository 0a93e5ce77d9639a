// How the scripts of a page and this program find each other. The two scripts of every page run in different worlds, which share no objects
// but see the same events. An answer is one bit: the listener cancels the event or not.

/** Cancelled while work that an input caused is unfinished. */
export const ASK_BUSY = 'dartboard-busy';
/** The work that is unfinished now is no longer waited for. */
export const FORGET_WORK = 'dartboard-forget';

/** Cancelled by a page that ends its episode itself, as long as the episode goes on. */
export const ASK_GOES_ON = 'dartboard-goes-on';

/** Dispatched with a text that the page wrote to the clipboard. */
export const COPIED_EVENT = 'dartboard-copied';
/** The function of the script's own world that reports the clipboard to this program, as JSON. */
export const COPIED_BINDING = 'dartboardCopied';

/** The symbol of the property of `window` with the clock of a page whose clock stands still. */
export const CLOCK_KEY = 'dartboard.clock';

export interface PageClock {
  /** Milliseconds since 1970. */
  now(): number;
  setDate(milliseconds: number): void;
  /** Lets time pass until this date, and stops the animations that began since. */
  passUntil(milliseconds: number): Promise<void>;
  /** Lets time pass until the work is done. */
  during<Result>(work: () => Result | Promise<Result>): Promise<Result>;
}
