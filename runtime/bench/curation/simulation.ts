// Some epochs of data curation over a table of rewards: the product's own decisions order groups and settle them; only what a rollout
// comes to is drawn from its task's rewards, with replacement. Pure: chance is handed in.
//
// Assumed: the policy does not change; an instance is its task, so a stored success serves all later groups of it; no rollout breaks,
// gets too old, or does exactly the same as another.

import { oneOf } from '../../core/chance.ts';
import { seed, trajectoryId, version } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import type { Instance } from '../../core/task.ts';
import { SUCCESS } from '../../core/verdict.ts';
import type { Curation, Result } from '../../data/curation/curation.ts';
import { type DartState, dartCuration, type Parts } from '../../data/curation/dart.ts';
import { settled } from '../../data/group-filter.ts';
import type { Rollout } from '../../data/rollouts.ts';
import type { Table } from './table.ts';

export interface Rule {
  readonly parts: Pick<Parts, 'rolloutNumber' | 'revisits'>;
  /** Whether stored successes stand in where a whole group failed. `filled`: one of each task that the table has one of is there from the start. */
  readonly pool: 'off' | 'empty' | 'filled';
}

/** What an epoch came to. */
export interface Epoch {
  readonly rollouts: number;
  readonly groups: number;
  /** Groups that carry a gradient; and those of them that do by a stored success. */
  readonly carrying: number;
  readonly injected: number;
  /** Groups in which no rollout succeeded. */
  readonly failed: number;
}

/** Rollouts of an instance that nobody is sure of. */
export const ROLLOUTS = 8;
const SEED = seed(0);
const NOW = version(0);

/** An epoch ends with the group in which it has had as many rollouts as all tasks have of the uniform rule. */
export function simulate(
  table: Table,
  { parts, pool }: Rule,
  epochs: number,
  random: Random,
): readonly Epoch[] {
  const rewards = new Map(table.map(row => [row.task as string, row.rewards]));
  // The table tells no lengths, so no group can be capped by them.
  const curation = dartCuration({
    tasks: table.map(({ task }) => task),
    seedsOf: () => [SEED],
    maxStepsOf: () => 1,
    ...{ rollouts: ROLLOUTS, daring: 0, parts: { ...parts, length: false } },
  });
  const [ordering, playing] = [random.fork('ordering'), random.fork('playing')];
  let played = 0;
  const stored = new Map<string, Rollout>();
  if (pool === 'filled')
    for (const { task, rewards } of table) {
      const best = rewards.find(isSuccess);
      if (best !== undefined) stored.set(task, rolloutOf(best, played++));
    }
  let state = curation.start();
  const epochOf = (): Epoch => {
    const sums = { rollouts: 0, groups: 0, carrying: 0, injected: 0, failed: 0 };
    while (sums.rollouts < ROLLOUTS * table.length) {
      const next = curation.next(state, ordering);
      if (next === undefined) throw new RangeError('Nothing is worth ordering: the table has no tasks.');
      ({ state } = next);
      const { instance, rollouts } = next.planned;
      const group = Array.from({ length: rollouts }, () =>
        rolloutOf(oneOf(playing, rewards.get(instance.task) ?? []) ?? 0, played++),
      );
      const results = group.map(rollout => resultOf(instance, rollout));
      state = observed(curation, state, instance, results);
      const known = pool === 'off' ? undefined : stored.get(instance.task);
      const { trains, injected } = settled(group, NOW, { versions: 0 }, known && (() => known));
      const success = group.find(rollout => rollout.isSuccess);
      if (success !== undefined) stored.set(instance.task, success);
      sums.rollouts += rollouts;
      sums.groups += 1;
      sums.carrying += Number(trains.length > 0);
      sums.injected += Number(injected);
      sums.failed += Number(success === undefined);
    }
    return sums;
  };
  return Array.from({ length: epochs }, epochOf);
}

export const per1000 = (epochs: readonly Epoch[]): number =>
  (1000 * total(epochs, 'carrying')) / total(epochs, 'rollouts');

export const total = (epochs: readonly Epoch[], of: keyof Epoch): number =>
  epochs.reduce((sum, epoch) => sum + epoch[of], 0);

/**
 * The results of one instance, as `curation.observe` takes them one after the other. It is shown what is known of this one only, since it
 * copies whatever it is shown, and with hundreds of tasks that would take a hundred times as long. The records of `state` are changed.
 */
export function observed(
  curation: Curation<DartState>,
  state: DartState,
  { task, seed }: Instance,
  results: readonly Result[],
): DartState {
  const [solved, lengths] = [state.solved, state.lengths ?? {}];
  const own: DartState = {
    ...state,
    results: picked(state.results, task),
    lengths: picked(lengths, task),
    solved: picked(solved, `${task} ${seed}`),
  };
  const after = results.reduce((known, result) => curation.observe(known, result), own);
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

const resultOf = (instance: Instance, { reward, isSuccess }: Rollout): Result => ({
  ...{ instance, score: reward, success: isSuccess, steps: 1 },
});

/** No two are the same: on a real desktop no two are. */
const rolloutOf = (reward: number, number: number): Rollout => ({
  id: trajectoryId(`r${number}`),
  order: undefined,
  reward,
  isSuccess: isSuccess(reward),
  oldest: NOW,
  steps: [
    {
      observation: { encoding: 'none', bytes: NOTHING },
      decisions: [{ head: 'kind', choice: number, logProbability: 0 }],
    },
  ],
});

const NOTHING = new Uint8Array(0);
