// The first curation: every task in turn, those of which nothing changes now and then, and the more rollouts the less sure a task is.
// Length caps are the tasks' own.

import { oneOf } from '../../contracts/chance.ts';
import type { Seed, TaskId } from '../../contracts/ids.ts';
import type { Instance } from '../../contracts/task.ts';
import { isWorthVisiting, rolloutNumber, WINDOW } from '../rollout-number.ts';
import type { Curation } from './curation.ts';

export interface FirstOptions {
  readonly tasks: readonly TaskId[];
  /** The instances of a task that recur in training. */
  readonly seedsOf: (task: TaskId) => readonly Seed[];
  readonly maxStepsOf: (instance: Instance) => number;
  /** Rollouts of an instance that nobody is sure of. */
  readonly rollouts: number;
  /** The share of decisions at random in every other rollout of an instance that was never solved. */
  readonly daring: number;
}

export interface FirstState {
  /** Of each task the last results, the latest at the end. */
  readonly results: Readonly<Record<string, readonly boolean[]>>;
  /** The tasks whose turn is still to come in this round. */
  readonly round: readonly TaskId[];
  readonly rounds: number;
  /** Instances that were solved at least once. */
  readonly solved: Readonly<Record<string, true>>;
}

export function firstCuration({
  tasks,
  seedsOf,
  maxStepsOf,
  rollouts,
  daring,
}: FirstOptions): Curation<FirstState> {
  const rateOf = (state: FirstState, task: string): number | undefined => rate(state.results[task] ?? []);
  return {
    start: () => ({ results: {}, round: [], rounds: 0, solved: {} }),

    next(state, random) {
      let { round, rounds } = state;
      // Four rounds are enough to come to every task, however little it changes.
      for (let left = 4 * tasks.length + round.length; left > 0; left--) {
        if (round.length === 0) [round, rounds] = [tasks, rounds + 1];
        const place = random.int(round.length);
        const task = round[place];
        round = round.toSpliced(place, 1);
        if (task === undefined) continue;
        const results = state.results[task] ?? [];
        if (!isWorthVisiting(results, rounds)) continue;
        const seed = oneOf(random, seedsOf(task));
        if (seed === undefined) throw new RangeError(`The task ${task} has no training seeds; give it one.`);
        const instance = { task, seed };
        const planned = {
          instance,
          rollouts: rolloutNumber(rate(results) ?? 0, rollouts),
          maxSteps: maxStepsOf(instance),
          why: reason(results),
          ...(state.solved[nameOf(instance)] === undefined && { daring }),
        };
        return { state: { ...state, round, rounds }, planned };
      }
      return undefined;
    },

    observe(state, { instance, success }) {
      const { task } = instance;
      const name = nameOf(instance);
      const isNew = success && state.solved[name] === undefined;
      const solved = isNew ? { ...state.solved, [name]: true as const } : state.solved;
      const last = [...(state.results[task] ?? []), success].slice(-WINDOW);
      return { ...state, solved, results: { ...state.results, [task]: last } };
    },

    rates: state =>
      Object.fromEntries(
        tasks.flatMap(task => {
          const known = rateOf(state, task);
          return known === undefined ? [] : [[task, known] as const];
        }),
      ),
  };
}

const nameOf = ({ task, seed }: Instance): string => `${task} ${seed}`;

const rate = (results: readonly boolean[]): number | undefined =>
  results.length === 0 ? undefined : results.filter(Boolean).length / results.length;

const reason = (results: readonly boolean[]): string =>
  results.length === 0
    ? 'its turn; never tried before'
    : `its turn; ${results.filter(Boolean).length} of its last ${results.length} succeeded`;
