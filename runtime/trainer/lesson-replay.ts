// The replay memory of lessons: one shelf per sort, grouped by kind, so that frequent kinds do not drown rare ones. Decides what is drawn.

import { at } from '../core/at.ts';
import { oneOf, weighted } from '../core/chance.ts';
import type { TrajectoryId } from '../core/ids.ts';
import { LESSON_SORTS, type LessonSort, type Needs } from '../core/lesson.ts';
import type { Random } from '../core/rng.ts';

/** Trajectories stored per kind. */
const MAX_TRAJECTORIES_PER_KIND: Readonly<Record<LessonSort, number>> = {
  hindsight: 64,
  beside: 32,
  successes: 24,
  demonstrations: 64,
  grounding: 512,
};
/** Megabytes stored per sort. */
const MAX_MEGABYTES: Readonly<Record<LessonSort, number>> = {
  hindsight: 20,
  beside: 8,
  successes: 12,
  demonstrations: 40,
  grounding: 6,
};
const MEGABYTE = 1e6;
/** Steps of a trajectory are drawn by their loss, within these limits: some random actions can never be predicted. */
const MAX_SURPRISE = 3;
const MIN_WEIGHT = 0.1;

export interface ReplayItem {
  /** Bytes. */
  readonly size: number;
  /** The weight among the steps of its trajectory. Only the replay memory writes it. */
  weight?: number;
}

export class LessonReplay<Step extends ReplayItem> {
  readonly #shares: Readonly<Record<LessonSort, number>>;
  readonly #random: Random;
  readonly #shelves = new Map(
    LESSON_SORTS.map(sort => [
      sort,
      new Shelf<Step>(MAX_TRAJECTORIES_PER_KIND[sort], MEGABYTE * MAX_MEGABYTES[sort]),
    ]),
  );
  #kindWeights: ReadonlyMap<string, number> = new Map();

  constructor(shares: Readonly<Record<LessonSort, number>>, random: Random) {
    this.#shares = shares;
    this.#random = random;
  }

  /** `from` names the trajectory for `forget`. */
  add(sort: LessonSort, kind: string, steps: readonly Step[], from?: TrajectoryId): void {
    if (steps.length > 0) this.#shelves.get(sort)?.put(kind, { steps, from });
  }

  /** Removes the steps of a trajectory. Returns whether there were any. */
  forget(from: TrajectoryId): boolean {
    return [...this.#shelves.values()].filter(shelf => shelf.forget(from)).length > 0;
  }

  /** The weight of each kind; 1 by default. */
  setWeights(needs: Needs): void {
    this.#kindWeights = new Map(Object.entries(needs));
  }

  /** Sets the loss of a step when it last trained. A step that never trained counts as the most surprising. */
  setSurprise(step: Step, surprise: number): void {
    if (Number.isFinite(surprise) && step.weight !== 0)
      step.weight = MIN_WEIGHT + Math.min(MAX_SURPRISE, surprise);
  }

  /** Never draws the step again. */
  discard(step: Step): void {
    step.weight = 0;
  }

  /** `count` steps, or none if the memory is empty; then no random number is drawn. */
  draw(count: number): readonly Step[] {
    const filled = [...this.#shelves].filter(([sort, shelf]) => this.#shares[sort] > 0 && !shelf.isEmpty);
    if (filled.length === 0) return [];
    return Array.from({ length: count }).flatMap(() => {
      const [, shelf] = weighted(this.#random, filled, ([sort]) => this.#shares[sort]) ?? [];
      return shelf?.draw(this.#random, this.#weightOfKind) ?? [];
    });
  }

  readonly #weightOfKind = (kind: string): number => this.#kindWeights.get(kind) ?? 1;
}

/** A step that never trained counts as the most surprising. */
const weightOf = ({ weight = MIN_WEIGHT + MAX_SURPRISE }: ReplayItem): number => weight;

interface Stored<Step> {
  readonly steps: readonly Step[];
  readonly from: TrajectoryId | undefined;
}

interface Kind<Step> {
  /** The oldest first. */
  kept: Stored<Step>[];
  bytes: number;
}

/**
 * Stores the latest trajectories of each kind. When the shelf is full, the largest kind drops its oldest. Draws a kind, then a trajectory, then
 * a step.
 */
class Shelf<Step extends ReplayItem> {
  readonly #most: number;
  readonly #room: number;
  readonly #kinds = new Map<string, Kind<Step>>();
  #bytes = 0;

  constructor(most: number, room: number) {
    this.#most = most;
    this.#room = room;
  }

  get isEmpty(): boolean {
    return this.#kinds.size === 0;
  }

  put(name: string, stored: Stored<Step>): void {
    const kind = this.#kinds.get(name) ?? { kept: [], bytes: 0 };
    this.#kinds.set(name, kind);
    kind.kept.push(stored);
    this.#grow(kind, sizeOf(stored));
    if (kind.kept.length > this.#most) this.#dropOldest(kind);
    while (this.#bytes > this.#room) {
      const largest = largestOf([...this.#kinds.values()].filter(({ kept }) => kept.length > 1));
      if (largest === undefined) return;
      this.#dropOldest(largest);
    }
  }

  forget(from: TrajectoryId): boolean {
    let isFound = false;
    for (const [name, kind] of this.#kinds) {
      const gone = kind.kept.filter(each => each.from === from);
      if (gone.length === 0) continue;
      isFound = true;
      kind.kept = kind.kept.filter(each => each.from !== from);
      for (const each of gone) this.#grow(kind, -sizeOf(each));
      if (kind.kept.length === 0) this.#kinds.delete(name);
    }
    return isFound;
  }

  draw(random: Random, ofKind: (kind: string) => number): Step | undefined {
    const [, kind] = weighted(random, [...this.#kinds], ([name]) => ofKind(name)) ?? [];
    const stored = kind && oneOf(random, kind.kept);
    return stored && weighted(random, stored.steps, weightOf);
  }

  #dropOldest(kind: Kind<Step>): void {
    this.#grow(kind, -sizeOf(at(kind.kept, 0)));
    kind.kept.shift();
  }

  #grow(kind: Kind<Step>, bytes: number): void {
    kind.bytes += bytes;
    this.#bytes += bytes;
  }
}

const sizeOf = ({ steps }: Stored<ReplayItem>): number => steps.reduce((sum, { size }) => sum + size, 0);

const largestOf = <Step>(kinds: readonly Kind<Step>[]): Kind<Step> | undefined =>
  kinds.reduce<Kind<Step> | undefined>(
    (largest, kind) => (largest === undefined || kind.bytes > largest.bytes ? kind : largest),
    undefined,
  );
