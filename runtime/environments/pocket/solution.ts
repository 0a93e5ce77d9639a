// The scripted solution of an instance as a list of actions.

import type { Action } from '../../core/action.ts';
import type { Seed } from '../../core/ids.ts';
import { isInfeasible, type Task } from '../../core/task.ts';
import { startOf } from './start.ts';
import { ScriptedUser } from './tasks/scripted-user.ts';
import type { PocketSuite } from './tasks/suite.ts';

export interface Solution {
  /** Without the final action `finished` or `fail`. */
  readonly actions: readonly Action[];
  readonly ending: 'finished' | 'fail';
}

/** Records the actions of the solution on a machine of its own. */
export function solutionOf(suite: PocketSuite, task: Task, seed: Seed): Solution {
  const hand = new ScriptedUser(startOf(task).machine);
  suite.instance(task.id, seed).solve(hand);
  const actions = hand.actions.filter(({ kind }) => kind !== 'finished' && kind !== 'fail');
  return { actions, ending: isInfeasible(task) ? 'fail' : 'finished' };
}
