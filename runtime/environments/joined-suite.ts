// Joins the suites of one kind of desktops: the built-in tasks, and those of a folder of the user.

import { type Seed, seed } from '../core/ids.ts';
import type { Instance } from '../core/task.ts';
import type { Suite, TaskKind } from './suite.ts';

export interface JoinedSuite<T extends TaskKind = TaskKind> extends Suite<T> {
  /** The same instance, as the suite of its task numbers it. */
  own(instance: Instance): Instance;
}

/**
 * The joined suite has the most training seeds of all. A suite with fewer repeats its training instances, so that no training seed becomes
 * a test instance. Throws a RangeError if two suites have a task with the same id.
 */
export function joinedSuite<T extends TaskKind>(suites: readonly Suite<T>[]): JoinedSuite<T> {
  const owners = new Map<string, Suite<T>>();
  for (const suite of suites)
    for (const { id } of suite.templates) {
      if (owners.has(id)) throw new RangeError(`Two suites have a task '${id}'. Change one of the ids.`);
      owners.set(id, suite);
    }
  const owner = (id: string): Suite<T> => {
    const found = owners.get(id);
    if (found === undefined) throw new RangeError(`The suite has no task '${id}'.`);
    return found;
  };
  const trainSeeds = Math.max(...suites.map(suite => suite.trainSeeds));
  const firstTestSeed = Math.max(trainSeeds, ...suites.map(suite => suite.seed('test', 0)));
  const ownSeed = (suite: Suite, number: Seed): Seed =>
    number < trainSeeds
      ? suite.seed('train', number)
      : suite.seed('test', Math.max(0, number - firstTestSeed));
  return {
    templates: suites.flatMap(({ templates }) => templates),
    template: id => owner(id).template(id),
    tasks: (split, tier) => suites.flatMap(suite => suite.tasks(split, tier)),
    trainSeeds,
    seed: (split, index) => seed(split === 'train' ? index % trainSeeds : firstTestSeed + index),
    task: (id, number) => owner(id).task(id, ownSeed(owner(id), number)),
    own: instance => ({ ...instance, seed: ownSeed(owner(instance.task), instance.seed) }),
  };
}
