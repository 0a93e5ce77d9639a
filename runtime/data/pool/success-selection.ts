// Which trajectories of the index a run goes on from, and what somebody said of them that it has to know. Pure.

import type { TrajectoryId } from '../../core/ids.ts';
import type { StoredSuccess } from '../../core/stored-success.ts';
import { instanceKey } from '../../core/task.ts';
import type { IndexedTrajectory, PoolMemberRow } from '../index/questions.ts';

/** A success by its name, and what is known of it without its file. */
export type SuccessSummary = Omit<StoredSuccess, 'trajectory'> & { readonly id: TrajectoryId };

/** Members of an instance, and own successes of a task: nobody keeps more. */
const MEMBERS = 4;
const OWN = 24;

/**
 * Both from the newest to the oldest, and so is what is given. Members come first: there are few, and somebody meant them. Of own
 * successes the newest of each instance counts. What was judged otherwise or rejected by hand is none.
 */
export function selectSuccesses(
  members: readonly PoolMemberRow[],
  own: readonly IndexedTrajectory[],
): readonly SuccessSummary[] {
  const ofInstance = new Counter();
  const achieved = new Counter();
  const ofTask = new Counter();
  const accepted = members.filter(
    ({ row }) => isMember(row) && ofInstance.isWithin(instanceKey(row.instance), MEMBERS),
  );
  const named = new Set(accepted.map(({ row }) => row.id));
  const mine = own.filter(
    ({ id, outcome, isInPool, instance }) =>
      !named.has(id) &&
      outcome === 'success' &&
      isInPool !== false &&
      achieved.isWithin(instanceKey(instance), 1) &&
      ofTask.isWithin(instance.task, OWN),
  );
  return [
    ...accepted.map(({ row, at }) => knownBy(row, true, at)),
    ...mine.map(row => knownBy(row, false, row.endedAt)),
  ];
}

/** What a trajectory is to a run: a member of the pool; what may count without being one; what counts for nothing. */
export type PoolStatus = SuccessSummary | 'open' | 'out';

/** `at` is when somebody last said whether it is in the pool; `isItsOwn`, whether the run achieved it or was shown it. */
export function poolStatusOf(row: IndexedTrajectory, at: number, isItsOwn: boolean): PoolStatus {
  if (isMember(row)) return knownBy(row, true, at);
  const { isInPool, outcome, purpose } = row;
  // What was collected counts once somebody accepts it.
  const mayCount = isItsOwn && isInPool !== false && outcome === 'success' && purpose !== 'collect';
  return mayCount ? 'open' : 'out';
}

const isMember = ({ isInPool, outcome, purpose }: IndexedTrajectory): boolean =>
  isInPool === true && outcome === 'success' && purpose !== 'evaluate';

const knownBy = (
  { id, instruction, newInstruction, trim }: IndexedTrajectory,
  isMember: boolean,
  since: number,
): SuccessSummary => ({
  ...{ id, isMember, since, instruction: newInstruction ?? instruction },
  ...(trim !== undefined && { part: trim }),
});

class Counter {
  readonly #counts = new Map<string, number>();

  /** Counts it where there are not as many yet. */
  isWithin(key: string, most: number): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count >= most) return false;
    this.#counts.set(key, count + 1);
    return true;
  }
}
