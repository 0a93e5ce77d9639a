// What is worth imitating, on a shelf for each sort of lesson: by what was done, so that what happens often does not drown what
// happens seldom. Which of it is shown next is drawn here; learning from it is not done here.

import { oneOf, weighted } from '../core/chance.ts';
import { LESSON_SORTS, type LessonSort, type Needs } from '../core/lesson.ts';
import type { Random } from '../core/rng.ts';

/** Trajectories of each kind that are kept. */
const KEPT: Readonly<Record<LessonSort, number>> = {
  hindsight: 64,
  beside: 32,
  successes: 24,
  demonstrations: 64,
  grounding: 512,
};
/** Megabytes that all of a sort may take, however many kinds there are. */
const ROOM: Readonly<Record<LessonSort, number>> = {
  hindsight: 20,
  beside: 8,
  successes: 12,
  demonstrations: 40,
  grounding: 6,
};
const MEGABYTE = 1e6;
/** Of a trajectory, steps are shown as often as they surprise, within these limits: nobody can foresee some of what was done by chance. */
const MOST_SURPRISING = 3;
const NEVER_LESS = 0.1;

export interface Shelved {
  /** Bytes that it takes. */
  readonly size: number;
  /** How often it is drawn, beside others of its trajectory. Nobody else writes it. */
  weight?: number;
}

export class Replay<Step extends Shelved> {
  readonly #shares: Readonly<Record<LessonSort, number>>;
  readonly #random: Random;
  readonly #shelves = new Map(
    LESSON_SORTS.map(sort => [sort, new Shelf<Step>(KEPT[sort], MEGABYTE * ROOM[sort])]),
  );
  #needs: ReadonlyMap<string, number> = new Map();

  constructor(shares: Readonly<Record<LessonSort, number>>, random: Random) {
    this.#shares = shares;
    this.#random = random;
  }

  put(sort: LessonSort, kind: string, steps: readonly Step[]): void {
    this.#shelves.get(sort)?.put(kind, steps);
  }

  /** How much oftener lessons of a kind are shown; 1 where none is named. */
  need(needs: Needs): void {
    this.#needs = new Map(Object.entries(needs));
  }

  /** How little a step was expected when it was last learned from; one that never was counts as the most surprising. */
  surprised(step: Step, surprise: number): void {
    if (Number.isFinite(surprise) && step.weight !== 0)
      step.weight = NEVER_LESS + Math.min(MOST_SURPRISING, surprise);
  }

  /** It is never drawn again. */
  spoilt(step: Step): void {
    step.weight = 0;
  }

  /** So many steps, or none where there is nothing: then no chance is used up either. */
  draw(count: number): readonly Step[] {
    const filled = [...this.#shelves].filter(([sort, shelf]) => this.#shares[sort] > 0 && !shelf.isEmpty);
    if (filled.length === 0) return [];
    return Array.from({ length: count }).flatMap(() => {
      const [, shelf] = weighted(this.#random, filled, ([sort]) => this.#shares[sort]) ?? [];
      return shelf?.draw(this.#random, this.#ofKind) ?? [];
    });
  }

  readonly #ofKind = (kind: string): number => this.#needs.get(kind) ?? 1;
}

/** One that was never learned from counts as the most surprising. */
const weightOf = ({ weight = NEVER_LESS + MOST_SURPRISING }: Shelved): number => weight;

interface Kind<Step> {
  /** The oldest first. */
  readonly kept: (readonly Step[])[];
  bytes: number;
}

/**
 * Each kind keeps its latest; where all together take too much room, the largest kind gives up its oldest. A step is drawn from a kind, then
 * a trajectory of it, then a step of that.
 */
class Shelf<Step extends Shelved> {
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

  put(name: string, steps: readonly Step[]): void {
    if (steps.length === 0) return;
    const kind = this.#kinds.get(name) ?? { kept: [], bytes: 0 };
    this.#kinds.set(name, kind);
    kind.kept.push(steps);
    this.#grow(kind, sizeOf(steps));
    if (kind.kept.length > this.#most) this.#giveUpOldest(kind);
    while (this.#bytes > this.#room) {
      const largest = largestOf([...this.#kinds.values()].filter(({ kept }) => kept.length > 1));
      if (largest === undefined) return;
      this.#giveUpOldest(largest);
    }
  }

  draw(random: Random, ofKind: (kind: string) => number): Step | undefined {
    const name = weighted(random, [...this.#kinds.keys()], ofKind);
    const steps = name === undefined ? undefined : oneOf(random, this.#kinds.get(name)?.kept ?? []);
    return steps && weighted(random, steps, weightOf);
  }

  #giveUpOldest(kind: Kind<Step>): void {
    this.#grow(kind, -sizeOf(kind.kept.shift() ?? []));
  }

  #grow(kind: Kind<Step>, bytes: number): void {
    kind.bytes += bytes;
    this.#bytes += bytes;
  }
}

const sizeOf = (steps: readonly Shelved[]): number => steps.reduce((sum, { size }) => sum + size, 0);

const largestOf = <Step>(kinds: readonly Kind<Step>[]): Kind<Step> | undefined =>
  kinds.reduce<Kind<Step> | undefined>(
    (largest, kind) => (largest === undefined || kind.bytes > largest.bytes ? kind : largest),
    undefined,
  );
