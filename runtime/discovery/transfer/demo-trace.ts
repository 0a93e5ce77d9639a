// A demonstration as somebody saw it who looked on: what was on the screen before each step, what was pointed at, and which
// steps only brought an application to the front. Where it starts from differs from instance to instance, so such a step is kept
// as what it came to.

import type { Action } from '../../core/action.ts';
import { type Element, elementAt, type Point } from '../../core/screen.ts';
import type { Task } from '../../core/task.ts';
import { startOf } from '../../environments/pocket/start.ts';

export interface DemoStep {
  /** What was done; undefined where an application came to the front. */
  readonly action: Action | undefined;
  /** The application that is in front when it is done. */
  readonly front: string | undefined;
  readonly before: readonly Element[];
}

/** The application in front, as the bar of tasks says it. */
export const frontOf = (elements: readonly Element[]): string | undefined =>
  elements.findLast(({ role, states }) => role === 'button' && states.includes('pressed'))?.name;

export const LAUNCHER = 'Apps';

export const pointsOf = (action: Action): readonly Point[] =>
  'at' in action ? [action.at] : action.kind === 'drag' ? [action.from, action.to] : [];

/** Scrolls are left out: how far one has to scroll differs from instance to instance. */
export function shownBy(task: Task, actions: readonly Action[]): readonly DemoStep[] {
  const { machine } = startOf(task);
  const screens = [machine.elements()];
  for (const action of actions) {
    machine.perform(action);
    screens.push(machine.elements());
  }
  const steps: DemoStep[] = [];
  for (let index = 0; index < actions.length; index++) {
    const [action, before] = [actions[index], screens[index] ?? []];
    const opened = openedBy(index, actions, screens);
    if (opened !== undefined) {
      steps.push({ action: undefined, front: opened.app, before });
      index += opened.steps - 1;
    } else if (action?.kind !== 'scroll') steps.push({ action, front: frontOf(before), before });
  }
  return steps;
}

/** By the launcher in two steps, or by its button in one. */
function openedBy(
  index: number,
  actions: readonly Action[],
  screens: readonly (readonly Element[])[],
): { readonly app: string; readonly steps: number } | undefined {
  const pressed = (at: number) => {
    const action = actions[at];
    return action?.kind === 'click' ? elementAt(screens[at] ?? [], action.at) : undefined;
  };
  const [first, second] = [pressed(index), pressed(index + 1)];
  if (first?.role !== 'button') return undefined;
  if (
    first.name === LAUNCHER &&
    second?.role === 'menuitem' &&
    frontOf(screens[index + 2] ?? []) === second.name
  )
    return { app: second.name, steps: 2 };
  const isTask =
    frontOf(screens[index] ?? []) !== first.name && frontOf(screens[index + 1] ?? []) === first.name;
  return isTask ? { app: first.name, steps: 1 } : undefined;
}
