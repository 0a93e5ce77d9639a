// Compares an action with the expert's on the same screen, by the rules of UI-S1. Pure.

import type { Action } from '../../core/action.ts';
import type { Point, Size } from '../../core/screen.ts';

/**
 * equal: it has the effect of the expert's next actions, of which there are several if it types several texts in a row; `rest` is what is left
 * of the last one. part: it types the next part of the expert's text, so the screen stays the same until the rest follows. kind: only the kind of
 * the action is the same.
 */
export type ActionMatch =
  | { readonly is: 'kind' | 'other' | 'none' }
  | { readonly is: 'equal'; readonly actions: number; readonly rest?: string }
  | { readonly is: 'part'; readonly rest: string };

/** As a share of the width and of the height of the screen. */
const MAX_DISTANCE = 0.04;

/** `experts` are the next actions of the expert. `rest` is the missing end of the first one's text; undefined if the agent typed no part of it. */
export function matchAction(
  action: Action,
  experts: readonly [Action, ...Action[]],
  screen: Size,
  rest?: string,
): ActionMatch {
  if (action.kind === 'none') return { is: 'none' };
  const [expert, ...following] = experts;
  const [text, expected] = [textOf(action), textOf(expert)];
  if (text !== undefined && expected !== undefined)
    return matchText(text, [rest ?? expected, ...textsOf(following)]);
  if (action.kind !== expert.kind) return { is: 'other' };
  return isEqual(action, expert, screen) ? ONE : { is: 'kind' };
}

const ONE: ActionMatch = { is: 'equal', actions: 1 };

/** Letters may differ in case. Spaces around a text do not matter. */
function matchText(text: string, [first = '', ...following]: readonly string[]): ActionMatch {
  const [given, expected] = [text.toLowerCase(), first.toLowerCase()];
  if (given === expected || (unspaced(given) !== '' && unspaced(given) === unspaced(expected))) return ONE;
  if (given === '') return { is: 'kind' };
  if (expected.startsWith(given)) return { is: 'part', rest: first.slice(text.length) };
  if (expected === '' || !given.startsWith(expected) || following.length === 0) return { is: 'kind' };
  const after = matchText(text.slice(first.length), following);
  if (after.is === 'equal') return { ...after, actions: after.actions + 1 };
  return after.is === 'part' ? { is: 'equal', actions: 1, rest: after.rest } : { is: 'kind' };
}

/** Of the actions until the first one that types nothing. */
function textsOf(actions: readonly Action[]): readonly string[] {
  const texts = actions.map(textOf);
  const end = texts.indexOf(undefined);
  return texts.slice(0, end < 0 ? texts.length : end).map(text => text ?? '');
}

const unspaced = (text: string): string => text.replaceAll(/^ +| +$/g, '');

/** The text that the action types; undefined if it types none. */
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
