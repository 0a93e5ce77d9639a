// DART curation with the settings of a configuration: it decides what is rolled out next.

import type { Config } from '../config/config.ts';
import type { TaskId } from '../core/ids.ts';
import { type Instance, stepLimit } from '../core/task.ts';
import type { Curation } from '../data/curation/curation.ts';
import { type DartState, dartCuration } from '../data/curation/dart.ts';
import { type Suite, taskIfPossible, trainingSeeds } from '../environments/suite.ts';

export const curationOf = (
  { data, rollout, curation }: Config,
  suite: Suite,
  tasks: readonly TaskId[],
): Curation<DartState> =>
  dartCuration({
    tasks,
    seedsOf: () => trainingSeeds(suite),
    maxStepsOf: limitsOf(suite),
    rollouts: data.rollouts,
    exploration: rollout.exploration,
    extraExploration: rollout.daring,
    patience: curation.patience,
    parts: curation,
    caps: { margin: curation.lengthMargin, floor: curation.lengthFloor },
  });

/** How long an episode may get, by its task alone. 1 for an instance that cannot be made. */
export const limitsOf =
  (suite: Suite) =>
  ({ task, seed }: Instance): number => {
    const made = taskIfPossible(suite, task, seed);
    return made === undefined ? 1 : stepLimit(made);
  };
