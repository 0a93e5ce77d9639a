// What is worth imitating: successful trajectories by what they did, so that what happens often does not drown what happens
// seldom. Each kind keeps its latest; a step is drawn from a kind, then a trajectory of it, then a step of that.

import { oneOf, weighted } from '../contracts/chance.ts';
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

  /** A kind, a trajectory of it and a step of that, each as likely as the weights say; undefined where there is none. */
  draw(random: Random, { ofKind = EVEN, ofStep = EVEN }: DrawingWeights<Step> = {}): Step | undefined {
    const kind = weighted(random, this.#names, ofKind);
    const steps = kind === undefined ? undefined : oneOf(random, this.#kinds.get(kind) ?? []);
    return steps && weighted(random, steps, ofStep);
  }
}

/** All alike where they are not given. */
export interface DrawingWeights<Step> {
  readonly ofKind?: (kind: string) => number;
  readonly ofStep?: (step: Step) => number;
}

const EVEN = () => 1;
