/** Time, passed to every module as an argument, so that tests replay a whole run under a virtual clock. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves once `now` has advanced by so many milliseconds. Rejects with the signal's reason when it is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Resolves after so many milliseconds, or as soon as the signal is aborted: for loops that test the signal themselves. */
export const sleepUnlessAborted = (clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> =>
  // A sleep rejects only because its signal is aborted.
  clock.sleep(milliseconds, signal).catch(() => undefined);
