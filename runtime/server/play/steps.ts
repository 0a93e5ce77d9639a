// Counts a person's actions as an agent's steps. A person types letter by letter, scrolls notch by notch, and clicks once before a
// double click. An agent does each of these in one step.

import type { Action } from '../../core/action.ts';

/** The pointer may move this far between the clicks of a double click. */
const MAX_DOUBLE_CLICK_DRIFT_PX = 3;

export const stepsOf = (actions: readonly Action[]): number =>
  actions.filter((action, index) => !continuesStep(actions[index - 1], action)).length;

/** Whether an action is part of the same step as the one before it. */
function continuesStep(before: Action | undefined, action: Action): boolean {
  if (before === undefined) return false;
  if (isTyping(before) && isTyping(action)) return true;
  if (before.kind === 'scroll' && action.kind === 'scroll') return before.direction === action.direction;
  if (before.kind === 'click' && action.kind === 'double_click') {
    const [across, down] = [before.at.x - action.at.x, before.at.y - action.at.y];
    return Math.abs(across) <= MAX_DOUBLE_CLICK_DRIFT_PX && Math.abs(down) <= MAX_DOUBLE_CLICK_DRIFT_PX;
  }
  return false;
}

/** The page sends the space bar as a hotkey. */
const isTyping = (action: Action): boolean =>
  action.kind === 'type' || (action.kind === 'hotkey' && action.keys.join('+') === 'space');
