// The scripted solution of an instance, as the actions that an agent would take.

import type { Action } from '../../contracts/action.ts';
import type { Seed } from '../../contracts/ids.ts';
import { isInfeasible, type Task } from '../../contracts/task.ts';
import { SCREEN } from '../../environments/pocket/desktop.ts';
import { prepared } from '../../environments/pocket/getters.ts';
import { Machine } from '../../environments/pocket/machine.ts';
import { Hand } from '../../environments/pocket/tasks/hand.ts';
import type { Suite } from '../../environments/pocket/tasks/suite.ts';

export interface Solution {
  /** Without the word that ends the episode. */
  readonly actions: readonly Action[];
  readonly ending: 'finished' | 'fail';
}

/** Solves the task on a machine of its own, which starts as the desktop does. */
export function solutionOf(suite: Suite, task: Task, seed: Seed): Solution {
  const { world, openings } = prepared(task.config ?? []);
  const machine = new Machine(world, SCREEN);
  for (const { app, what } of openings) machine.open(app, what);
  const hand = new Hand(machine);
  suite.made(task.id, seed).solve(hand);
  const actions = hand.actions.filter(({ kind }) => kind !== 'finished' && kind !== 'fail');
  return { actions, ending: isInfeasible(task) ? 'fail' : 'finished' };
}
