// Decides which demonstration is transferred to which training instance next. Tasks with low success and few attempts come first; an
// instance that one demonstration does not solve is tried with the next.

import { at } from '../../core/at.ts';
import { oneOf } from '../../core/chance.ts';
import type { Seed, TaskId } from '../../core/ids.ts';
import type { DemonstrationAuthor } from '../../core/lesson.ts';
import type { Random } from '../../core/rng.ts';
import type { Solution } from '../../environments/pocket/tasks/suite.ts';

/** One demonstration, to be tried on one instance. */
export interface TransferAttempt {
  readonly task: TaskId;
  readonly seed: Seed;
  readonly example: DemonstratedInstance;
}

/** A demonstrated instance. Its screens are replayed when needed, since they would take most of the memory. */
interface DemonstratedInstance {
  readonly seed: Seed;
  readonly solution: Solution;
  readonly author: DemonstrationAuthor;
}

interface TaskTransfers {
  readonly task: TaskId;
  readonly examples: readonly DemonstratedInstance[];
  /** Attempts left on unsolved instances. */
  readonly waiting: readonly TransferAttempt[];
  readonly tried: number;
}

/** The extra weight of a task that never succeeds. */
const FAILURE_WEIGHT = 4;

export class TransferSchedule {
  readonly #seeds: readonly Seed[];
  readonly #random: Random;
  readonly #tasks = new Map<TaskId, TaskTransfers>();

  /** `seeds` of all training instances. */
  constructor(seeds: readonly Seed[], random: Random) {
    this.#seeds = seeds;
    this.#random = random;
  }

  /** Adds a demonstration, or replaces that of the same instance. It restarts all attempts of its task. */
  addExample(task: TaskId, example: DemonstratedInstance): void {
    const { seed } = example;
    const earlier = this.#tasks.get(task)?.examples ?? [];
    this.#start(task, [...earlier.filter(each => each.seed !== seed), example]);
  }

  /** Tries all again, also on solved instances. */
  restart(): void {
    for (const { task, examples } of this.#tasks.values()) this.#start(task, examples);
  }

  #start(task: TaskId, examples: readonly DemonstratedInstance[]): void {
    const others = this.#seeds.filter(each => examples.every(one => one.seed !== each));
    // Every instance once, before any a second time.
    const waiting = examples.flatMap((_, turn) =>
      others.map((other, index) => ({
        ...{ task, seed: other },
        example: at(examples, (index + turn) % examples.length),
      })),
    );
    this.#tasks.set(task, { task, examples, waiting, tried: 0 });
  }

  /** `rateOf`: the success rate of a task from 0 to 1, if known. */
  next(rateOf: (task: TaskId) => number | undefined): TransferAttempt | undefined {
    const turnOf = ({ task, tried }: TaskTransfers) =>
      tried / (1 + FAILURE_WEIGHT * (1 - (rateOf(task) ?? 0)));
    const open = [...this.#tasks.values()].filter(({ waiting }) => waiting.length > 0);
    const turns = open.map(turnOf);
    const least = Math.min(...turns);
    const transfers = oneOf(
      this.#random,
      open.filter((_, index) => turns[index] === least),
    );
    const [attempt, ...waiting] = transfers?.waiting ?? [];
    if (transfers !== undefined)
      this.#tasks.set(transfers.task, { ...transfers, waiting, tried: transfers.tried + 1 });
    return attempt;
  }

  /** Removes the remaining attempts on the instance. */
  markSolved({ task, seed }: TransferAttempt): void {
    const transfers = this.#tasks.get(task);
    if (transfers === undefined) return;
    this.#tasks.set(task, { ...transfers, waiting: transfers.waiting.filter(each => each.seed !== seed) });
  }
}
