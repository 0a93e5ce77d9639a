// The action of an agent, independent of the format that it was written in. An action is complete: it does not depend on the pointer
// position or on earlier actions, so it can be replayed alone.

import type { Key } from './key.ts';
import type { Point } from './screen.ts';

export type Direction = 'up' | 'down' | 'left' | 'right';

export type Keys = readonly [Key, ...Key[]];

export type Action =
  | { readonly kind: 'click'; readonly at: Point }
  | { readonly kind: 'double_click'; readonly at: Point }
  | { readonly kind: 'right_click'; readonly at: Point }
  | { readonly kind: 'middle_click'; readonly at: Point }
  | { readonly kind: 'triple_click'; readonly at: Point }
  | { readonly kind: 'move'; readonly at: Point }
  | { readonly kind: 'drag'; readonly from: Point; readonly to: Point }
  /** Types into the focused element; '\n' in the text presses Enter. */
  | { readonly kind: 'type'; readonly text: string }
  /** Keys are pressed in this order and released in reverse order. A single key is a hotkey of one key. */
  | { readonly kind: 'hotkey'; readonly keys: Keys }
  /** `direction` is the direction in which the view moves; `notches` of the wheel is a positive integer. */
  | { readonly kind: 'scroll'; readonly at: Point; readonly direction: Direction; readonly notches: number }
  | { readonly kind: 'wait' }
  /** Ends the episode: the agent reports success. `answer` is for the user, and may be ''. */
  | { readonly kind: 'finished'; readonly answer: string }
  /** Ends the episode: the agent reports that the task is impossible. `why` is for the user, and may be ''. */
  | { readonly kind: 'fail'; readonly why: string }
  /** The reply contains no action that can be performed; nothing happens on the desktop. `why` is for the user. */
  | { readonly kind: 'none'; readonly why: string };

export type ActionKind = Action['kind'];

/** The order is fixed, because policies and files number the kinds by it. New kinds come last. */
export const ACTION_KINDS = [
  'click',
  'double_click',
  'right_click',
  'move',
  'drag',
  'type',
  'hotkey',
  'scroll',
  'wait',
  'finished',
  'fail',
  'middle_click',
  'triple_click',
  'none',
] as const satisfies readonly ActionKind[];

/** One scroll of the UI-TARS runner, and therefore of the UI-TARS format. */
export const NOTCHES = 5;
/** Of a scroll that an agent or a client orders. A desktop sends an event for each notch. */
export const MAX_NOTCHES = 100;
/** Of a scroll in a file or an import, or from a joined host. */
export const MAX_STORED_NOTCHES = 10_000;

/** The action without the texts for the user, which some formats cannot represent. */
export const wordless = (action: Action): Action => {
  switch (action.kind) {
    case 'finished':
      return { kind: 'finished', answer: '' };
    case 'fail':
      return { kind: 'fail', why: '' };
    case 'none':
      return { kind: 'none', why: '' };
    default:
      return action;
  }
};

/** The points of the screen that the action names, in order. */
export const pointsOf = (action: Action): readonly Point[] => {
  if (action.kind === 'drag') return [action.from, action.to];
  return 'at' in action ? [action.at] : [];
};

/** The pointer position after the action; undefined if the action does not move the pointer. */
export const pointerAfter = (action: Action): Point | undefined => {
  if (action.kind === 'drag') return action.to;
  return 'at' in action ? action.at : undefined;
};
