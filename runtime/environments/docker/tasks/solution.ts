// Plays a script as an agent would: it looks at the screen, and does the next thing. Pure: what comes next follows from the
// script, from how far it is, and from what is to be seen.

import { type Action, NOTCHES } from '../../../core/action.ts';
import { BoundaryError } from '../../../core/failure.ts';
import { key } from '../../../core/key.ts';
import { centre, type Element, type Point, type Screen } from '../../../core/screen.ts';
import type { ScriptStep, SolutionScript } from './script.ts';

/** How far a script is. */
export interface Progress {
  readonly done: number;
  /** How often it has waited, since the last step, for something to come up. */
  readonly waited: number;
}

export const SCRIPT_START: Progress = { done: 0, waited: 0 };

export interface NextAction {
  /** `finished` or `fail` when the script is over. */
  readonly action: Action;
  readonly progress: Progress;
}

/** A busy machine shows a dialog a moment late; what has not come after so many looks does not come. */
const PATIENCE = 8;

/** `thing` is what the script solves, in errors. */
export function nextAction(
  thing: string,
  script: SolutionScript,
  { done, waited }: Progress,
  screen: Screen,
): NextAction {
  const step = script[done];
  if (step === undefined) return { action: { kind: 'finished', answer: '' }, progress: { done, waited: 0 } };
  const elements = screen.elements ?? [];
  if (step[0] === 'until' && elements.some(({ role, name }) => role === step[1] && name.startsWith(step[2])))
    return nextAction(thing, script, { done: done + 1, waited: 0 }, screen);
  const action = actionOf(step, elements);
  if (action !== undefined) return { action, progress: { done: done + 1, waited: 0 } };
  if (waited < PATIENCE) return { action: { kind: 'wait' }, progress: { done, waited: waited + 1 } };
  const there = elements.map(({ role, name }) => `${role} '${name}'`);
  throw new BoundaryError({
    boundary: 'task',
    thing,
    message: `step ${done + 1} of its script, ${JSON.stringify(step)}, finds nothing of that name; to be seen are ${
      there.join(', ') || 'no elements'
    }`,
  });
}

/** Undefined where what the step names is not to be seen. */
function actionOf(step: ScriptStep, elements: readonly Element[]): Action | undefined {
  const place = (role: string, name: string, window?: string): Point | undefined => {
    const found = seen(elements, role, name, window);
    return found && centre(found.box);
  };
  switch (step[0]) {
    case 'click':
      return pointing('click', place(step[1], step[2], step[3]));
    case 'double':
      return pointing('double_click', place(step[1], step[2], step[3]));
    case 'right':
      return pointing('right_click', place(step[1], step[2], step[3]));
    case 'point':
      return { kind: 'click', at: { x: step[1], y: step[2] } };
    case 'drag': {
      const [from, to] = [place(step[1], step[2]), place(step[3], step[4])];
      return from && to && { kind: 'drag', from, to };
    }
    case 'scroll': {
      const at = place(step[1], step[2]);
      return at && { kind: 'scroll', at, direction: step[3], notches: NOTCHES };
    }
    case 'type':
      return { kind: 'type', text: step[1] };
    case 'keys': {
      const [, first, ...others] = step;
      return { kind: 'hotkey', keys: [key(first), ...others.map(key)] };
    }
    case 'until':
      return undefined;
    case 'fail':
      return { kind: 'fail', why: '' };
  }
}

const pointing = (
  kind: 'click' | 'double_click' | 'right_click',
  at: Point | undefined,
): Action | undefined => at && { kind, at };

const WINDOWS: ReadonlySet<string> = new Set(['window', 'dialog']);

/** The frontmost element of a role and name, of any window or of those whose title has a text in it. */
function seen(
  elements: readonly Element[],
  role: string,
  name: string,
  window?: string,
): Element | undefined {
  let title = '';
  let found: Element | undefined;
  // In the list, what is in a window follows it.
  for (const element of elements) {
    if (WINDOWS.has(element.role)) title = element.name;
    const isMeant = window === undefined || title.includes(window);
    if (isMeant && element.role === role && element.name === name) found = element;
  }
  return found;
}
