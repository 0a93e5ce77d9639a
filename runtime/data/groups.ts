// The state of all unfinished groups: rollouts that returned, complete groups until a batch is full, and the latest success of each
// instance. It records the end of each rollout in the ledger. It does not create orders and does not use channels.

import { deserializeValue } from '../agents/compact/serialized-value.ts';
import { at } from '../core/at.ts';
import type { Batch, BatchGroup } from '../core/batch.ts';
import {
  type BatchId,
  type GroupId,
  groupId,
  type OrderId,
  type TrajectoryId,
  type Version,
} from '../core/ids.ts';
import { sum } from '../core/sum.ts';
import { type Instance, instanceKey } from '../core/task.ts';
import { type AdvantageKind, needsCritics, stepAdvantages } from './advantage.ts';
import { Critics } from './critics/critics.ts';
import type { GroupDecision } from './files/decision-lines.ts';
import { describeRemoval, type FilteredGroup, filterByCritics, filterGroup, ruleOf } from './group-filter.ts';
import type { PositiveReplay } from './pool/positive-replay.ts';
import { type RewardShaping, shapedReward } from './reward-shaping.ts';
import type { RolloutLedger } from './rollout-ledger.ts';
import { type StoredRollout, type TrainingRollout, withManualVerdict } from './rollouts.ts';

export interface GroupsOptions {
  /** In optimiser steps, between the weights that chose a step and the newest published ones. */
  readonly maxStaleness: number;
  readonly trajectoriesPerBatch: number;
  /** A batch with this number of steps is full, however few trajectories it has. */
  readonly stepsPerBatch: number;
  /** Whether a stored success replaces a failure when all rollouts of a group failed. */
  readonly successPool: boolean;
  readonly advantages: AdvantageKind;
  readonly shaping: RewardShaping;
  /** Successes of earlier batches that train again. */
  readonly positives: PositiveReplay;
  readonly ledger: RolloutLedger;
  readonly onDecision: (decision: GroupDecision) => void;
  /** Counts of earlier processes of the run. */
  readonly previous?: GroupTally;
}

/** A rollout that is not trained yet, with a verdict by hand. */
interface JudgedRollout {
  readonly instance: Instance;
  readonly rollout: TrainingRollout;
}

/** A batch, and the number of its trajectories that the run ordered; stored successes are not counted. */
export interface GatheredBatch {
  readonly batch: Omit<Batch, 'run'>;
  readonly trajectories: number;
}

/** Plain data. */
export interface GroupTally {
  readonly trainable: number;
  readonly filtered: number;
  readonly injections: number;
  /** Trajectories beyond the staleness bound. */
  readonly dropped: number;
  /** Trajectories with the same content as another one of their group. */
  readonly duplicates: number;
}

export interface GroupCounts extends GroupTally {
  /** Instances with a group of failures only and without a stored success. */
  readonly unsolved: number;
}

interface Group {
  readonly id: GroupId;
  readonly instance: Instance;
  /** The step limit of its rollouts. */
  readonly limit: number;
  /** Orders whose rollouts did not return yet. */
  readonly missing: Set<OrderId>;
  /** In the order of their return. */
  rollouts: TrainingRollout[];
}

/** A complete group that will train, and its part that does. */
interface CompleteGroup {
  readonly group: Group;
  readonly result: FilteredGroup;
  readonly size: Size;
}

/** Of the rollouts that train. */
interface Size {
  readonly rollouts: number;
  readonly steps: number;
}

export class Groups {
  readonly #options: GroupsOptions;
  readonly #critics: Critics | undefined;
  /** The advantages of the steps of each rollout that trains. */
  readonly #advantages: (group: CompleteGroup) => readonly (readonly number[])[];
  readonly #open = new Map<OrderId, Group>();
  /** Groups that will train unless they become too old, oldest first. */
  #complete: CompleteGroup[] = [];
  /** Of all complete groups. */
  #ready: Size = NOTHING;
  /** The version of the last filtering. A complete group changes only with the version, a manual verdict or a stored success. */
  #filteredAt: Version | undefined;
  readonly #successes = new Map<string, StoredRollout>();
  /** The shortest success of each instance. A restarted data module learns them again. */
  readonly #shortest = new Map<string, { readonly id: TrajectoryId; readonly actions: number }>();
  /** Manual verdicts, which may precede their trajectory. */
  readonly #manualVerdicts = new Map<TrajectoryId, boolean>();
  /** Neither replayed nor the shortest success. They still train in their own group. */
  readonly #rejected = new Set<TrajectoryId>();
  readonly #unsolved = new Set<string>();
  readonly #counts;

  constructor(options: GroupsOptions) {
    this.#options = options;
    const { advantages } = options;
    if (needsCritics(advantages)) {
      const critics = new Critics(advantages);
      this.#critics = critics;
      this.#advantages = ({ result }) => critics.advantages(result.trains);
    } else
      this.#advantages = ({ group, result }) =>
        stepAdvantages(this.#shaped(group, result.trains), advantages);
    this.#counts = { ...(options.previous ?? NO_GROUPS) };
  }

  open(id: GroupId, instance: Instance, orders: readonly OrderId[], limit = Number.POSITIVE_INFINITY): void {
    const group: Group = { id, instance, limit, missing: new Set(orders), rollouts: [] };
    for (const order of orders) {
      this.#options.ledger.submit(order);
      this.#open.set(order, group);
    }
  }

  /** Adds the rollout of an open order. `undefined` means that it broke: its group continues with one rollout fewer. */
  receive(order: OrderId, rollout: TrainingRollout | undefined, version: Version): void {
    const group = this.#open.get(order);
    if (group === undefined) return;
    this.#open.delete(order);
    group.missing.delete(order);
    const { ledger } = this.#options;
    if (rollout === undefined) ledger.end(order, 'failed');
    else {
      ledger.markPlayed(order);
      const judged = this.#withVerdict(rollout);
      group.rollouts.push(judged);
      this.#noteLength(group.instance, judged);
      this.#critics?.learn(group.instance, judged);
    }
    if (group.missing.size > 0) return;
    this.refilter(version);
    this.#admit(group, version);
  }

  /** Stores a success, which replaces a failure when all rollouts of a later group fail. */
  store(instance: Instance, success: StoredRollout): void {
    const key = instanceKey(instance);
    this.#unsolved.delete(key);
    // A complete group may already use the previous success.
    if (this.#successes.has(key)) this.#filteredAt = undefined;
    this.#successes.set(key, success);
    if (this.#options.shaping.shortestPath > 0) this.#noteLength(instance, deserializeValue(success.packed));
  }

  /** Removes a stored success and optionally replaces it with another one of the instance. */
  withdraw(instance: Instance, id: TrajectoryId, replacement: StoredRollout | undefined): void {
    const key = instanceKey(instance);
    if (this.#successes.get(key)?.id !== id) return;
    this.#filteredAt = undefined;
    this.#successes.delete(key);
    if (replacement !== undefined) this.store(instance, replacement);
  }

  /** Sets a manual verdict; null restores the evaluator's. Returns the rollout with the new verdict if it is not trained yet. */
  judge(id: TrajectoryId, success: boolean | null): JudgedRollout | undefined {
    if (success === null) this.#manualVerdicts.delete(id);
    else this.#manualVerdicts.set(id, success);
    this.#filteredAt = undefined;
    for (const group of new Set([...this.#open.values(), ...this.#complete.map(each => each.group)])) {
      const place = group.rollouts.findIndex(each => each.id === id);
      const before = group.rollouts[place];
      if (before === undefined) continue;
      const rollout = this.#withVerdict(before);
      group.rollouts = group.rollouts.with(place, rollout);
      return { instance: group.instance, rollout };
    }
    return undefined;
  }

  /** False: a person rejected it or judged it a failure, until `true` follows. */
  setMembership(id: TrajectoryId, isMember: boolean): void {
    if (isMember) {
      this.#rejected.delete(id);
      return;
    }
    this.#rejected.add(id);
    this.#options.positives.remove(id);
    // Longer successes are learned again as they train.
    for (const [key, known] of this.#shortest) if (known.id === id) this.#shortest.delete(key);
  }

  /** Drops rollouts that became too old, and groups that carry no gradient without them. */
  refilter(version: Version): void {
    if (version === this.#filteredAt) return;
    this.#filteredAt = version;
    const before = this.#complete;
    this.#complete = [];
    this.#ready = NOTHING;
    for (const { group } of before) this.#admit(group, version);
  }

  /** Adds a group to the complete ones if at least part of it will train. */
  #admit(group: Group, version: Version): void {
    const result = this.#filter(group, version);
    if (result.trains.length === 0) {
      this.#noteUnsolved(group);
      this.#remove(group, result);
      this.#counts.filtered += 1;
      return;
    }
    // Rollouts that do not train release their capacity at once; otherwise a batch that waits for the running rollouts would wait for them too.
    // The failure that a stored success replaces stays, and the success counts like it; otherwise the running rollouts might never fill a batch.
    const replacedCount = Number(result.injected);
    const [replaced, useless] = [
      result.filtered.slice(0, replacedCount),
      result.filtered.slice(replacedCount),
    ];
    this.#remove(group, { ...result, filtered: useless });
    const size = sizeOf(result.trains);
    this.#ready = sumOf(this.#ready, size);
    this.#complete.push({
      group,
      result: { ...result, dropped: [], duplicates: [], filtered: replaced },
      size,
    });
  }

  /** The groups of one batch, oldest first; undefined while there are not enough. Only a full batch gets an id. */
  batch(nextId: () => BatchId, version: Version): GatheredBatch | undefined {
    this.refilter(version);
    // Called after each trajectory, so it does not look through thousands of groups that are too few.
    if (!this.#isFull(this.#ready)) return undefined;
    let size = NOTHING;
    const last = this.#complete.findIndex(each => {
      size = sumOf(size, each.size);
      return this.#isFull(size);
    });
    const id = nextId();
    const groups = this.#complete.splice(0, last + 1);
    this.#ready = { rollouts: this.#ready.rollouts - size.rollouts, steps: this.#ready.steps - size.steps };
    const parts = groups.map(each => this.#train(each, id));
    const own = parts.flatMap(part => part.own);
    const oldest = own.flatMap(rollout => rollout.oldest ?? []);
    const { positives } = this.#options;
    // Before this batch enters the buffer: none of its trajectories is in it twice.
    const replayed = positives
      .draw(sum(parts.map(({ trains }) => trains)))
      // A group of its own: the mask of the first one shows all its rollouts.
      .map((group, index) => ({ ...group, group: groupId(`${id}-replay${index + 1}`) }));
    positives.add(parts.flatMap(part => part.positives));
    const all = [...parts.map(({ group }) => group), ...replayed];
    return { batch: { id, groups: all, oldest }, trajectories: own.length };
  }

  /** The trajectories that a coming batch may train: those that returned, their replacements, and those that are replayed. */
  get ids(): readonly TrajectoryId[] {
    const open = [...new Set(this.#open.values())].flatMap(({ rollouts }) => rollouts);
    const complete = this.#complete.flatMap(({ group, result }) => [...group.rollouts, ...result.trains]);
    return [...[...open, ...complete].map(({ id }) => id), ...this.#options.positives.ids];
  }

  counts(): GroupCounts {
    return { ...this.#counts, unsolved: this.#unsolved.size };
  }

  /** The mean squared error of the critic that decides; undefined without critics. */
  criticError(): number | undefined {
    return this.#critics?.error();
  }

  save(): GroupTally {
    return { ...this.#counts };
  }

  #isFull({ rollouts, steps }: Size): boolean {
    const { trajectoriesPerBatch, stepsPerBatch } = this.#options;
    return rollouts >= trajectoriesPerBatch || steps >= stepsPerBatch;
  }

  #train(complete: CompleteGroup, batch: BatchId) {
    const { group, result } = complete;
    const { ledger, onDecision } = this.#options;
    const { id, instance } = group;
    const own = result.trains.filter(rollout => group.rollouts.includes(rollout));
    for (const { order } of own) if (order !== undefined) ledger.end(order, 'accepted');
    this.#remove(group, result);
    this.#counts.trainable += 1;
    if (result.injected) this.#counts.injections += 1;
    onDecision({
      kind: 'trained',
      group: id,
      instance,
      batch,
      rollouts: own.length,
      injected: result.injected,
      why: result.why,
    });
    const advantages = this.#advantages(complete);
    const rollouts = result.trains.map((rollout, place) => {
      const ofSteps = at(advantages, place);
      const steps = rollout.steps.map((step, index) => ({
        ...{ trajectory: rollout.id, index, ...step },
        advantage: at(ofSteps, index),
        isSuccess: rollout.isSuccess,
      }));
      return { rollout, steps, advantage: sum(ofSteps) / ofSteps.length };
    });
    const about = { group: id, instance, injected: result.injected };
    const positives = rollouts
      .filter(({ rollout }) => rollout.isSuccess && own.includes(rollout) && !this.#rejected.has(rollout.id))
      .map(({ rollout, steps, advantage }) => ({ id: rollout.id, advantage, group: { ...about, steps } }));
    const steps = rollouts.flatMap(each => each.steps);
    const made: BatchGroup = { ...about, steps };
    return { group: made, own, trains: result.trains.length, positives };
  }

  /** The rollouts with the rewards that advantages see. */
  #shaped({ instance, limit }: Group, rollouts: readonly TrainingRollout[]): readonly TrainingRollout[] {
    for (const each of rollouts) this.#noteLength(instance, each);
    const shortest = this.#shortest.get(instanceKey(instance))?.actions ?? Number.POSITIVE_INFINITY;
    const known = { shortest, limit };
    return rollouts.map(each => ({ ...each, reward: shapedReward(each, known, this.#options.shaping) }));
  }

  #noteLength(instance: Instance, { id, isSuccess, actions }: TrainingRollout): void {
    if (!isSuccess || actions === undefined || this.#rejected.has(id)) return;
    const key = instanceKey(instance);
    const known = this.#shortest.get(key);
    if (known === undefined || actions < known.actions) this.#shortest.set(key, { id, actions });
  }

  /** Removes rollouts from training: updates the ledger and logs the decision. */
  #remove(group: Group, result: FilteredGroup): void {
    const { ledger, onDecision } = this.#options;
    const { dropped, duplicates, filtered } = result;
    const removed = [...dropped, ...duplicates, ...filtered];
    // A group without any returned rollout is logged as well.
    if (removed.length === 0 && result.trains.length > 0) return;
    for (const { order } of dropped) if (order !== undefined) ledger.end(order, 'dropped');
    for (const { order } of [...duplicates, ...filtered])
      if (order !== undefined) ledger.end(order, 'filtered');
    this.#counts.dropped += dropped.length;
    this.#counts.duplicates += duplicates.length;
    group.rollouts = group.rollouts.filter(rollout => !removed.includes(rollout));
    const { id, instance } = group;
    const sums = { dropped: dropped.length, duplicates: duplicates.length, filtered: filtered.length };
    onDecision({ kind: 'set aside', group: id, instance, ...sums, why: describeRemoval(result) });
  }

  #noteUnsolved({ instance, rollouts }: Group): void {
    const key = instanceKey(instance);
    if (rollouts.length > 0 && !rollouts.some(({ isSuccess }) => isSuccess) && !this.#successes.has(key))
      this.#unsolved.add(key);
  }

  #filter({ instance, rollouts }: Group, version: Version): FilteredGroup {
    const { maxStaleness, successPool, advantages } = this.#options;
    const critics = this.#critics;
    if (critics !== undefined)
      return filterByCritics(rollouts, version, maxStaleness, all => critics.select(all));
    const stored = successPool ? this.#successes.get(instanceKey(instance)) : undefined;
    const success = stored && (() => deserializeValue(stored.packed));
    return filterGroup(rollouts, version, maxStaleness, success, ruleOf(advantages));
  }

  #withVerdict(rollout: TrainingRollout): TrainingRollout {
    return withManualVerdict(rollout, this.#manualVerdicts.get(rollout.id));
  }
}

const NOTHING: Size = { rollouts: 0, steps: 0 };

const sizeOf = (rollouts: readonly TrainingRollout[]): Size => ({
  rollouts: rollouts.length,
  steps: sum(rollouts.map(({ steps }) => steps.length)),
});

const sumOf = (a: Size, b: Size): Size => ({ rollouts: a.rollouts + b.rollouts, steps: a.steps + b.steps });

const NO_GROUPS: GroupTally = { trainable: 0, filtered: 0, injections: 0, dropped: 0, duplicates: 0 };
