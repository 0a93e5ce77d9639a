// What is rolled out next, as a configuration wants it.

import type { TaskId } from '../../contracts/ids.ts';
import { type Instance, stepLimit } from '../../contracts/task.ts';
import type { Curation } from '../../data/curation/curation.ts';
import { type DartState, dartCuration } from '../../data/curation/dart.ts';
import { type Suite, trainingSeeds } from '../../environments/suite.ts';
import type { Config } from '../config/config.ts';

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
    daring: rollout.daring,
    parts: curation,
    caps: { margin: curation.lengthMargin, floor: curation.lengthFloor },
  });

/** How long an episode may get, by its task alone. */
export const limitsOf =
  (suite: Suite) =>
  ({ task, seed }: Instance): number =>
    stepLimit(suite.task(task, seed));
