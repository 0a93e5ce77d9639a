// Names the actions of the library for people.

import type { Action } from '../../../runtime/core/action.ts';
import { type Element, elementAt } from '../../../runtime/core/screen.ts';

/** The element under the pointer. */
export function targetOf(action: Action, elements: readonly Element[]): Element | undefined {
  const at = action.kind === 'drag' ? action.from : 'at' in action ? action.at : undefined;
  return at === undefined ? undefined : elementAt(elements, at);
}

export const called = ({ role, name }: Element): string => (name === '' ? role : `${role} “${name}”`);

export function inWords(action: Action, on: Element | undefined): string {
  const where = on === undefined ? '' : ` ${called(on)}`;
  switch (action.kind) {
    case 'type':
      return `type “${action.text}”`;
    case 'hotkey':
      return `press ${action.keys.join('+')}`;
    case 'scroll':
      return `scroll ${action.direction}${where}`;
    case 'finished':
      return 'report the task as done';
    case 'fail':
      return 'report the task as infeasible';
    default:
      return `${action.kind.replace('_', ' ')}${where}`;
  }
}
