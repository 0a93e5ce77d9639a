// The scripted solution of an instance, as the actions that an agent would take.

import type { Action } from '../../core/action.ts';
import type { Seed } from '../../core/ids.ts';
import { isInfeasible, type Task } from '../../core/task.ts';
import { startOf } from './start.ts';
import { ScriptedUser } from './tasks/scripted-user.ts';
import type { PocketSuite } from './tasks/suite.ts';

export interface Solution {
  /** Without the word that ends the episode. */
  readonly actions: readonly Action[];
  readonly ending: 'finished' | 'fail';
}

/** Solves the task on a machine of its own, which starts as the desktop does. */
export function solutionOf(suite: PocketSuite, task: Task, seed: Seed): Solution {
  const hand = new ScriptedUser(startOf(task).machine);
  suite.instance(task.id, seed).solve(hand);
  const actions = hand.actions.filter(({ kind }) => kind !== 'finished' && kind !== 'fail');
  return { actions, ending: isInfeasible(task) ? 'fail' : 'finished' };
}
