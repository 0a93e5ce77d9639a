// Limits background work to a share of the time. Pure.

/** Unused time beyond this is lost. */
const MAX_SAVED_MS = 50;

export class Allowance {
  #leftMs = 0;
  #updatedAt: number;

  constructor(now: number) {
    this.#updatedAt = now;
  }

  /** Adds the time since the last call, and returns whether any is left. */
  has(now: number, share: number): boolean {
    this.#leftMs = Math.min(MAX_SAVED_MS, this.#leftMs + share * (now - this.#updatedAt));
    this.#updatedAt = now;
    return this.#leftMs > 0;
  }

  /** May spend more than is left; the debt is paid first. */
  spend(milliseconds: number): void {
    this.#leftMs -= milliseconds;
  }
}
