// Selects the successes of the index that a run starts from, with their marks. Pure.

import type { TrajectoryId } from '../../core/ids.ts';
import type { StoredSuccess } from '../../core/stored-success.ts';
import { instanceKey } from '../../core/task.ts';
import type { IndexedTrajectory, PoolMemberRow } from '../index/queries.ts';

/** A success without the content of its file. */
export type SuccessSummary = Omit<StoredSuccess, 'trajectory'> & { readonly id: TrajectoryId };

const MAX_MEMBERS_PER_INSTANCE = 4;
const MAX_OWN_PER_TASK = 24;

/**
 * Inputs and result are ordered newest first. Members come first, because a user selected them. Of the run's own successes the newest of
 * each instance counts. Trajectories with a manual failure verdict or a rejection are excluded.
 */
export function selectSuccesses(
  members: readonly PoolMemberRow[],
  own: readonly IndexedTrajectory[],
): readonly SuccessSummary[] {
  const membersByInstance = new Counter();
  const ownByInstance = new Counter();
  const ownByTask = new Counter();
  const accepted = members.filter(
    ({ row }) =>
      isMember(row) && membersByInstance.isWithin(instanceKey(row.instance), MAX_MEMBERS_PER_INSTANCE),
  );
  const memberIds = new Set(accepted.map(({ row }) => row.id));
  const ownSuccesses = own.filter(
    ({ id, outcome, isInPool, instance }) =>
      !memberIds.has(id) &&
      outcome === 'success' &&
      isInPool !== false &&
      ownByInstance.isWithin(instanceKey(instance), 1) &&
      ownByTask.isWithin(instance.task, MAX_OWN_PER_TASK),
  );
  return [
    ...accepted.map(({ row, at }) => summaryOf(row, true, at)),
    ...ownSuccesses.map(row => summaryOf(row, false, row.endedAt)),
  ];
}

/** What counts, with its annotations; 'open' for a demonstration that counts as it was received; 'out' for any other trajectory. */
export type PoolStatus = SuccessSummary | 'open' | 'out';

/** `at` is the time of the last membership mark; `isItsOwn` means that the run produced it or received it as a demonstration. */
export function poolStatusOf(row: IndexedTrajectory, at: number, isItsOwn: boolean): PoolStatus {
  if (isMember(row)) return summaryOf(row, true, at);
  const { isInPool, outcome, purpose } = row;
  // A collected trajectory counts only after acceptance.
  const mayCount = isItsOwn && isInPool !== false && outcome === 'success' && purpose !== 'collect';
  if (!mayCount) return 'out';
  return purpose === 'demonstrate' && !isChanged(row) ? 'open' : summaryOf(row, false, at);
}

const isChanged = ({ verdict, trim, newInstruction }: IndexedTrajectory): boolean =>
  verdict !== undefined || trim !== undefined || newInstruction !== undefined;

const isMember = ({ isInPool, outcome, purpose }: IndexedTrajectory): boolean =>
  isInPool === true && outcome === 'success' && purpose !== 'evaluate';

const summaryOf = (
  { id, instruction, newInstruction, trim }: IndexedTrajectory,
  isMember: boolean,
  since: number,
): SuccessSummary => ({
  ...{ id, isMember, since, instruction: newInstruction ?? instruction },
  ...(trim !== undefined && { part: trim }),
});

class Counter {
  readonly #counts = new Map<string, number>();

  /** Counts the key; returns false once it reached the maximum. */
  isWithin(key: string, maximum: number): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count >= maximum) return false;
    this.#counts.set(key, count + 1);
    return true;
  }
}
