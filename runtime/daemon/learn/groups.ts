// Which instances are rolled out next, and what became of each group: one actor's little version of what the ring's curation
// does. Group-relative: all rollouts of a group share one instance.

import type { Seed, TaskId } from '../../contracts/ids.ts';
import type { Mode } from '../../contracts/policy.ts';
import { stepLimit } from '../../contracts/task.ts';
import type { Random } from '../../contracts/world.ts';
import { isWorthVisiting, rolloutNumber, WINDOW } from '../../data/rollout-number.ts';
import { TRAIN_SEEDS } from '../../environments/pocket/tasks/draw.ts';
import type { Suite } from '../../environments/pocket/tasks/suite.ts';
import type { OwnDrawing, Played } from '../../rollout/actor.ts';
import type { EpisodeOptions } from '../../rollout/episode.ts';

export interface GroupOrder extends EpisodeOptions, OwnDrawing {
  readonly group: Group;
}

export interface Group {
  readonly task: TaskId;
  readonly seed: Seed;
  readonly size: number;
  readonly played: Played<GroupOrder>[];
}

export interface GroupsOptions {
  readonly suite: Suite;
  readonly tasks: readonly TaskId[];
  readonly mode: Mode;
  /** Rollouts of an instance that nobody is sure of. */
  readonly rollouts: number;
  /** The share of decisions at random in every other rollout of an instance that was never solved. */
  readonly daring: number;
}

export class Groups {
  readonly #options: GroupsOptions;
  readonly #random: Random;
  readonly #results = new Map<TaskId, boolean[]>();
  /** Instances that succeeded at least once. */
  readonly #solved = new Set<string>();
  #queue: TaskId[] = [];
  #visits = 0;
  #waiting: GroupOrder[] = [];

  constructor(options: GroupsOptions, random: Random) {
    this.#options = options;
    this.#random = random;
  }

  next(): GroupOrder | undefined {
    if (this.#waiting.length === 0) this.#waiting = this.#newGroup();
    return this.#waiting.pop();
  }

  /** Notes a result; the group, once all of it was played. */
  played(one: Played<GroupOrder>, success: boolean): Group | undefined {
    const { group } = one.order;
    group.played.push(one);
    const results = this.#results.get(group.task) ?? [];
    results.push(success);
    if (success) this.#solved.add(instanceOf(group));
    if (results.length > 4 * WINDOW) results.splice(0, results.length - 2 * WINDOW);
    this.#results.set(group.task, results);
    return group.played.length === group.size ? group : undefined;
  }

  /** Over the last results of a task; undefined before there are any. */
  successRate(task: TaskId): number | undefined {
    const last = (this.#results.get(task) ?? []).slice(-WINDOW);
    return last.length === 0 ? undefined : last.filter(Boolean).length / last.length;
  }

  #newGroup(): GroupOrder[] {
    const { suite, mode, rollouts, daring } = this.#options;
    const task = this.#nextTask();
    if (task === undefined) return [];
    const seed = suite.seed('train', this.#random.int(TRAIN_SEEDS));
    const size = rolloutNumber(this.successRate(task) ?? 0, rollouts);
    const group: Group = { task, seed, size, played: [] };
    const made = suite.task(task, seed);
    const order = { task: made, seed, mode, maxSteps: stepLimit(made), group };
    const isSolved = this.#solved.has(instanceOf(group));
    return Array.from({ length: size }, (_, index) =>
      isSolved || index % 2 === 0 ? order : { ...order, drawing: { exploration: daring } },
    );
  }

  /** Every task in turn, but those of which nothing changes only now and then. */
  #nextTask(): TaskId | undefined {
    if (this.#options.tasks.length === 0) return undefined;
    for (let tries = 0; tries < 1000; tries++) {
      if (this.#queue.length === 0) {
        this.#queue = [...this.#options.tasks];
        this.#visits += 1;
      }
      const [task] = this.#queue.splice(this.#random.int(this.#queue.length), 1);
      if (task === undefined) return undefined;
      if (isWorthVisiting(this.#results.get(task) ?? [], this.#visits)) return task;
    }
    return this.#options.tasks[0];
  }
}

const instanceOf = ({ task, seed }: Pick<Group, 'task' | 'seed'>): string => `${task} ${seed}`;
