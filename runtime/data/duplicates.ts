// Rollouts of a group that are the same in content: the same was seen, chosen and earned. On a desktop that always answers alike this
// is common, and the second says nothing that the first did not. Pure.

import { Buffer } from 'node:buffer';
import type { Rollout } from './rollouts.ts';

/** Of each set of equal ones all but one: the youngest stays, and of those the first. */
export function duplicatesOf(group: readonly Rollout[]): readonly Rollout[] {
  const unlike = new Map<string, Rollout[]>();
  const duplicates: Rollout[] = [];
  for (const rollout of group) {
    // Whatever differs in what was chosen need not be compared by what was seen, which is much more.
    const known = unlike.get(choicesOf(rollout)) ?? [];
    unlike.set(choicesOf(rollout), known);
    const place = known.findIndex(other => sawTheSame(rollout, other));
    const other = known[place];
    if (other === undefined) known.push(rollout);
    else if (youth(rollout) <= youth(other)) duplicates.push(rollout);
    else {
      known[place] = rollout;
      duplicates.push(other);
    }
  }
  return duplicates;
}

/** The newer the weights that began it, the larger. */
const youth = ({ oldest }: Rollout): number => oldest ?? Number.POSITIVE_INFINITY;

/** What was chosen and earned, in one text. */
const choicesOf = ({ reward, isSuccess, steps }: Rollout): string =>
  JSON.stringify([
    reward,
    isSuccess,
    steps.map(({ decisions }) => decisions.map(({ head, choice }) => [head, choice])),
  ]);

const sawTheSame = (one: Rollout, other: Rollout): boolean =>
  one.steps.every(({ observation }, index) => {
    const seen = other.steps[index]?.observation;
    return (
      seen !== undefined &&
      seen.encoding === observation.encoding &&
      Buffer.compare(seen.bytes, observation.bytes) === 0
    );
  });
