// What becomes of a complete group: what of it trains, what is too old, what is there twice, what says nothing. Pure.

import type { Version } from '../core/ids.ts';
import { advantages, carriesGradient } from './advantage.ts';
import { duplicatesOf } from './duplicates.ts';
import { asDemonstrated, type Rollout } from './rollouts.ts';
import { type Bound, behind, freshOf } from './staleness.ts';

export interface Settled {
  /** Never of one; empty where nothing of the group trains. A stored success that was put in stands first. */
  readonly trains: readonly Rollout[];
  readonly injected: boolean;
  /** Older than the bound. */
  readonly dropped: readonly Rollout[];
  /** Did, saw and earned the same as one that trains. */
  readonly duplicates: readonly Rollout[];
  /** Say nothing, or made place for a stored success. */
  readonly filtered: readonly Rollout[];
  /** In words for a user: why it trains, or why nothing of it does. */
  readonly why: string;
}

/**
 * `group` in the order in which its rollouts came back. `stored` gives a success of the same instance from before; it is as old as it
 * may be, and stands in for the oldest failure where all failed.
 */
export function settled(
  group: readonly Rollout[],
  version: Version,
  bound: Pick<Bound, 'versions'>,
  stored: (() => Rollout) | undefined,
): Settled {
  const age = ({ oldest }: Rollout) => behind(oldest, version);
  const dropped = group.filter(rollout => age(rollout) > bound.versions);
  const { fresh, alone } = freshOf(group, age, bound);
  const nothing = (why: string): Settled => ({
    trains: [],
    injected: false,
    dropped,
    duplicates: [],
    filtered: group.filter(rollout => !dropped.includes(rollout)),
    why,
  });
  if (fresh.length === 0)
    return nothing(alone > 0 ? 'one alone has nothing to be compared with' : 'none is left');
  const isFailure = fresh.every(({ isSuccess }) => !isSuccess);
  if (isFailure && stored !== undefined) {
    const known = stored();
    const success = { ...known, steps: asDemonstrated(known.steps) };
    // What made place is none of the equal ones any more, so at least one failure is left to be compared with.
    const { once, duplicates } = eachOnce(fresh.slice(1));
    const why = 'all failed; a stored success stands in for the oldest failure';
    return {
      ...{ trains: [success, ...once], injected: true },
      ...{ dropped, duplicates, filtered: fresh.slice(0, 1), why },
    };
  }
  if (!carriesGradient(fresh.map(({ reward }) => reward)))
    return nothing(isFailure ? 'all failed alike, and no stored success can stand in' : 'all came out alike');
  const { once, duplicates } = eachOnce(fresh);
  return {
    ...{ trains: once, injected: false, dropped, duplicates, filtered: [] },
    why: 'some did better than others',
  };
}

function eachOnce(rollouts: readonly Rollout[]): {
  readonly once: readonly Rollout[];
  readonly duplicates: readonly Rollout[];
} {
  const duplicates = duplicatesOf(rollouts);
  return { once: rollouts.filter(rollout => !duplicates.includes(rollout)), duplicates };
}

/** Why some of a group do not train, in words for a user; `why` is of those that are filtered. */
export function reasonsAside({
  dropped,
  duplicates,
  filtered,
  why,
}: Omit<Settled, 'trains' | 'injected'>): string {
  const reasons = [
    ...(filtered.length > 0 || dropped.length + duplicates.length === 0 ? [why] : []),
    ...(dropped.length > 0 ? [`${dropped.length} too old`] : []),
    ...(duplicates.length > 0 ? [`${duplicates.length} did exactly what another of the group did`] : []),
  ];
  return reasons.join('; ');
}

/** Each with how much better than its group it did. */
export function compared(
  trains: readonly Rollout[],
): readonly { readonly rollout: Rollout; readonly advantage: number }[] {
  const better = advantages(trains.map(({ reward, steps }) => ({ reward, steps: steps.length })));
  return trains.map((rollout, index) => ({ rollout, advantage: better[index] ?? 0 }));
}
