// Describes an action for a reader: 'click button "New"'. Pure.

import { capital } from '../agents/compact/word-tokenizer.ts';
import type { Action } from '../core/action.ts';

/** `on` names the element at the first or second point. */
export function actionInWords(action: Action, on: (pointing: 0 | 1) => string): string {
  switch (action.kind) {
    case 'click':
      return `click ${on(0)}`;
    case 'double_click':
      return `double-click ${on(0)}`;
    case 'right_click':
      return `right-click ${on(0)}`;
    case 'middle_click':
      return `middle-click ${on(0)}`;
    case 'triple_click':
      return `triple-click ${on(0)}`;
    case 'drag':
      return `drag ${on(0)} to ${on(1)}`;
    case 'scroll':
      return `scroll ${action.direction} in ${on(0)}`;
    case 'type':
      return `write ${quoted(action.text)}`;
    case 'hotkey':
      return `press ${action.keys.map(capital).join('+')}`;
    case 'move':
      return 'point at the screen';
    case 'wait':
      return 'wait';
    case 'finished':
      return 'report the task as done';
    case 'fail':
      return 'report the task as infeasible';
    case 'none':
      return 'do nothing: the reply has no readable action';
  }
}

const MAX_QUOTE_LENGTH = 48;

export function quoted(text: string): string {
  // A model or a page may have written control characters, which a terminal would obey.
  const line = [
    ...text
      .replaceAll('\n', ' ⏎ ')
      .replaceAll('\t', ' ⇥ ')
      .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' '),
  ];
  const isLong = line.length > MAX_QUOTE_LENGTH;
  return `"${isLong ? `${line.slice(0, MAX_QUOTE_LENGTH - 1).join('')}…` : line.join('')}"`;
}
