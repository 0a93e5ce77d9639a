// What is worth imitating: successful trajectories by what they did, so that what happens often does not drown what happens
// seldom. Each kind keeps its latest; a step is drawn from a kind, then a trajectory of it, then a step of that.

import type { Random } from '../contracts/world.ts';

export class Shelf<Step> {
  readonly #kinds = new Map<string, (readonly Step[])[]>();
  readonly #names: string[] = [];
  readonly #most: number;
  #next = new Map<string, number>();

  /** `most` trajectories of each kind are kept. */
  constructor(most: number) {
    this.#most = most;
  }

  get kinds(): readonly string[] {
    return this.#names;
  }

  get size(): number {
    return [...this.#kinds.values()].reduce((sum, kept) => sum + kept.length, 0);
  }

  count(kind: string): number {
    return this.#kinds.get(kind)?.length ?? 0;
  }

  put(kind: string, steps: readonly Step[]): void {
    if (steps.length === 0) return;
    let kept = this.#kinds.get(kind);
    if (kept === undefined) {
      kept = [];
      this.#kinds.set(kind, kept);
      this.#names.push(kind);
    }
    // The latest takes the place of the oldest.
    const place = this.#next.get(kind) ?? 0;
    kept[place % this.#most] = steps;
    this.#next.set(kind, place + 1);
  }

  /** A step of any kind, each as likely as its weight says, which is 1 for all where it is not given; undefined where there is none. */
  draw(random: Random, weightOf: (kind: string) => number = () => 1): Step | undefined {
    const weights = this.#names.map(weightOf);
    let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
    const kind = this.#names.find((_, index) => {
      left -= weights[index] ?? 0;
      return left < 0;
    });
    const steps = kind === undefined ? undefined : pick(this.#kinds.get(kind) ?? [], random);
    return steps && pick(steps, random);
  }
}

const pick = <T>(choices: readonly T[], random: Random): T | undefined =>
  choices.length === 0 ? undefined : choices[random.int(choices.length)];
