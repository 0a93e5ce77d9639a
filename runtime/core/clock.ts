/** Time, passed to every module as an argument, so that tests replay a whole run under a virtual clock. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves once `now` has advanced by so many milliseconds. Rejects with the signal's reason when it is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
