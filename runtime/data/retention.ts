// Which trajectories give way when there are too many: a pure decision. Deleting them, and writing down what they came to, is the
// store's affair.
//
// What somebody marked, and what is in the pool, is never deleted. Of all else the least worth goes first, and of what is worth the
// same the oldest: broken ones; failures; a sample of failures, drawn by their ids; successes.

import { createHash } from 'node:crypto';
import type { RetentionCandidate, StoreVolume } from './index/questions.ts';

/** Neither may be exceeded. */
export interface Budget {
  readonly count: number;
  readonly bytes: number;
}

/** One failure in so many belongs to the sample: enough to see what goes wrong, at any time of a run. */
const SAMPLE = 8;
/** So much is deleted at once that it is a while until the next time. */
const LEFT = 0.9;

export const isOver = (volume: StoreVolume, budget: Budget): boolean =>
  volume.count > budget.count || volume.bytes > budget.bytes;

/** Nothing while the budget holds; else as many as bring it down to nine tenths. In the order in which they go. */
export function toDelete(kept: readonly RetentionCandidate[], budget: Budget): readonly RetentionCandidate[] {
  const bytes = kept.reduce((sum, each) => sum + each.bytes, 0);
  if (!isOver({ count: kept.length, bytes }, budget)) return [];
  const order = kept
    .filter(({ isMarked, isInPool }) => !isMarked && !isInPool)
    .map(each => ({ each, worth: worthOf(each) }))
    .sort((a, b) => a.worth - b.worth || a.each.endedAt - b.each.endedAt || (a.each.id < b.each.id ? -1 : 1));
  let left: StoreVolume = { count: kept.length, bytes };
  const goal = { count: LEFT * budget.count, bytes: LEFT * budget.bytes };
  const enough = order.findIndex(({ each }) => {
    if (!isOver(left, goal)) return true;
    left = { count: left.count - 1, bytes: left.bytes - each.bytes };
    return false;
  });
  return order.slice(0, enough < 0 ? order.length : enough).map(({ each }) => each);
}

function worthOf({ outcome, id }: RetentionCandidate): number {
  if (outcome === 'broken') return 0;
  if (outcome === 'success') return 3;
  return isSampled(id) ? 2 : 1;
}

/** By its id alone, so that the same ones stay however often it is decided. */
const isSampled = (id: string): boolean => (createHash('sha256').update(id).digest()[0] ?? 0) % SAMPLE === 0;
