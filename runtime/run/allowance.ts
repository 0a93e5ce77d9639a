// A share of the time for something that is done beside other things. Pure: moments and shares are handed in.

/** Milliseconds that are saved up at most: what was not done in time is not made up for later. */
const MOST = 50;

export class Allowance {
  #left = 0;
  #at: number;

  constructor(now: number) {
    this.#at = now;
  }

  /** Whether there is anything to spend. */
  has(now: number, share: number): boolean {
    this.#left = Math.min(MOST, this.#left + share * (now - this.#at));
    this.#at = now;
    return this.#left > 0;
  }

  /** More than there is may be spent, and is saved up again first. */
  spend(milliseconds: number): void {
    this.#left -= milliseconds;
  }
}
