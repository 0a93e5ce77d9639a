// The groups under way: their rollouts as they come back, the complete ones until a batch is full, and the latest success of each
// instance. What becomes of a rollout is booked here; orders and channels are not its affair.

import { deserializeValue } from '../agent/serialized-value.ts';
import type { Batch } from '../core/batch.ts';
import type { BatchId, GroupId, OrderId, TrajectoryId, Version } from '../core/ids.ts';
import { type Instance, instanceKey } from '../core/task.ts';
import type { Decided } from './decision-log.ts';
import { compared, reasonsAside, type Settled, settled } from './group-filter.ts';
import type { RolloutLedger } from './rollout-ledger.ts';
import { judgedAs, type Rollout, type Stored } from './rollouts.ts';
import type { Bound } from './staleness.ts';

export interface GroupsOptions {
  readonly bound: Bound;
  /** A batch with so many steps is full, however few trajectories they belong to. */
  readonly stepsPerBatch: number;
  /** Whether a stored success stands in where all of a group failed. */
  readonly successPool: boolean;
  readonly books: RolloutLedger;
  readonly decided: (decided: Decided) => void;
  /** Of earlier lives. */
  readonly before?: GroupTally;
}

/** A batch, and how many trajectories of the run train in it: stored successes are none of them. */
export interface Gathered {
  readonly batch: Omit<Batch, 'run'>;
  readonly trajectories: number;
}

/** Plain numbers. */
export interface GroupTally {
  readonly trainable: number;
  readonly filtered: number;
  readonly injections: number;
  /** Trajectories that were too old. */
  readonly dropped: number;
  /** Trajectories that were the same as another of their group. */
  readonly duplicates: number;
}

export interface GroupCounts extends GroupTally {
  /** Instances of which all rollouts of a group failed and no success is known. */
  readonly unsolved: number;
}

export interface Judged {
  readonly instance: Instance;
  readonly rollout: Rollout;
}

interface Group {
  readonly id: GroupId;
  readonly instance: Instance;
  /** Whose rollouts are not back. */
  readonly missing: Set<OrderId>;
  /** In the order in which they came back. */
  rollouts: Rollout[];
}

/** What trains, in numbers. */
interface Volume {
  readonly rollouts: number;
  readonly steps: number;
}

/** A complete group that will train, with what it adds to a batch. */
interface Complete extends Volume {
  readonly group: Group;
}

export class Groups {
  readonly #options: GroupsOptions;
  readonly #open = new Map<OrderId, Group>();
  /** Those that will train unless they get too old, the oldest first; and what all of them come to. */
  #complete: Complete[] = [];
  #volume: Volume = NOTHING;
  /** Nothing changes for a complete group before the next version, unless something is said of its instance. */
  #settledAt: Version | undefined;
  readonly #successes = new Map<string, Stored>();
  /** Verdicts by hand, for whenever the trajectory comes. */
  readonly #byHand = new Map<TrajectoryId, boolean>();
  readonly #unsolved = new Set<string>();
  readonly #counts;

  constructor(options: GroupsOptions) {
    this.#options = options;
    this.#counts = { ...(options.before ?? NO_GROUPS) };
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
    this.settle(version);
    this.#admit(group, version);
  }

  /** A success of an instance, for the day on which all of a group fail. */
  store(instance: Instance, success: Stored): void {
    const key = instanceKey(instance);
    this.#unsolved.delete(key);
    // It takes the place of the one that may stand in a group already.
    if (this.#successes.has(key)) this.#settledAt = undefined;
    this.#successes.set(key, success);
  }

  /** It stands in no longer; another success of its instance may. */
  withdraw(instance: Instance, id: TrajectoryId, instead: Stored | undefined): void {
    const key = instanceKey(instance);
    if (this.#successes.get(key)?.id !== id) return;
    this.#settledAt = undefined;
    this.#successes.delete(key);
    if (instead !== undefined) this.store(instance, instead);
  }

  /** In place of the evaluator's, which counts again after null. Gives what has not trained yet and is judged otherwise from now on. */
  judge(id: TrajectoryId, success: boolean | null): Judged | undefined {
    if (success === null) this.#byHand.delete(id);
    else this.#byHand.set(id, success);
    this.#settledAt = undefined;
    for (const group of new Set([...this.#open.values(), ...this.#complete.map(each => each.group)])) {
      const place = group.rollouts.findIndex(each => each.id === id);
      const before = group.rollouts[place];
      if (before === undefined) continue;
      const rollout = this.#corrected(before);
      group.rollouts = group.rollouts.with(place, rollout);
      return { instance: group.instance, rollout };
    }
    return undefined;
  }

  /** Gives up what has got too old, and the groups that are worth nothing without it. */
  settle(version: Version): void {
    if (version === this.#settledAt) return;
    this.#settledAt = version;
    const before = this.#complete;
    this.#complete = [];
    this.#volume = NOTHING;
    for (const { group } of before) this.#admit(group, version);
  }

  /** Among the complete ones, if anything of it will train. */
  #admit(group: Group, version: Version): void {
    const fate = this.#settled(group, version);
    if (fate.trains.length === 0) {
      this.#noteUnsolved(group);
      this.#setAside(group, fate);
      this.#counts.filtered += 1;
      return;
    }
    // These release their places at once: a batch that waits for as many as are under way would wait for them too.
    this.#setAside(group, { ...fate, filtered: [] });
    // A stored success counts in the place of the failure: as many as are under way make a batch full, or nobody could go on.
    const steps = fate.trains.reduce((sum, rollout) => sum + rollout.steps.length, 0);
    const complete = { group, rollouts: fate.trains.length, steps };
    this.#complete.push(complete);
    this.#volume = plus(this.#volume, complete);
  }

  /** The groups of one batch, the oldest first; undefined while there are not enough. A name is given only where there are. */
  batch(named: () => BatchId, version: Version): Gathered | undefined {
    this.settle(version);
    if (!this.#isBatch(this.#volume)) return undefined;
    const id = named();
    let taken = NOTHING;
    const last = this.#complete.findIndex(each => {
      taken = plus(taken, each);
      return this.#isBatch(taken);
    });
    const groups = this.#complete.splice(0, last + 1);
    this.#volume = this.#complete.reduce(plus, NOTHING);
    const parts = groups.map(({ group }) => this.#train(group, id, version));
    const own = parts.flatMap(part => part.own);
    const oldest = own.flatMap(rollout => rollout.oldest ?? []);
    return { batch: { id, groups: parts.map(({ group }) => group), oldest }, trajectories: own.length };
  }

  #isBatch({ rollouts, steps }: Volume): boolean {
    const { bound, stepsPerBatch } = this.#options;
    return rollouts >= bound.perUpdate || steps >= stepsPerBatch;
  }

  counts(): GroupCounts {
    return { ...this.#counts, unsolved: this.#unsolved.size };
  }

  save(): GroupTally {
    return { ...this.#counts };
  }

  #train(group: Group, batch: BatchId, version: Version) {
    const { books, decided } = this.#options;
    const { id, instance } = group;
    const fate = this.#settled(group, version);
    const own = fate.trains.filter(rollout => group.rollouts.includes(rollout));
    for (const { order } of own) if (order !== undefined) books.ended(order, 'accepted');
    this.#setAside(group, fate);
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
    return { group: { group: id, instance, injected: fate.injected, steps }, own };
  }

  /** They train no more: that is booked and told. */
  #setAside(group: Group, fate: Settled): void {
    const { books, decided } = this.#options;
    const { dropped, duplicates, filtered } = fate;
    const aside = [...dropped, ...duplicates, ...filtered];
    // A group of which nothing came back is told of as well.
    if (aside.length === 0 && fate.trains.length > 0) return;
    for (const { order } of dropped) if (order !== undefined) books.ended(order, 'dropped');
    for (const { order } of [...duplicates, ...filtered])
      if (order !== undefined) books.ended(order, 'filtered');
    this.#counts.dropped += dropped.length;
    this.#counts.duplicates += duplicates.length;
    group.rollouts = group.rollouts.filter(rollout => !aside.includes(rollout));
    const { id, instance } = group;
    const sums = { dropped: dropped.length, duplicates: duplicates.length, filtered: filtered.length };
    decided({ kind: 'set aside', group: id, instance, ...sums, why: reasonsAside(fate) });
  }

  #noteUnsolved({ instance, rollouts }: Group): void {
    const key = instanceKey(instance);
    if (rollouts.length > 0 && !rollouts.some(({ isSuccess }) => isSuccess) && !this.#successes.has(key))
      this.#unsolved.add(key);
  }

  #settled({ instance, rollouts }: Group, version: Version): Settled {
    const { bound, successPool } = this.#options;
    const stored = successPool ? this.#successes.get(instanceKey(instance)) : undefined;
    return settled(rollouts, version, bound, stored && (() => deserializeValue(stored.packed)));
  }

  #corrected(rollout: Rollout): Rollout {
    return judgedAs(rollout, this.#byHand.get(rollout.id));
  }
}

const NO_GROUPS: GroupTally = { trainable: 0, filtered: 0, injections: 0, dropped: 0, duplicates: 0 };
const NOTHING: Volume = { rollouts: 0, steps: 0 };

const plus = (one: Volume, other: Volume): Volume => ({
  rollouts: one.rollouts + other.rollouts,
  steps: one.steps + other.steps,
});
