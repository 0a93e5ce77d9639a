// Epochs of data curation over a table of rewards. The rules of the product order groups and filter them; the reward of a rollout is
// drawn from those of its task, with replacement. Pure: the random source is a parameter.
//
// Assumptions: the policy does not change; each task has one instance, so a stored success serves all its later groups; no rollout
// breaks, becomes stale, or repeats another.

import { oneOf } from '../../core/chance.ts';
import { seed, trajectoryId, version } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import type { Instance } from '../../core/task.ts';
import { SUCCESS } from '../../core/verdict.ts';
import type { Curation, RolloutResult } from '../../data/curation/curation.ts';
import { type DartParts, type DartState, dartCuration } from '../../data/curation/dart.ts';
import { filterGroup } from '../../data/group-filter.ts';
import type { TrainingRollout } from '../../data/rollouts.ts';
import type { RewardTable } from './table.ts';

export interface Rule {
  readonly parts: Pick<DartParts, 'rolloutNumber' | 'revisits'>;
  /** Whether a stored success replaces one failure of a failed group. `filled`: the pool starts with one success per solved task. */
  readonly pool: 'off' | 'empty' | 'filled';
}

export interface Epoch {
  readonly rollouts: number;
  readonly groups: number;
  /** Groups with a gradient, and those of them that have it from a stored success. */
  readonly carrying: number;
  /** The rollouts of these groups that train. */
  readonly training: number;
  readonly injected: number;
  /** Groups in which no rollout succeeded. */
  readonly failed: number;
}

/** Rollouts of a group whose success is uncertain. */
export const ROLLOUTS = 8;
const SEED = seed(0);
const NOW = version(0);

/** An epoch ends with the group that completes ROLLOUTS rollouts per task. */
export function simulate(
  table: RewardTable,
  { parts, pool }: Rule,
  epochs: number,
  random: Random,
): readonly Epoch[] {
  const rewards = new Map(table.map(row => [row.task as string, row.rewards]));
  // The table has no lengths, so the dynamic step limit is off.
  const curation = dartCuration({
    tasks: table.map(({ task }) => task),
    seedsOf: () => [SEED],
    maxStepsOf: () => 1,
    ...{ rollouts: ROLLOUTS, exploration: 0, extraExploration: 0, parts: { ...parts, length: false } },
  });
  const [ordering, playing] = [random.fork('ordering'), random.fork('playing')];
  const drawn = (task: string): number => {
    const reward = oneOf(playing, rewards.get(task) ?? []);
    if (reward === undefined) throw new RangeError(`The task ${task} has no rewards. Use another table.`);
    return reward;
  };
  let played = 0;
  const stored = new Map<string, TrainingRollout>();
  if (pool === 'filled')
    for (const { task, rewards } of table) {
      const best = rewards.find(isSuccess);
      if (best !== undefined) stored.set(task, rolloutOf(best, played++));
    }
  let state = curation.start();
  const epochOf = (): Epoch => {
    const sums = { rollouts: 0, groups: 0, carrying: 0, training: 0, injected: 0, failed: 0 };
    while (sums.rollouts < ROLLOUTS * table.length) {
      const next = curation.next(state, ordering);
      if (next === undefined) throw new RangeError('The table has no tasks. Use another table.');
      ({ state } = next);
      const { instance, rollouts } = next.planned;
      const group = Array.from({ length: rollouts }, () => rolloutOf(drawn(instance.task), played++));
      const results = group.map(rollout => resultOf(instance, rollout));
      state = observed(curation, state, instance, results);
      const success = pool === 'off' ? undefined : stored.get(instance.task);
      const { trains, injected } = filterGroup(group, NOW, 0, success && (() => success));
      const solved = group.find(rollout => rollout.isSuccess);
      if (solved !== undefined) stored.set(instance.task, solved);
      sums.rollouts += rollouts;
      sums.groups += 1;
      sums.carrying += Number(trains.length > 0);
      sums.training += trains.length;
      sums.injected += Number(injected);
      sums.failed += Number(solved === undefined);
    }
    return sums;
  };
  return Array.from({ length: epochs }, epochOf);
}

/** Groups with a gradient, or the rollouts in them, per 1,000 rollouts. */
export const per1000 = (epochs: readonly Epoch[], of: 'carrying' | 'training' = 'carrying'): number =>
  (1000 * total(epochs, of)) / total(epochs, 'rollouts');

export const total = (epochs: readonly Epoch[], of: keyof Epoch): number =>
  epochs.reduce((sum, epoch) => sum + epoch[of], 0);

/**
 * Observes the results of one instance. `curation.observe` copies its state, so it gets the state of this task only: with hundreds of
 * tasks a full copy takes a hundred times as long. Changes the records of `state`.
 */
export function observed(
  curation: Curation<DartState>,
  state: DartState,
  { task, seed }: Instance,
  results: readonly RolloutResult[],
): DartState {
  const [solved, lengths] = [state.solved, state.lengths ?? {}];
  const own: DartState = {
    ...state,
    results: picked(state.results, task),
    lengths: picked(lengths, task),
    solved: picked(solved, `${task} ${seed}`),
  };
  const after = results.reduce((current, result) => curation.observe(current, result), own);
  return {
    ...after,
    results: Object.assign(state.results, after.results),
    lengths: Object.assign(lengths, after.lengths),
    solved: Object.assign(solved, after.solved),
  };
}

const picked = <T>(record: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> => {
  const value = record[name];
  return value === undefined ? {} : { [name]: value };
};

const isSuccess = (reward: number): boolean => reward >= SUCCESS;

const resultOf = (instance: Instance, { reward, isSuccess }: TrainingRollout): RolloutResult => ({
  ...{ instance, score: reward, success: isSuccess, steps: 1 },
});

/** No two rollouts are equal, as on a real desktop. */
const rolloutOf = (reward: number, number: number): TrainingRollout => ({
  id: trajectoryId(`r${number}`),
  order: undefined,
  reward,
  isSuccess: isSuccess(reward),
  oldest: NOW,
  steps: [
    {
      observation: { encoding: 'none', bytes: NOTHING },
      choice: { kind: 'heads', decisions: [{ head: 'kind', choice: number, logProbability: 0 }] },
    },
  ],
  actions: 1,
});

const NOTHING = new Uint8Array(0);
