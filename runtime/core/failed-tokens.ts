// Counts wrong tokens by the address that they came from, so that nobody tries many of them.

import type { Clock } from './clock.ts';

/** A person who copies an old address needs one or two. */
export const MAX_FAILED_TOKENS = 5;
export const FAILED_TOKENS_WINDOW_MS = 1000;
/** The oldest ones leave: the memory is bounded whatever addresses a network has. */
const MAX_ADDRESSES = 10_000;

interface FailedWindow {
  readonly sinceMs: number;
  count: number;
}

export class FailedTokens {
  readonly #clock: Clock;
  /** In the order in which their windows began. */
  readonly #windows = new Map<string, FailedWindow>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True after too many wrong tokens of the address within the last second. */
  isBlocked(address: string): boolean {
    return (this.#windowOf(address)?.count ?? 0) >= MAX_FAILED_TOKENS;
  }

  note(address: string): void {
    const found = this.#windowOf(address);
    if (found !== undefined) {
      found.count += 1;
      return;
    }
    this.#windows.delete(address);
    this.#windows.set(address, { sinceMs: this.#clock.now(), count: 1 });
    if (this.#windows.size <= MAX_ADDRESSES) return;
    for (const oldest of this.#windows.keys()) {
      this.#windows.delete(oldest);
      return;
    }
  }

  /** Undefined for one that has ended. */
  #windowOf(address: string): FailedWindow | undefined {
    const found = this.#windows.get(address);
    const isOver = found !== undefined && this.#clock.now() - found.sinceMs >= FAILED_TOKENS_WINDOW_MS;
    return isOver ? undefined : found;
  }
}

/** For the address that is blocked. */
export const tooManyFailed = (address: string): string =>
  `More than ${MAX_FAILED_TOKENS} wrong tokens of '${address}' came within a second. Wait for a second, and use the newest address that Dartboard printed.`;
