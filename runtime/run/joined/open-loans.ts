// The loans of a joined host that a person still has: a host that drains waits for them.

import type { LoanRequest } from '../../core/loan.ts';

export class OpenLoans {
  /** The requests that are answered when a loan has begun or is over. */
  readonly #requests = new Set<string>();
  #waiting: (() => void)[] = [];

  get size(): number {
    return this.#requests.size;
  }

  requested({ id, call }: LoanRequest): void {
    if (call.kind === 'borrow' || call.kind === 'hold') this.#requests.add(id);
  }

  replied(request: string): void {
    this.#requests.delete(request);
    if (this.#requests.size > 0) return;
    for (const wake of this.#waiting) wake();
    this.#waiting = [];
  }

  /** Resolves as soon as no desktop is lent. */
  async returned(): Promise<void> {
    while (this.#requests.size > 0) await new Promise<void>(resolve => this.#waiting.push(resolve));
  }
}
