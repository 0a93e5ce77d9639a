// Publishes the metrics of the data module, what the module waits for, and since when. It makes no decisions.

import type { Clock } from '../core/clock.ts';
import type { Fabric } from '../fabric/fabric.ts';
import type { PlannedGroup } from './curation/curation.ts';
import type { GroupCounts } from './groups.ts';

export class DataMetrics {
  readonly #events: Fabric['events'];
  readonly #clock: Clock;
  #reason: string | undefined;
  #since: number;

  constructor(events: Fabric['events'], clock: Clock) {
    this.#events = events;
    this.#clock = clock;
    this.#since = clock.now();
  }

  numbers(prefix: string, values: Readonly<Record<string, number>>): void {
    for (const [name, value] of Object.entries(values)) {
      const metric = { kind: 'metric', name: `${prefix}/${name}`, value } as const;
      this.#events.publish({ module: 'data', at: this.#clock.now(), ...metric });
    }
  }

  /** Publishes a changed reason. `again` also repeats an unchanged one, for subscribers that connected since. */
  waiting(reason: string | undefined, again = false): void {
    if (reason === this.#reason && !again) return;
    if (reason !== this.#reason) this.#since = this.#clock.now();
    this.#reason = reason;
    const waiting = { kind: 'waiting', reason, since: this.#since } as const;
    this.#events.publish({ module: 'data', at: this.#clock.now(), ...waiting });
  }

  /** Restarts the waiting time, because an item arrived. */
  progressed(): void {
    this.#since = this.#clock.now();
  }

  /** An arrow function, so that it can be passed as a callback. */
  readonly health = (thing: string, healthy: boolean, message: string): void =>
    this.#events.publish({ module: 'data', at: this.#clock.now(), kind: 'health', thing, healthy, message });
}

export const groupMetrics = ({ trainable, filtered, injections, duplicates, unsolved }: GroupCounts) => ({
  trainable_groups: trainable,
  filtered_groups: filtered,
  pool_injections: injections,
  duplicates,
  unsolved_instances: unsolved,
});

/** Groups in the moving average: one or two rounds of a suite. */
const WINDOW_GROUPS = 32;

/** Mean rollout number and mean length cap of recent groups. */
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
