// Compares an action with the expert's on the same screen, by the rules of UI-S1. Pure.

import type { Action } from '../../core/action.ts';
import type { Point, Size } from '../../core/screen.ts';

/**
 * equal: it has the effect of the expert's action. part: it types the next part of the expert's text, so the screen stays the same until the
 * rest follows. kind: only the kind of the action is the same.
 */
export type ActionMatch =
  | { readonly is: 'equal' | 'kind' | 'other' | 'none' }
  | { readonly is: 'part'; readonly rest: string };

/** As a share of the width and of the height of the screen. */
const MAX_DISTANCE = 0.04;

/** `rest` is the part of the expert's text that the agent did not type yet; undefined if it typed none. */
export function matchAction(
  action: Action,
  expert: Action,
  screen: Size,
  rest: string | undefined,
): ActionMatch {
  if (action.kind === 'none') return { is: 'none' };
  const [text, expected] = [textOf(action), textOf(expert)];
  if (text !== undefined && expected !== undefined) return matchText(text, rest ?? expected);
  if (action.kind !== expert.kind) return { is: 'other' };
  return { is: isEqual(action, expert, screen) ? 'equal' : 'kind' };
}

/** Letters may differ in case. Spaces around a text do not matter. */
function matchText(text: string, rest: string): ActionMatch {
  const [given, expected] = [text.toLowerCase(), rest.toLowerCase()];
  if (given === expected || (unspaced(given) !== '' && unspaced(given) === unspaced(expected)))
    return { is: 'equal' };
  return given !== '' && expected.startsWith(given)
    ? { is: 'part', rest: rest.slice(text.length) }
    : { is: 'kind' };
}

const unspaced = (text: string): string => text.replaceAll(/^ +| +$/g, '');

/** What the action types; undefined if it types nothing. */
function textOf(action: Action): string | undefined {
  if (action.kind === 'type') return action.text;
  if (action.kind !== 'hotkey' || action.keys.length > 1) return undefined;
  const [key] = action.keys;
  if (key === 'enter') return '\n';
  if (key === 'space') return ' ';
  return [...key].length === 1 ? key : undefined;
}

function isEqual(action: Action, expert: Action, screen: Size): boolean {
  if (action.kind === 'hotkey' && expert.kind === 'hotkey')
    return action.keys.toSorted().join(' ') === expert.keys.toSorted().join(' ');
  if (action.kind === 'scroll' && expert.kind === 'scroll') return action.direction === expert.direction;
  if (action.kind === 'drag' && expert.kind === 'drag')
    return isNear(action.from, expert.from, screen) && isNear(action.to, expert.to, screen);
  return !('at' in action && 'at' in expert) || isNear(action.at, expert.at, screen);
}

const isNear = (one: Point, other: Point, { width, height }: Size): boolean =>
  Math.hypot((one.x - other.x) / width, (one.y - other.y) / height) <= MAX_DISTANCE;
