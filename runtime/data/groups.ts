// The groups under way: their rollouts as they come back, the complete ones until a batch is full, and the latest success of each
// instance. What becomes of a rollout is booked here; orders and channels are not its affair.

import type { BatchGroup } from '../contracts/batch.ts';
import type { BatchId, GroupId, OrderId, TrajectoryId, Version } from '../contracts/ids.ts';
import type { Instance } from '../contracts/task.ts';
import type { Books } from './books.ts';
import type { Decided } from './decided.ts';
import { judgedAs, type Rollout } from './rollouts.ts';
import { behind, compared, type Settled, settled } from './settling.ts';
import type { Bound } from './staleness.ts';

export interface GroupsOptions {
  readonly bound: Bound;
  /** A batch with so many steps is full, however few trajectories they belong to. */
  readonly stepsPerBatch: number;
  readonly books: Books;
  readonly decided: (decided: Decided) => void;
}

/** What a batch is made of. */
export interface Gathered {
  readonly id: BatchId;
  readonly groups: readonly BatchGroup[];
  /** Of each trajectory, but of stored successes, how many versions its oldest step is behind. */
  readonly behind: readonly number[];
}

export interface GroupCounts {
  readonly trainable: number;
  readonly filtered: number;
  readonly injections: number;
  /** Trajectories that were too old. */
  readonly dropped: number;
}

interface Group {
  readonly id: GroupId;
  readonly instance: Instance;
  /** Whose rollouts are not back. */
  readonly missing: Set<OrderId>;
  /** In the order in which they came back. */
  rollouts: Rollout[];
}

export class Groups {
  readonly #options: GroupsOptions;
  readonly #open = new Map<OrderId, Group>();
  /** Complete ones that will train unless they get too old, the oldest first. */
  #complete: Group[] = [];
  readonly #successes = new Map<string, Rollout>();
  /** Verdicts by hand, for whenever the trajectory comes. */
  readonly #byHand = new Map<TrajectoryId, boolean>();
  readonly #counts = { trainable: 0, filtered: 0, injections: 0, dropped: 0 };

  constructor(options: GroupsOptions) {
    this.#options = options;
  }

  ordered(id: GroupId, instance: Instance, orders: readonly OrderId[]): void {
    const group: Group = { id, instance, missing: new Set(orders), rollouts: [] };
    for (const order of orders) {
      this.#options.books.submitted(order);
      this.#open.set(order, group);
    }
  }

  /** A rollout of an order that is open; undefined where it broke: its group goes on with one less. */
  back(order: OrderId, rollout: Rollout | undefined, version: Version): void {
    const group = this.#open.get(order);
    if (group === undefined) return;
    this.#open.delete(order);
    group.missing.delete(order);
    const { books } = this.#options;
    if (rollout === undefined) books.ended(order, 'failed');
    else {
      books.played(order);
      group.rollouts.push(this.#corrected(rollout));
    }
    if (group.missing.size > 0) return;
    this.#complete.push(group);
    this.settle(version);
  }

  /** A success of an instance, for the day on which all of a group fail. */
  store(instance: Instance, rollout: Rollout): void {
    const known = this.#corrected(rollout);
    if (known.isSuccess) this.#successes.set(keyOf(instance), known);
  }

  /** In place of the evaluator's, as long as the trajectory has not trained. */
  judge(id: TrajectoryId, success: boolean): void {
    this.#byHand.set(id, success);
    for (const [key, stored] of this.#successes)
      if (stored.id === id && !success) this.#successes.delete(key);
    for (const group of new Set([...this.#open.values(), ...this.#complete])) {
      group.rollouts = group.rollouts.map(rollout => this.#corrected(rollout));
      const judged = group.rollouts.find(rollout => rollout.id === id);
      if (judged !== undefined) this.store(group.instance, judged);
    }
  }

  /** Gives up what has got too old, and the groups that are worth nothing without it. */
  settle(version: Version): void {
    this.#complete = this.#complete.filter(group => {
      const fate = this.#settled(group, version);
      if (fate.trains.length > 0 && fate.dropped.length === 0) return true;
      const trains = fate.trains.length > 0;
      this.#setAside(group, { ...fate, filtered: trains ? [] : fate.filtered });
      if (!trains) this.#counts.filtered += 1;
      return trains;
    });
  }

  /** The groups of one batch, the oldest first; undefined while there are not enough. A name is given only where there are. */
  batch(named: () => BatchId, version: Version): Gathered | undefined {
    this.settle(version);
    const { bound, stepsPerBatch } = this.#options;
    let [rollouts, steps, taken] = [0, 0, 0];
    for (const group of this.#complete) {
      if (rollouts >= bound.perUpdate || steps >= stepsPerBatch) break;
      const { trains } = this.#settled(group, version);
      // A stored success counts in the place of the failure: as many as are under way make a batch full, or nobody could go on.
      rollouts += trains.length;
      steps += trains.reduce((sum, rollout) => sum + rollout.steps.length, 0);
      taken += 1;
    }
    if (rollouts < bound.perUpdate && steps < stepsPerBatch) return undefined;
    const id = named();
    const parts = this.#complete.splice(0, taken).map(group => this.#train(group, id, version));
    return { id, groups: parts.map(({ group }) => group), behind: parts.flatMap(part => part.behind) };
  }

  counts(): GroupCounts {
    return this.#counts;
  }

  #train(group: Group, batch: BatchId, version: Version) {
    const { books, decided } = this.#options;
    const { id, instance } = group;
    const fate = this.#settled(group, version);
    const own = fate.trains.filter(rollout => group.rollouts.includes(rollout));
    for (const { order } of own) if (order !== undefined) books.ended(order, 'accepted');
    if (fate.filtered.length > 0) this.#setAside(group, fate);
    this.#counts.trainable += 1;
    if (fate.injected) this.#counts.injections += 1;
    decided({
      kind: 'trained',
      group: id,
      instance,
      batch,
      rollouts: own.length,
      injected: fate.injected,
      why: fate.why,
    });
    const steps = compared(fate.trains).flatMap(({ rollout, advantage }) =>
      rollout.steps.map((step, index) => ({ trajectory: rollout.id, index, ...step, advantage })),
    );
    return {
      group: { group: id, instance, injected: fate.injected, steps },
      behind: own.map(rollout => behind(rollout, version)),
    };
  }

  /** They train no more: that is booked and told. */
  #setAside(group: Group, { dropped, filtered, why }: Settled): void {
    const { books, decided } = this.#options;
    for (const { order } of dropped) if (order !== undefined) books.ended(order, 'dropped');
    for (const { order } of filtered) if (order !== undefined) books.ended(order, 'filtered');
    this.#counts.dropped += dropped.length;
    group.rollouts = group.rollouts.filter(
      rollout => !dropped.includes(rollout) && !filtered.includes(rollout),
    );
    const { id, instance } = group;
    const sums = { dropped: dropped.length, filtered: filtered.length };
    decided({ kind: 'set aside', group: id, instance, ...sums, why });
  }

  #settled({ instance, rollouts }: Group, version: Version): Settled {
    return settled(rollouts, version, this.#options.bound, this.#successes.get(keyOf(instance)));
  }

  #corrected(rollout: Rollout): Rollout {
    const success = this.#byHand.get(rollout.id);
    return success === undefined || success === rollout.isSuccess ? rollout : judgedAs(rollout, success);
  }
}

const keyOf = ({ task, seed }: Instance): string => `${seed} ${task}`;
