// DART's choice of what is rolled out next: every task in turn, those of which nothing changes now and then, the more rollouts the less
// sure a task is, and episodes not much longer than its successes. Each part can be off; with all of them off this is the uniform rule.

import { oneOf } from '../../core/chance.ts';
import type { Seed, TaskId } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import type { Instance } from '../../core/task.ts';
import type { Curation, Planned } from './curation.ts';
import { type CapOptions, isUncapped, LENGTH_WINDOW, lengthCap, longestSuccess } from './length-cap.ts';
import { reasonsOf } from './reasons.ts';
import { successRate, withLast } from './results.ts';
import { isWorthVisiting, SELDOM } from './revisits.ts';
import { rolloutNumber } from './rollout-number.ts';

/** Which of its decisions it takes. */
export interface Parts {
  /** Else as many rollouts for every task. */
  readonly rolloutNumber: boolean;
  /** Else every task in every round. */
  readonly revisits: boolean;
  /** Else episodes may be as long as the task allows. */
  readonly length: boolean;
}

export const ALL_PARTS: Parts = { rolloutNumber: true, revisits: true, length: true };
export const NO_PARTS: Parts = { rolloutNumber: false, revisits: false, length: false };

export interface DartOptions {
  readonly tasks: readonly TaskId[];
  /** The instances of a task that recur in training. */
  readonly seedsOf: (task: TaskId) => readonly Seed[];
  readonly maxStepsOf: (instance: Instance) => number;
  /** Rollouts of an instance that nobody is sure of. */
  readonly rollouts: number;
  /** The share of decisions at random in every other rollout of an instance that was never solved. */
  readonly daring: number;
  readonly parts: Parts;
  readonly caps?: CapOptions;
}

/** Instances of one task differ by a step or two in what they take; so short a task has little to gain from a cap. */
export const USUAL_CAPS: CapOptions = { margin: 1.25, floor: 6 };

export interface DartState {
  /** Of each task the last results, the latest at the end. */
  readonly results: Readonly<Record<string, readonly boolean[]>>;
  /** The tasks whose turn is still to come in this round. */
  readonly round: readonly TaskId[];
  readonly rounds: number;
  /** Instances that were solved at least once. */
  readonly solved: Readonly<Record<string, true>>;
  /** Of each task the steps of its last results, 0 for a failure. Runs that are older than length caps have none. */
  readonly lengths?: Readonly<Record<string, readonly number[]>>;
  /** Of each task, how many groups were ordered since it has successes to be capped by. */
  readonly capped?: Readonly<Record<string, number>>;
}

export function dartCuration(options: DartOptions): Curation<DartState> {
  const { tasks, seedsOf, parts } = options;
  /** Tasks of which nothing changes do not all come in the same round. */
  const places = new Map(tasks.map((task, place) => [task, place]));

  /** Whose turn it is, and what that leaves of the round; undefined where there are no tasks. */
  function turn({ results, ...state }: DartState, random: Random) {
    let { round, rounds } = state;
    // So many rounds are enough to come to every task, however little it changes.
    for (let left = SELDOM * tasks.length + round.length; left > 0; left--) {
      if (round.length === 0) [round, rounds] = [tasks, rounds + 1];
      const place = random.int(round.length);
      const task = round[place];
      round = round.toSpliced(place, 1);
      if (task === undefined) continue;
      const visit = rounds + (places.get(task) ?? 0);
      if (!parts.revisits || isWorthVisiting(results[task] ?? [], visit)) return { task, round, rounds };
    }
    return undefined;
  }

  return {
    start: () => ({ results: {}, round: [], rounds: 0, solved: {}, lengths: {}, capped: {} }),

    next(state, random) {
      const found = turn(state, random);
      if (found === undefined) return undefined;
      const { task, ...left } = found;
      const seed = oneOf(random, seedsOf(task));
      if (seed === undefined) throw new RangeError(`The task ${task} has no training seeds; give it one.`);
      const planned = plan(options, state, { task, seed });
      return { state: { ...state, ...left, ...countedGroup(state, task, parts) }, planned };
    },

    observe(state, { instance, success, steps }) {
      const { task } = instance;
      const name = nameOf(instance);
      const isNew = success && state.solved[name] === undefined;
      const solved = isNew ? { ...state.solved, [name]: true as const } : state.solved;
      const results = { ...state.results, [task]: withLast(state.results[task] ?? [], success) };
      const last = withLast(lengthsOf(state, task), success ? steps : 0, LENGTH_WINDOW);
      return { ...state, solved, results, lengths: { ...state.lengths, [task]: last } };
    },

    rates: state =>
      Object.fromEntries(
        tasks.flatMap(task => {
          const known = successRate(state.results[task] ?? []);
          return known === undefined ? [] : [[task, known] as const];
        }),
      ),
  };
}

/** One group of an instance: how many, how long, how boldly, and why. */
function plan(
  { maxStepsOf, rollouts: usual, daring, parts, caps = USUAL_CAPS }: DartOptions,
  state: DartState,
  instance: Instance,
): Planned {
  const { task } = instance;
  const results = state.results[task] ?? [];
  const rollouts = parts.rolloutNumber ? rolloutNumber(successRate(results) ?? 0, usual) : usual;
  const most = maxStepsOf(instance);
  const longest = parts.length ? longestSuccess(lengthsOf(state, task)) : undefined;
  const isWide = isUncapped((state.capped?.[task] ?? 0) + 1);
  const maxSteps = longest === undefined || isWide ? most : lengthCap(longest, most, caps);
  const isDaring = state.solved[nameOf(instance)] === undefined;
  const isCapped = maxSteps < most;
  const known = { results, rollouts, maxSteps, longest, isCapped, isUncapped: isWide, isDaring };
  const why = reasonsOf({ ...known, isNumbered: parts.rolloutNumber, isRevisited: parts.revisits });
  return { instance, rollouts, maxSteps, why, ...(isDaring && { daring }) };
}

/** Only groups that a cap may hold for are counted, so that the eighth of them is the first without one. */
function countedGroup(state: DartState, task: string, { length }: Parts): Pick<DartState, 'capped'> {
  if (!length || longestSuccess(lengthsOf(state, task)) === 0) return {};
  return { capped: { ...state.capped, [task]: (state.capped?.[task] ?? 0) + 1 } };
}

const lengthsOf = ({ lengths }: DartState, task: string): readonly number[] => lengths?.[task] ?? [];

const nameOf = ({ task, seed }: Instance): string => `${task} ${seed}`;
