// How many rollouts and how many steps groups are given of late, as the figures of the field have it. It decides nothing.

import type { Planned } from './curation/curation.ts';

/** Groups of which the means are taken: a round or two of a suite. */
const LATELY = 32;

export class Ordered {
  #groups: readonly Pick<Planned, 'rollouts' | 'maxSteps'>[] = [];

  note({ rollouts, maxSteps }: Planned): void {
    this.#groups = [...this.#groups, { rollouts, maxSteps }].slice(-LATELY);
  }

  /** Nothing before the first group. */
  means(): Readonly<Record<string, number>> {
    const count = this.#groups.length;
    if (count === 0) return {};
    const mean = (of: 'rollouts' | 'maxSteps') =>
      this.#groups.reduce((sum, each) => sum + each[of], 0) / count;
    return { mean_rollouts: mean('rollouts'), mean_cap: mean('maxSteps') };
  }
}
