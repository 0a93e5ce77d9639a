// What was shown of each task, and on which of its training instances it is to be tried next. The task of which least was tried
// comes first, counted by how it fares; what is not carried over by one example is tried with the next. Decides, and plays nothing.

import { oneOf } from '../../core/chance.ts';
import type { Seed, TaskId } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import type { Solution } from '../../environments/pocket/solution.ts';

/** One example, to be tried on one instance. */
export interface TransferAttempt {
  readonly task: TaskId;
  readonly seed: Seed;
  readonly example: Solved;
}

/** An instance that was shown. What it looked like can be played again, and would take more memory than all else here. */
interface Solved {
  readonly seed: Seed;
  readonly solution: Solution;
}

interface Shown {
  readonly task: TaskId;
  readonly examples: readonly Solved[];
  /** What is left to try on the instances that were not solved. */
  readonly waiting: readonly TransferAttempt[];
  readonly tried: number;
}

/** How much oftener a task is tried that never succeeds than what always does. */
const NEED = 4;

export class TransferSchedule {
  readonly #seeds: readonly Seed[];
  readonly #random: Random;
  readonly #tasks = new Map<TaskId, Shown>();

  /** `seeds` are those of all training instances. */
  constructor(seeds: readonly Seed[], random: Random) {
    this.#seeds = seeds;
    this.#random = random;
  }

  /** Takes note of what was shown on one instance. It is to be shown before anything is tried: with more to show, all is tried anew. */
  show(task: TaskId, seed: Seed, solution: Solution): void {
    const examples = [...(this.#tasks.get(task)?.examples ?? []), { seed, solution }];
    const others = this.#seeds.filter(each => examples.every(example => example.seed !== each));
    // Every instance once before any is tried again.
    const waiting = examples.flatMap((_, turn) =>
      others.flatMap((other, index) => {
        const chosen = examples[(index + turn) % examples.length];
        return chosen === undefined ? [] : [{ task, seed: other, example: chosen }];
      }),
    );
    this.#tasks.set(task, { task, examples, waiting, tried: 0 });
  }

  /** `rateOf` is the success rate of a task, from 0 to 1, where somebody knows. */
  next(rateOf: (task: TaskId) => number | undefined): TransferAttempt | undefined {
    const turnOf = ({ task, tried }: Shown) => tried / (1 + NEED * (1 - (rateOf(task) ?? 0)));
    const open = [...this.#tasks.values()].filter(({ waiting }) => waiting.length > 0);
    const turns = open.map(turnOf);
    const least = Math.min(...turns);
    const shown = oneOf(
      this.#random,
      open.filter((_, index) => turns[index] === least),
    );
    const [attempt, ...waiting] = shown?.waiting ?? [];
    if (shown !== undefined) this.#tasks.set(shown.task, { ...shown, waiting, tried: shown.tried + 1 });
    return attempt;
  }

  /** An instance that was solved is not tried again. */
  solved({ task, seed }: TransferAttempt): void {
    const shown = this.#tasks.get(task);
    if (shown === undefined) return;
    this.#tasks.set(task, { ...shown, waiting: shown.waiting.filter(each => each.seed !== seed) });
  }
}
