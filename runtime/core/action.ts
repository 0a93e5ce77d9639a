// The one type of what an agent does, whatever format it was written in. An action says everything a desktop must know
// to perform it: nothing is "wherever the pointer is", so an action means the same when it is replayed alone.

import type { Key } from './key.ts';
import type { Point } from './screen.ts';

export type Direction = 'up' | 'down' | 'left' | 'right';

export type Keys = readonly [Key, ...Key[]];

export type Action =
  | { readonly kind: 'click'; readonly at: Point }
  | { readonly kind: 'double_click'; readonly at: Point }
  | { readonly kind: 'right_click'; readonly at: Point }
  | { readonly kind: 'move'; readonly at: Point }
  | { readonly kind: 'drag'; readonly from: Point; readonly to: Point }
  /** Goes to whatever has the focus; '\n' in the text presses Enter. */
  | { readonly kind: 'type'; readonly text: string }
  /** Pressed in this order and let go in reverse. A single key is a hotkey of one. */
  | { readonly kind: 'hotkey'; readonly keys: Keys }
  /** `direction` is where the view goes; `notches` of the wheel, a positive whole number. */
  | { readonly kind: 'scroll'; readonly at: Point; readonly direction: Direction; readonly notches: number }
  | { readonly kind: 'wait' }
  /** Ends the episode: the agent holds the task to be done. `answer` is for a reader, '' when it said nothing. */
  | { readonly kind: 'finished'; readonly answer: string }
  /** Ends the episode: the agent holds the task to be impossible. `why` is for a reader, '' when it said nothing. */
  | { readonly kind: 'fail'; readonly why: string };

export type ActionKind = Action['kind'];

/** Every kind, in an order that does not change: a policy may number its choices by it. */
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
] as const satisfies readonly ActionKind[];

/** What UI-TARS's own runner scrolls at a time, and what the UI-TARS format therefore means by a scroll. */
export const NOTCHES = 5;

/** The same action without the words that only a reader sees: some formats have no place for them. */
export const wordless = (action: Action): Action => {
  switch (action.kind) {
    case 'finished':
      return { kind: 'finished', answer: '' };
    case 'fail':
      return { kind: 'fail', why: '' };
    default:
      return action;
  }
};

/** Where the action leaves the pointer; undefined when it does not touch it. */
export const pointerAfter = (action: Action): Point | undefined => {
  if (action.kind === 'drag') return action.to;
  return 'at' in action ? action.at : undefined;
};
