// The list of the user's actions. Consecutive letters, and consecutive notches of the wheel, become one entry. Pure.

import type { Action, Element, UserAction } from '../../runtime/protocol/play.ts';
import { capitalize } from '../shared/labels.ts';

export type TrailAction = UserAction | Action;

export interface TrailEntry {
  readonly action: TrailAction;
  /** The element under it; '' if there is none. */
  readonly on: string;
}

export type Trail = readonly TrailEntry[];

export function extendTrail(trail: Trail, entry: TrailEntry): Trail {
  const last = trail.at(-1);
  const both = last === undefined ? undefined : joined(last, entry);
  return both === undefined ? [...trail, entry] : [...trail.slice(0, -1), both];
}

function joined(before: TrailEntry, { action, on }: TrailEntry): TrailEntry | undefined {
  const [text, more] = [textOf(before.action), textOf(action)];
  if (text !== undefined && more !== undefined)
    return { action: { kind: 'type', text: text + more }, on: before.on };
  const { action: last } = before;
  if (last.kind === 'scroll' && action.kind === 'scroll' && last.direction === action.direction)
    return { action: { ...action, notches: last.notches + action.notches }, on };
  if (last.kind === 'click' && action.kind === 'double_click') return { action, on };
  return undefined;
}

/** The space bar is sent as a key, since it also presses buttons. */
function textOf(action: TrailAction): string | undefined {
  if (action.kind === 'type') return action.text;
  return action.kind === 'hotkey' && action.keys.join('+') === 'space' ? ' ' : undefined;
}

export const elementLabel = (element: Element | undefined): string => {
  if (element === undefined) return '';
  return element.name === '' ? element.role : `${element.role} “${element.name}”`;
};

export function entryLabel({ action, on }: TrailEntry): string {
  const where = on === '' ? '' : ` ${on}`;
  switch (action.kind) {
    case 'click':
      return `Click${where}`;
    case 'double_click':
      return `Double click${where}`;
    case 'right_click':
      return `Right click${where}`;
    case 'middle_click':
      return `Middle click${where}`;
    case 'triple_click':
      return `Triple click${where}`;
    case 'move':
      return `Move to${where || ' the screen'}`;
    case 'drag':
      return `Drag${where}`;
    case 'scroll':
      return `Scroll ${action.direction}`;
    case 'type':
      return `Type “${truncate(action.text.replaceAll('\n', '⏎'))}”`;
    case 'hotkey':
      return `Press ${keysLabel(action.keys)}`;
    case 'wait':
      return 'Wait';
    case 'finished':
      return 'Done';
    case 'fail':
      return 'Infeasible';
    case 'none':
      return 'No readable action';
  }
}

export const keysLabel = (keys: readonly string[]): string => keys.map(capitalize).join('+');

const truncate = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
