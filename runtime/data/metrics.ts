// What the data module tells about itself: numbers under the names of the field, and what it waits for since when. It decides nothing.

import type { Clock } from '../core/clock.ts';
import type { Fabric } from '../fabric/fabric.ts';
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

  /** Said when it changes, and again whenever `again`, for who listens only since then. */
  waiting(reason: string | undefined, again = false): void {
    if (reason === this.#reason && !again) return;
    if (reason !== this.#reason) this.#since = this.#clock.now();
    this.#reason = reason;
    const waiting = { kind: 'waiting', reason, since: this.#since } as const;
    this.#events.publish({ module: 'data', at: this.#clock.now(), ...waiting });
  }

  /** Something came: what it waits for now, it waits for since now. */
  worked(): void {
    this.#since = this.#clock.now();
  }

  /** Bound, so that it can be handed on. */
  readonly health = (thing: string, healthy: boolean, message: string): void =>
    this.#events.publish({ module: 'data', at: this.#clock.now(), kind: 'health', thing, healthy, message });
}

/** What became of groups, by the names of the field. */
export const figuresOf = ({ trainable, filtered, injections, duplicates, unsolved }: GroupCounts) => ({
  trainable_groups: trainable,
  filtered_groups: filtered,
  pool_injections: injections,
  duplicates,
  unsolved_instances: unsolved,
});
