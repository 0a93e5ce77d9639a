// How many steps an agent would have taken for what a person did. A person types letter by letter, turns the wheel notch by
// notch, and has clicked once before the second click makes it a double click; an agent does each in one action.

import type { Action } from '../../core/action.ts';

/** In pixels: a hand is never quite still between the clicks of a double click. */
const STILL = 3;

export const stepsOf = (actions: readonly Action[]): number =>
  actions.filter((action, index) => !continues(actions[index - 1], action)).length;

/** Whether an action is part of the same step as the one before it. */
function continues(before: Action | undefined, action: Action): boolean {
  if (before === undefined) return false;
  if (writes(before) && writes(action)) return true;
  if (before.kind === 'scroll' && action.kind === 'scroll') return before.direction === action.direction;
  if (before.kind === 'click' && action.kind === 'double_click') {
    const [across, down] = [before.at.x - action.at.x, before.at.y - action.at.y];
    return Math.abs(across) <= STILL && Math.abs(down) <= STILL;
  }
  return false;
}

/** The space bar is pressed as a key, for it is not always text. */
const writes = (action: Action): boolean =>
  action.kind === 'type' || (action.kind === 'hotkey' && action.keys.join('+') === 'space');
