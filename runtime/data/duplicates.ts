// Finds rollouts of a group with the same observations, choices and reward. Deterministic desktops produce many; a duplicate adds no
// information. Pure.

import { Buffer } from 'node:buffer';
import { choiceKey } from '../core/trace.ts';
import type { TrainingRollout } from './rollouts.ts';

/** All but one of each set of equal rollouts. The one with the newest weights remains; among those the first. */
export function duplicatesOf(group: readonly TrainingRollout[]): readonly TrainingRollout[] {
  const distinct = new Map<string, TrainingRollout[]>();
  const duplicates: TrainingRollout[] = [];
  for (const rollout of group) {
    // Choices are compared first, because observations are much larger.
    const candidates = distinct.get(rolloutKey(rollout)) ?? [];
    distinct.set(rolloutKey(rollout), candidates);
    const index = candidates.findIndex(other => hasEqualObservations(rollout, other));
    const other = candidates[index];
    if (other === undefined) candidates.push(rollout);
    else if (versionRank(rollout) <= versionRank(other)) duplicates.push(rollout);
    else {
      candidates[index] = rollout;
      duplicates.push(other);
    }
  }
  return duplicates;
}

/** Larger for newer weights. */
const versionRank = ({ oldest }: TrainingRollout): number => oldest ?? Number.POSITIVE_INFINITY;

/** Choices and reward as a map key. */
const rolloutKey = ({ reward, isSuccess, steps }: TrainingRollout): string =>
  JSON.stringify([reward, isSuccess, steps.map(({ choice }) => choiceKey(choice))]);

const hasEqualObservations = (one: TrainingRollout, other: TrainingRollout): boolean =>
  one.steps.every(({ observation }, index) => {
    const otherObservation = other.steps[index]?.observation;
    return (
      otherObservation !== undefined &&
      otherObservation.encoding === observation.encoding &&
      Buffer.compare(otherObservation.bytes, observation.bytes) === 0
    );
  });
