// A demonstration as a trace: the screen before each step, the elements under the pointer, and which steps only bring an application
// to the front. The start differs between instances, so those steps are stored by their effect.

import type { Action } from '../../core/action.ts';
import { at } from '../../core/at.ts';
import { type Element, elementAt } from '../../core/screen.ts';
import type { Task } from '../../core/task.ts';
import { startOf } from '../../environments/pocket/getters.ts';

export interface DemoStep {
  /** Undefined for a step that only brings an application to the front. */
  readonly action: Action | undefined;
  /** The front application before the action. */
  readonly front: string | undefined;
  readonly before: readonly Element[];
}

/** The front application, by the task bar. */
export const frontOf = (elements: readonly Element[]): string | undefined =>
  elements.findLast(({ role, states }) => role === 'button' && states.includes('pressed'))?.name;

export const LAUNCHER = 'Apps';

/** Without scrolls: their number differs between instances. */
export function demoStepsOf(task: Task, actions: readonly Action[]): readonly DemoStep[] {
  const { machine } = startOf(task);
  const screens = [machine.elements()];
  for (const action of actions) {
    machine.perform(action);
    screens.push(machine.elements());
  }
  const steps: DemoStep[] = [];
  for (let index = 0; index < actions.length; index++) {
    const [action, before] = [at(actions, index), at(screens, index)];
    const opened = openedBy(index, actions, screens);
    if (opened !== undefined) {
      steps.push({ action: undefined, front: opened.app, before });
      index += opened.steps - 1;
    } else if (action.kind !== 'scroll') steps.push({ action, front: frontOf(before), before });
  }
  return steps;
}

/** An application opened by the launcher (two steps) or by its button (one step). */
function openedBy(
  index: number,
  actions: readonly Action[],
  screens: readonly (readonly Element[])[],
): { readonly app: string; readonly steps: number } | undefined {
  const pressed = (step: number) => {
    const action = actions[step];
    return action?.kind === 'click' ? elementAt(at(screens, step), action.at) : undefined;
  };
  const [first, second] = [pressed(index), pressed(index + 1)];
  if (first?.role !== 'button') return undefined;
  if (
    first.name === LAUNCHER &&
    second?.role === 'menuitem' &&
    frontOf(at(screens, index + 2)) === second.name
  )
    return { app: second.name, steps: 2 };
  const isOpened =
    frontOf(at(screens, index)) !== first.name && frontOf(at(screens, index + 1)) === first.name;
  return isOpened ? { app: first.name, steps: 1 } : undefined;
}
