// Mean rollout number and mean length cap of recent groups, for the metrics. It makes no decisions.

import type { PlannedGroup } from './curation/curation.ts';

/** Groups in the moving average: one or two rounds of a suite. */
const WINDOW_GROUPS = 32;

export class OrderStatistics {
  #groups: readonly Pick<PlannedGroup, 'rollouts' | 'maxSteps'>[] = [];

  record({ rollouts, maxSteps }: PlannedGroup): void {
    this.#groups = [...this.#groups, { rollouts, maxSteps }].slice(-WINDOW_GROUPS);
  }

  /** Empty before the first group. */
  means(): Readonly<Record<string, number>> {
    const count = this.#groups.length;
    if (count === 0) return {};
    const mean = (of: 'rollouts' | 'maxSteps') =>
      this.#groups.reduce((sum, each) => sum + each[of], 0) / count;
    return { mean_rollouts: mean('rollouts'), mean_cap: mean('maxSteps') };
  }
}
