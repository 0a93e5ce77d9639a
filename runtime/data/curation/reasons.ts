// Describes for the user why a group was ordered: its task, rollout number, length cap and exploration. It makes no decisions.

import { UNCAPPED_EVERY } from './length-cap.ts';
import { RESULT_WINDOW, successes } from './results.ts';
import { isUnchanging } from './revisits.ts';

export interface OrderFacts {
  /** Recent results of the task, latest last. */
  readonly results: readonly boolean[];
  readonly rollouts: number;
  readonly maxSteps: number;
  /** Steps of the longest recent success; 0 without one, undefined if length caps are disabled. */
  readonly longest: number | undefined;
  /** Whether `maxSteps` is below the limit of the task. */
  readonly isCapped: boolean;
  /** Whether this group is exempt from the cap. */
  readonly isUncapped: boolean;
  readonly isExploring: boolean;
  /** Whether the rollout number depends on the results. */
  readonly isDynamicNumber: boolean;
  /** Whether unchanging tasks are visited less often. */
  readonly isRevisitRule: boolean;
}

export const describeOrder = (facts: OrderFacts): string =>
  [taskReason(facts), numberReason(facts), lengthReason(facts), ...explorationReason(facts)].join('; ');

function taskReason({ results, isRevisitRule }: OrderFacts): string {
  if (!isRevisitRule || !isUnchanging(results)) return 'next task of the round';
  return `revisit: the last ${RESULT_WINDOW} rollouts all ${results.at(-1) === true ? 'succeeded' : 'failed'}`;
}

function numberReason({ results, rollouts, isDynamicNumber }: OrderFacts): string {
  if (!isDynamicNumber) return `${rollouts} rollouts, as in every group`;
  if (results.length === 0) return `${rollouts} rollouts: no results yet`;
  return `${rollouts} rollouts: ${successes(results)} of the last ${results.length} succeeded`;
}

function lengthReason({ maxSteps, longest, isCapped, isUncapped }: OrderFacts): string {
  const limit = `at most ${maxSteps} steps`;
  if (longest === undefined) return `${limit} (limit of the task)`;
  if (longest === 0) return `${limit} (limit of the task: no recent success)`;
  if (isUncapped) return `${limit} (limit of the task: one group in ${UNCAPPED_EVERY} has no cap)`;
  return `${limit} (${isCapped ? 'cap' : 'limit of the task'}: the longest recent success took ${longest})`;
}

const explorationReason = ({ isExploring }: OrderFacts): readonly string[] =>
  isExploring ? ['more exploration in every second rollout: this instance was never solved'] : [];
