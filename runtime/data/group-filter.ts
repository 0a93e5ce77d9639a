// Decides which rollouts of a complete group train, and which are too old, duplicates or without a gradient. Pure.

import type { Version } from '../core/ids.ts';
import type { AdvantageKind } from './advantage.ts';
import type { Selection } from './critics/critics.ts';
import { duplicatesOf } from './duplicates.ts';
import { carriesGradient } from './group-comparison.ts';
import { actionReward, differsInActions, differsInMatches, partsReward } from './match-advantages.ts';
import { asDemonstration, type TrainingRollout } from './rollouts.ts';
import { stalenessOf } from './staleness.ts';

export interface FilteredGroup {
  /** Empty if the group does not train; two or more if they are compared with each other. An injected success comes first. */
  readonly trains: readonly TrainingRollout[];
  readonly injected: boolean;
  /** Rollouts beyond the staleness bound. */
  readonly dropped: readonly TrainingRollout[];
  /** Rollouts with the same observations, choices and reward as one that trains. */
  readonly duplicates: readonly TrainingRollout[];
  /** Rollouts without a gradient. One that a stored success replaces comes first. */
  readonly filtered: readonly TrainingRollout[];
  /** Why the group trains or does not train, for the user. */
  readonly why: string;
  /** Why its filtered rollouts do not, if not for the same reason. */
  readonly whyNot?: string;
}

/** Which groups train, and which of their rollouts, for a kind of advantages. */
interface GroupRule {
  /** The least number of rollouts. */
  readonly least: number;
  readonly trains: (rollouts: readonly TrainingRollout[]) => boolean;
  /** The rollouts that train in such a group; all if absent. */
  readonly uses?: (rollout: TrainingRollout) => boolean;
  readonly why: string;
  readonly whyNot: (isFailure: boolean) => string;
}

/** A group-relative advantage needs two rollouts. */
const REWARDS: GroupRule = {
  least: 2,
  trains: rollouts => carriesGradient(rollouts.map(({ reward }) => reward)),
  why: 'the rewards differ',
  whyNot: isFailure =>
    isFailure ? 'all failed, and no stored success is available' : 'all rollouts have the same reward',
};

/** For advantages by contributions, of which failures have none, however their rewards differ. */
const CONTRIBUTIONS: GroupRule = {
  ...REWARDS,
  trains: rollouts => REWARDS.trains(rollouts) && rollouts.some(({ isSuccess }) => isSuccess),
};

/** For advantages by matches, which a group of failures has too. */
const MATCHES: GroupRule = {
  least: 2,
  trains: differsInMatches,
  why: 'the returns of the first step differ',
  whyNot: () => 'the returns of the first step differ too little',
};

/** For advantages by single actions. */
const ACTIONS: GroupRule = {
  least: 2,
  trains: rollouts => differsInActions(rollouts, actionReward),
  why: 'actions at the same step differ',
  whyNot: () => 'at each step all actions have the same reward',
};

/** For advantages by the parts of an action. */
const PARTS: GroupRule = { ...ACTIONS, trains: rollouts => differsInActions(rollouts, partsReward) };

/** For the imitation of successes, which are compared with nothing. */
const SUCCESSES: GroupRule = {
  least: 1,
  trains: rollouts => rollouts.some(({ isSuccess }) => isSuccess),
  uses: ({ isSuccess }) => isSuccess,
  why: 'some succeeded',
  whyNot: () => 'failures are not imitated',
};

export function ruleOf(advantages: AdvantageKind): GroupRule {
  switch (advantages) {
    case 'matches':
      return MATCHES;
    case 'actions':
      return ACTIONS;
    case 'parts':
      return PARTS;
    case 'contributions':
      return CONTRIBUTIONS;
    case 'successes':
      return SUCCESSES;
    default:
      return REWARDS;
  }
}

/**
 * `group` is in the order of return. `stored` returns an earlier success of the same instance, of any age. It replaces the oldest failure
 * when all rollouts failed.
 */
export function filterGroup(
  group: readonly TrainingRollout[],
  version: Version,
  maxStaleness: number,
  stored: (() => TrainingRollout) | undefined,
  rule = REWARDS,
): FilteredGroup {
  const { fresh, dropped } = byAge(group, version, maxStaleness);
  const untrainable = (why: string): FilteredGroup => ({ ...nothing(fresh, dropped), why });
  if (fresh.length < rule.least)
    return untrainable(
      fresh.length > 0 ? 'a single rollout has no group to be compared with' : 'no rollout is left',
    );
  const isFailure = fresh.every(({ isSuccess }) => !isSuccess);
  if (isFailure && stored !== undefined) {
    const rollout = stored();
    const success = { ...rollout, steps: asDemonstration(rollout.steps) };
    // The replaced failure is no longer among the duplicates, so at least one failure remains for the comparison.
    const { unique, duplicates } = withoutDuplicates(fresh.slice(1));
    const why = 'all failed; a stored success replaces the oldest failure';
    const { trains, others } = byUse(unique, rule);
    return {
      ...{ trains: [success, ...trains], injected: true },
      ...{ dropped, duplicates, filtered: [...fresh.slice(0, 1), ...others], why },
    };
  }
  const { unique, duplicates } = withoutDuplicates(fresh);
  // The rule sees no duplicates, because they are missing when the group is filtered again.
  if (!rule.trains(unique)) return untrainable(rule.whyNot(isFailure));
  const { trains, others } = byUse(unique, rule);
  const removed = { dropped, duplicates, filtered: others };
  return { trains, injected: false, ...removed, why: rule.why, whyNot: rule.whyNot(false) };
}

/** For advantages that compare a rollout with learned values: critics select among the distinct rollouts. */
export function filterByCritics(
  group: readonly TrainingRollout[],
  version: Version,
  maxStaleness: number,
  select: (rollouts: readonly TrainingRollout[]) => Selection<TrainingRollout>,
): FilteredGroup {
  const { fresh, dropped } = byAge(group, version, maxStaleness);
  if (fresh.length === 0) return { ...nothing(fresh, dropped), why: 'no rollout is left' };
  const { unique, duplicates } = withoutDuplicates(fresh);
  const { trains, why, whyNot } = select(unique);
  if (trains.length === 0) return { ...nothing(fresh, dropped), why: whyNot };
  const filtered = unique.filter(rollout => !trains.includes(rollout));
  return { trains, injected: false, dropped, duplicates, filtered, why, whyNot };
}

function byUse(rollouts: readonly TrainingRollout[], { uses = () => true }: GroupRule) {
  const trains = rollouts.filter(uses);
  return { trains, others: rollouts.filter(rollout => !trains.includes(rollout)) };
}

function byAge(group: readonly TrainingRollout[], version: Version, maxStaleness: number) {
  const fresh = group.filter(({ oldest }) => stalenessOf(oldest, version) <= maxStaleness);
  return { fresh, dropped: group.filter(rollout => !fresh.includes(rollout)) };
}

/** A group of which nothing trains. */
const nothing = (
  filtered: readonly TrainingRollout[],
  dropped: readonly TrainingRollout[],
): Omit<FilteredGroup, 'why'> => ({ trains: [], injected: false, dropped, duplicates: [], filtered });

function withoutDuplicates(rollouts: readonly TrainingRollout[]): {
  readonly unique: readonly TrainingRollout[];
  readonly duplicates: readonly TrainingRollout[];
} {
  const duplicates = duplicatesOf(rollouts);
  return { unique: rollouts.filter(rollout => !duplicates.includes(rollout)), duplicates };
}

/** Why some rollouts of a group do not train, for the user. */
export function describeRemoval({
  dropped,
  duplicates,
  filtered,
  why,
  whyNot = why,
}: Omit<FilteredGroup, 'trains' | 'injected'>): string {
  const reasons = [
    ...(filtered.length > 0 || dropped.length + duplicates.length === 0 ? [whyNot] : []),
    ...(dropped.length > 0 ? [`${dropped.length} too old`] : []),
    ...(duplicates.length > 0 ? [`${duplicates.length} identical to another rollout of the group`] : []),
  ];
  return reasons.join('; ');
}
