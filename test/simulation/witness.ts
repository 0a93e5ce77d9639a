// Sees all that the processes of a simulated run do and keep, and notes every law that is broken: the laws of a run are in this file. The
// power may fail, but the witness remembers.

import type { Action } from '../../runtime/core/action.ts';
import type { Batch, BatchStep } from '../../runtime/core/batch.ts';
import type { TrajectoryId, Version } from '../../runtime/core/ids.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { versionSpan } from '../../runtime/core/trajectory.ts';
import type { RolloutCounts } from '../../runtime/data/rollout-ledger.ts';
import { stalenessOf } from '../../runtime/data/staleness.ts';

/** Weights are one number here: the number of the update that made them. */
export type Weight = number;

interface Decision {
  readonly version: Version;
  readonly weight: Weight;
}

/** A step that trained, and the batch in which it did. */
interface Update {
  readonly before: Weight;
  readonly steps: readonly string[];
}

export class Witness {
  /** All events, in one line each. */
  readonly log: string[] = [];
  /** Sentences about laws that were broken. */
  readonly broken: string[] = [];
  readonly acknowledged = new Map<TrajectoryId, Trajectory>();
  readonly labelled = new Map<TrajectoryId, string>();
  /** The version of the last acknowledged checkpoint. */
  checkpoint = -1;
  /** Rollouts in the last acknowledged state of the run. */
  submitted = 0;
  /** Updates on batches. */
  trained = 0;
  readonly #now: () => number;
  readonly #decisions: Decision[] = [];
  /** The episode in which each decision was performed. */
  readonly #performed = new Map<number, number>();
  readonly #updates: Update[] = [];
  readonly #published = new Map<Version, Weight>();
  readonly #averaged = new Map<Version, Weight>();
  #newest: { readonly version: Version; readonly at: number } | undefined;
  #before: Version | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  note(event: string): void {
    this.log.push(`${this.#now()} ${event}`);
  }

  break(law: string): void {
    this.note(`BROKEN: ${law}`);
    this.broken.push(law);
  }

  /** A worker decides with these weights. Returns the number of the decision. */
  decide(decision: Decision): number {
    return this.#decisions.push(decision) - 1;
  }

  /** Law: no action is performed twice. */
  perform(episode: number, action: Action): void {
    const number = decisionIn(action);
    if (this.#performed.has(number)) this.break(`action ${number} was performed twice`);
    this.#performed.set(number, episode);
  }

  /** Law: one number never names two weights of a run. */
  publish(kind: 'newest' | 'averaged', version: Version, weight: Weight): void {
    const named = kind === 'newest' ? this.#published : this.#averaged;
    const other = named.get(version);
    if (other !== undefined && other !== weight)
      this.break(`version ${version} names the ${kind} weights ${other} and ${weight}`);
    named.set(version, weight);
    if (kind === 'averaged') return;
    const at = this.#now();
    if (this.#newest !== undefined && this.#newest.at < at) this.#before = this.#newest.version;
    this.#newest = { version, at };
    this.note(`version ${version} has the weights ${weight}`);
  }

  /** A daemon starts without weights, so it may publish a version again. */
  forgetVersions(): void {
    this.#published.clear();
    this.#averaged.clear();
    [this.#newest, this.#before] = [undefined, undefined];
  }

  /** Laws: each step names the weights that chose it, and was performed once, in the order of the trajectory, in one episode. */
  play(trajectory: Trajectory): void {
    const { id, steps, purpose, outcome } = trajectory;
    const named = purpose === 'evaluate' ? this.#averaged : this.#published;
    const episodes = new Set<number>();
    for (const [index, { action, chosen }] of steps.entries()) {
      const number = decisionIn(action);
      const decision = this.#decisions[number];
      if (decision === undefined || chosen === undefined)
        this.break(`step ${index} of ${id} was not decided`);
      else if (chosen.version !== decision.version || named.get(chosen.version) !== decision.weight)
        this.break(
          `step ${index} of ${id} names version ${chosen.version}, but the weights ${decision.weight} of version ${decision.version} chose it`,
        );
      if (action.kind !== 'type') continue;
      const episode = this.#performed.get(number);
      // The last call of a broken episode may have failed before the action.
      if (episode !== undefined) episodes.add(episode);
      else if (outcome.kind === 'judged') this.break(`step ${index} of ${id} was not performed`);
    }
    if (episodes.size > 1) this.break(`the steps of ${id} were performed in ${episodes.size} episodes`);
  }

  acknowledge(trajectory: Trajectory): void {
    this.acknowledged.set(trajectory.id, trajectory);
  }

  /** Law: a version in the files of the run never names two weights. */
  readFiles(isKept: (trajectory: Trajectory) => boolean): void {
    const named = new Map<string, Weight>();
    for (const trajectory of this.acknowledged.values()) {
      if (!isKept(trajectory)) continue;
      for (const { action, chosen } of trajectory.steps) {
        const weight = this.#decisions[decisionIn(action)]?.weight ?? -1;
        const name = `${trajectory.purpose === 'evaluate' ? 'mean' : 'newest'} version ${chosen?.version}`;
        if ((named.get(name) ?? weight) !== weight)
          this.break(`the files name the weights ${named.get(name)} and ${weight} '${name}'`);
        named.set(name, weight);
      }
    }
  }

  /** Law: every rollout is in exactly one stage of the ledger. */
  count(counts: RolloutCounts): void {
    const { submitted, accepted, filtered, dropped, failed, running } = counts;
    if (
      submitted !== accepted + filtered + dropped + failed + running ||
      Object.values(counts).some(count => count < 0)
    )
      this.break(`the ledger counts ${JSON.stringify(counts)}`);
  }

  /** Laws: the steps of a batch are those of training rollouts that are acknowledged, and no older than the bound. */
  batch({ id, groups }: Batch, maxStaleness: number): void {
    // Weights of this very moment may not be known to the data module yet.
    const version = this.#newest?.at === this.#now() ? this.#before : this.#newest?.version;
    for (const { steps } of groups)
      for (const step of steps) {
        const from = this.acknowledged.get(step.trajectory);
        const decision = numberIn(step);
        if (from === undefined) this.break(`${step.trajectory} trains and is not acknowledged`);
        else if (from.purpose !== 'train')
          this.break(`${step.trajectory} trains, and is for ${from.purpose}`);
        else if (decisionIn(from.steps[step.index]?.action) !== decision)
          this.break(`step ${step.index} of ${step.trajectory} has another action in ${id}`);
        else if (!isDemonstrated(step) && version !== undefined) {
          const staleness = stalenessOf(versionSpan(from.steps)?.oldest, version);
          if (staleness > maxStaleness)
            this.break(
              `${step.trajectory} in ${id} has a staleness of ${staleness}, more than ${maxStaleness}`,
            );
        }
      }
  }

  /** Law: a step trains at most once in the weights that follow. Returns the weights after the update. */
  update(before: Weight, steps: readonly BatchStep[]): Weight {
    const trained = steps
      .filter(step => !isDemonstrated(step))
      .map(({ trajectory, index }) => `step ${index} of ${trajectory}`);
    if (trained.length > 0) {
      this.trained += 1;
      const again = new Set(trained);
      if (again.size < trained.length) this.break('an update trains a step twice');
      for (let weight = before; weight > 0; weight = this.#updates[weight - 1]?.before ?? 0)
        for (const step of this.#updates[weight - 1]?.steps ?? [])
          if (again.has(step)) this.break(`${step} trains twice in the same weights`);
    }
    return this.#updates.push({ before, steps: trained });
  }
}

/** Decisions are numbered, and their actions contain the number. */
export const actionOf = (decision: number, isLast: boolean): Action =>
  isLast ? { kind: 'finished', answer: `${decision}` } : { kind: 'type', text: `${decision}` };

const decisionIn = (action: Action | undefined): number =>
  action?.kind === 'finished' ? Number(action.answer) : action?.kind === 'type' ? Number(action.text) : -1;

const numberIn = ({ choice }: BatchStep): number | undefined =>
  choice.kind === 'heads' ? choice.decisions[0]?.choice : undefined;

/** A stored success has no log-probabilities. It may train in many batches. */
const isDemonstrated = ({ choice }: BatchStep): boolean =>
  choice.kind === 'heads' && choice.decisions.every(({ logProbability }) => logProbability === undefined);
