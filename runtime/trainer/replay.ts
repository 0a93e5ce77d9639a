// What is worth imitating, on a shelf for each sort of lesson: by what was done, so that what happens often does not drown what
// happens seldom. Which of it is shown next is drawn here; learning from it is not done here.

import { oneOf, weighted } from '../contracts/chance.ts';
import { LESSON_SORTS, type LessonSort, type Needs } from '../contracts/lesson.ts';
import type { Random } from '../contracts/world.ts';

/** Trajectories of each kind that are kept. */
const KEPT: Readonly<Record<LessonSort, number>> = {
  hindsight: 64,
  beside: 32,
  successes: 24,
  demonstrations: 64,
  grounding: 512,
};
/** Of a trajectory, steps are shown as often as they surprise, within these limits: nobody can foresee some of what was done by chance. */
const MOST_SURPRISING = 3;
const NEVER_LESS = 0.1;

export class Replay<Step extends object> {
  readonly #shares: Readonly<Record<LessonSort, number>>;
  readonly #random: Random;
  readonly #shelves = new Map(LESSON_SORTS.map(sort => [sort, new Shelf<Step>(KEPT[sort])]));
  readonly #surprises = new WeakMap<Step, number>();
  readonly #spoilt = new WeakSet<Step>();
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
    if (Number.isFinite(surprise)) this.#surprises.set(step, surprise);
  }

  /** It is never drawn again. */
  spoilt(step: Step): void {
    this.#spoilt.add(step);
  }

  /** So many steps, or none where there is nothing: then no chance is used up either. */
  draw(count: number): readonly Step[] {
    const filled = [...this.#shelves].filter(([sort, shelf]) => this.#shares[sort] > 0 && !shelf.isEmpty);
    if (filled.length === 0) return [];
    return Array.from({ length: count }).flatMap(() => {
      const [, shelf] = weighted(this.#random, filled, ([sort]) => this.#shares[sort]) ?? [];
      return shelf?.draw(this.#random, this.#ofKind, this.#ofStep) ?? [];
    });
  }

  readonly #ofKind = (kind: string): number => this.#needs.get(kind) ?? 1;

  readonly #ofStep = (step: Step): number =>
    this.#spoilt.has(step)
      ? 0
      : NEVER_LESS + Math.min(MOST_SURPRISING, this.#surprises.get(step) ?? MOST_SURPRISING);
}

/** Each kind keeps its latest; a step is drawn from a kind, then a trajectory of it, then a step of that. */
class Shelf<Step> {
  readonly #most: number;
  readonly #kinds = new Map<string, { readonly kept: (readonly Step[])[]; next: number }>();

  constructor(most: number) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#kinds.size === 0;
  }

  put(name: string, steps: readonly Step[]): void {
    if (steps.length === 0) return;
    const kind = this.#kinds.get(name) ?? { kept: [], next: 0 };
    this.#kinds.set(name, kind);
    // The latest takes the place of the oldest.
    kind.kept[kind.next % this.#most] = steps;
    kind.next += 1;
  }

  draw(random: Random, ofKind: (kind: string) => number, ofStep: (step: Step) => number): Step | undefined {
    const name = weighted(random, [...this.#kinds.keys()], ofKind);
    const steps = name === undefined ? undefined : oneOf(random, this.#kinds.get(name)?.kept ?? []);
    return steps && weighted(random, steps, ofStep);
  }
}
