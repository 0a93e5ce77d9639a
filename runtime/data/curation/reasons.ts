// Why a group was ordered, in words for a user: why this task, this many rollouts, this long. It decides nothing.

import { UNCAPPED_EVERY } from './length-cap.ts';
import { successes, WINDOW } from './results.ts';
import { isUnchanging } from './revisits.ts';

export interface Known {
  /** Of the task, the latest at the end. */
  readonly results: readonly boolean[];
  readonly rollouts: number;
  readonly maxSteps: number;
  /** Of its longest recent success; 0 where it has none, undefined where lengths are not looked at. */
  readonly longest: number | undefined;
  /** Whether it is less than the task itself allows. */
  readonly isCapped: boolean;
  /** Whether the cap is left out this time. */
  readonly isUncapped: boolean;
  readonly isDaring: boolean;
  /** Whether the number follows from the results. */
  readonly isNumbered: boolean;
  /** Whether tasks of which nothing changes come less often. */
  readonly isRevisited: boolean;
}

export const reasonsOf = (known: Known): string =>
  [taskReason(known), numberReason(known), lengthReason(known), ...daringReason(known)].join('; ');

function taskReason({ results, isRevisited }: Known): string {
  if (!isRevisited || !isUnchanging(results)) return 'its turn';
  return `a revisit, as its last ${WINDOW} rollouts all ${results.at(-1) === true ? 'succeeded' : 'failed'}`;
}

function numberReason({ results, rollouts, isNumbered }: Known): string {
  if (!isNumbered) return `${rollouts} rollouts, as every group has`;
  if (results.length === 0) return `${rollouts} rollouts, as it was never tried before`;
  return `${rollouts} rollouts, as ${successes(results)} of its last ${results.length} succeeded`;
}

function lengthReason({ maxSteps, longest, isCapped, isUncapped }: Known): string {
  const limit = `at most ${maxSteps} steps`;
  if (longest === undefined) return `${limit}, as the task has it`;
  if (longest === 0) return `${limit}, as the task has it, since none succeeded of late`;
  if (isUncapped) return `${limit}, as the task has it: one group in ${UNCAPPED_EVERY} may take them all`;
  return `${limit}, ${isCapped ? 'since' : 'as the task has it:'} its longest recent success took ${longest}`;
}

const daringReason = ({ isDaring }: Known): readonly string[] =>
  isDaring ? ['every other rollout bolder, as this instance was never solved'] : [];
