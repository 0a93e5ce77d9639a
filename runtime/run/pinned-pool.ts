// The policy pool for orders that require one version of the weights. Orders and weights arrive on two channels, so an order may come
// before its weights and then waits for them.

import type { Version } from '../core/ids.ts';
import type { Choice, DecisionRequest, PolicyPool, Weights } from '../core/policy.ts';

interface Pins extends PolicyPool {
  pin(weights: Weights): void;
  unpin(version: Version): void;
}

export class PinnedPool implements PolicyPool {
  readonly #pool: Pins;
  #pinned: Version | undefined;
  /** Who waits for a version, by the version. */
  readonly #waiting = new Map<Version, { readonly here: Promise<void>; readonly came: () => void }>();

  constructor(pool: Pins) {
    this.#pool = pool;
  }

  /** These are insisted on from now on, and no others. */
  pin(weights: Weights): void {
    const before = this.#pinned;
    this.#pool.pin(weights);
    this.#pinned = weights.version;
    if (before !== undefined && before !== weights.version) this.#pool.unpin(before);
    for (const [version, { came }] of this.#waiting) {
      if (version > weights.version) continue;
      this.#waiting.delete(version);
      came();
    }
  }

  async decide(request: DecisionRequest): Promise<Choice> {
    const { version } = request;
    // An older one comes no more, and is refused by the pool.
    if (version !== undefined && (this.#pinned === undefined || version > this.#pinned))
      await this.#until(version);
    return this.#pool.decide(request);
  }

  #until(version: Version): Promise<void> {
    const known = this.#waiting.get(version);
    if (known !== undefined) return known.here;
    let came = () => {};
    const here = new Promise<void>(resolve => {
      came = resolve;
    });
    this.#waiting.set(version, { here, came });
    return here;
  }
}
