// A reply as models of a family write it, and its meaning on a screen of 1920 × 1080.

import type { Action, Direction } from '../../../../../runtime/core/action.ts';
import { key } from '../../../../../runtime/core/key.ts';

export interface Sample {
  readonly name: string;
  readonly reply: string;
  /** The actions, or a part of the reason why there are none. */
  readonly means: readonly Action[] | string;
  readonly thought?: string;
}

export const click = (x: number, y: number): Action => ({ kind: 'click', at: { x, y } });
export const type = (text: string): Action => ({ kind: 'type', text });
export const hotkey = (first: string, ...rest: string[]): Action => ({
  kind: 'hotkey',
  keys: [key(first), ...rest.map(key)],
});
export const scroll = (x: number, y: number, direction: Direction, notches: number): Action => ({
  kind: 'scroll',
  at: { x, y },
  direction,
  notches,
});
export const wait: Action = { kind: 'wait' };
export const finished = (answer = ''): Action => ({ kind: 'finished', answer });
export const fail = (why = ''): Action => ({ kind: 'fail', why });
