// The policy pool for orders that require one version of the weights. Orders and weights arrive on two channels, so an order may come
// before its weights and then waits for them.

import type { Version } from '../../core/ids.ts';
import type { Choice, DecisionRequest, PolicyPool, Weights } from '../../core/policy.ts';

interface Pins extends PolicyPool {
  pin(weights: Weights): void;
  unpin(version: Version): void;
}

export class PinnedPool implements PolicyPool {
  readonly #pool: Pins;
  #pinned: Version | undefined;
  /** Requests that wait for a version. */
  readonly #waiting = new Map<Version, { readonly arrived: Promise<void>; readonly arrive: () => void }>();

  constructor(pool: Pins) {
    this.#pool = pool;
  }

  /** Pins these weights in place of the last ones. */
  pin(weights: Weights): void {
    const before = this.#pinned;
    this.#pool.pin(weights);
    this.#pinned = weights.version;
    if (before !== undefined && before !== weights.version) this.#pool.unpin(before);
    for (const [version, { arrive }] of this.#waiting) {
      if (version > weights.version) continue;
      this.#waiting.delete(version);
      arrive();
    }
  }

  async decide(request: DecisionRequest): Promise<Choice> {
    const { version } = request;
    // An older version never arrives again, and the pool rejects it.
    if (version !== undefined && (this.#pinned === undefined || version > this.#pinned))
      await this.#until(version);
    return this.#pool.decide(request);
  }

  #until(version: Version): Promise<void> {
    const waiting = this.#waiting.get(version);
    if (waiting !== undefined) return waiting.arrived;
    let arrive = () => {};
    const arrived = new Promise<void>(resolve => {
      arrive = resolve;
    });
    this.#waiting.set(version, { arrived, arrive });
    return arrived;
  }
}
