// Selects the trajectories to delete when the store exceeds its budget. Pure; the store deletes them and records their outcomes.
//
// Marked trajectories and members of the success pool are never deleted. The others are deleted in this order, oldest first: broken ones,
// failures, a sample of failures chosen by the hash of the id, and successes.

import { createHash } from 'node:crypto';
import type { RetentionCandidate, StoreVolume } from './index/queries.ts';

/** Upper bounds; both apply. */
export interface Budget {
  readonly count: number;
  readonly bytes: number;
}

/** One failure in this number belongs to the sample, which shows failures from all parts of a run. */
const SAMPLE_EVERY = 8;
/** Deletion goes down to this share of the budget, so that it runs rarely. */
const TARGET_SHARE = 0.9;

export const isOver = (volume: StoreVolume, budget: Budget): boolean =>
  volume.count > budget.count || volume.bytes > budget.bytes;

/** Empty within the budget; otherwise enough to reach nine tenths of it, in the order of deletion. */
export function toDelete(kept: readonly RetentionCandidate[], budget: Budget): readonly RetentionCandidate[] {
  const bytes = kept.reduce((sum, each) => sum + each.bytes, 0);
  if (!isOver({ count: kept.length, bytes }, budget)) return [];
  const order = kept
    .filter(({ isMarked, isInPool }) => !isMarked && !isInPool)
    .map(each => ({ each, worth: worthOf(each) }))
    .sort((a, b) => a.worth - b.worth || byAge(a.each, b.each));
  let left: StoreVolume = { count: kept.length, bytes };
  const goal = { count: TARGET_SHARE * budget.count, bytes: TARGET_SHARE * budget.bytes };
  const enough = order.findIndex(({ each }) => {
    if (!isOver(left, goal)) return true;
    left = { count: left.count - 1, bytes: left.bytes - each.bytes };
    return false;
  });
  return order.slice(0, enough < 0 ? order.length : enough).map(({ each }) => each);
}

/** The oldest first. */
const byAge = (a: RetentionCandidate, b: RetentionCandidate): number =>
  a.endedAt - b.endedAt || (a.id < b.id ? -1 : 1);

function worthOf({ outcome, id }: RetentionCandidate): number {
  if (outcome === 'broken') return 0;
  if (outcome === 'success') return 3;
  return isSampled(id) ? 2 : 1;
}

/** Depends on the id alone, so that repeated selections keep the same sample. */
const isSampled = (id: string): boolean =>
  createHash('sha256').update(id).digest().readUInt8() % SAMPLE_EVERY === 0;
