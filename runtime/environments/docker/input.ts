// Converts an action to pointer and key events, in pixels of the desktop. Pure.

import type { Action, Direction } from '../../core/action.ts';
import { type Key, key } from '../../core/key.ts';
import type { Point } from '../../core/screen.ts';
import { keysymOf, keysymOfCharacter, shiftedCharacter } from './rfb/keysyms.ts';
import { onScreen } from './screen-size.ts';

export type InputEvent =
  | { readonly kind: 'pointer'; readonly at: Point; readonly buttons: number }
  | { readonly kind: 'key'; readonly keysym: number; readonly down: boolean };

/** Events that are sent at once. The next burst waits until the server has forwarded them, or until the screen has settled. */
export interface InputBurst {
  readonly events: readonly InputEvent[];
  readonly until: 'forwarded' | 'settled';
}

/** Button bits of RFB. The wheel consists of buttons, too. */
export const BUTTON = { none: 0, left: 1, middle: 2, right: 4 } as const;
export const WHEEL: Readonly<Record<Direction, number>> = { up: 8, down: 16, left: 32, right: 64 };

/** The server's queue holds some hundreds of events. It drops more, and merges moves. */
export const MAX_EVENTS_PER_BURST = 64;

const DRAG_MOVES = 6;

/** `scale` is the number of desktop pixels per pixel of the agent. */
export function inputBursts(action: Action, scale: number): readonly InputBurst[] {
  const place = (point: Point): Point => onScreen(point, scale);
  switch (action.kind) {
    case 'click':
      return split(clicks(place(action.at), BUTTON.left, 1));
    case 'double_click':
      return split(clicks(place(action.at), BUTTON.left, 2));
    case 'right_click':
      return split(clicks(place(action.at), BUTTON.right, 1));
    case 'middle_click':
      return split(clicks(place(action.at), BUTTON.middle, 1));
    case 'triple_click':
      return split(clicks(place(action.at), BUTTON.left, 3));
    case 'move':
      return split([pointer(place(action.at), BUTTON.none)]);
    case 'drag':
      return drag(place(action.from), place(action.to));
    case 'type':
      return split([...action.text].flatMap(character => press(keysymOfCharacter(character))));
    case 'hotkey':
      return split(chord(action.keys));
    case 'scroll':
      return split(clicks(place(action.at), WHEEL[action.direction], action.notches));
    case 'wait':
    case 'finished':
    case 'fail':
    case 'none':
      return [];
  }
}

const pointer = (at: Point, buttons: number): InputEvent => ({ kind: 'pointer', at, buttons });

const press = (keysym: number): InputEvent[] => [
  { kind: 'key', keysym, down: true },
  { kind: 'key', keysym, down: false },
];

/** The pointer moves before it presses, so that hover effects and submenus are active. */
const clicks = (target: Point, button: number, times: number): InputEvent[] => {
  const click = [pointer(target, button), pointer(target, BUTTON.none)];
  return [pointer(target, BUTTON.none), ...Array.from({ length: times }, () => click).flat()];
};

const SHIFT = key('shift');

const chord = (keys: readonly Key[]): InputEvent[] => {
  const shift = keys.indexOf(SHIFT);
  const keysyms = keys.map((each, index) =>
    each.length === 1 && shift >= 0 && index > shift
      ? keysymOfCharacter(shiftedCharacter(each))
      : keysymOf(each),
  );
  return [
    ...keysyms.map(keysym => ({ kind: 'key', keysym, down: true }) as const),
    ...keysyms.toReversed().map(keysym => ({ kind: 'key', keysym, down: false }) as const),
  ];
};

const drag = (from: Point, to: Point): readonly InputBurst[] => [
  { events: [pointer(from, BUTTON.none)], until: 'forwarded' },
  { events: [pointer(from, BUTTON.left)], until: 'forwarded' },
  ...pressedMoves(from, to, BUTTON.left),
  { events: [pointer(to, BUTTON.none)], until: 'forwarded' },
];

/**
 * The moves of a pointer with pressed buttons, to the target. Each is a burst of its own, because the server would merge them. The last two
 * wait until the screen has settled: source and target of a drop must have agreed on it before the release. A slow window manager also
 * merges queued moves, and JWM can lose the last of several, but never a single one.
 */
export const pressedMoves = (from: Point, to: Point, buttons: number): readonly InputBurst[] =>
  Array.from({ length: DRAG_MOVES }, (_, index): InputBurst => {
    const share = (index + 1) / DRAG_MOVES;
    const at = {
      x: Math.round(from.x + (to.x - from.x) * share),
      y: Math.round(from.y + (to.y - from.y) * share),
    };
    return { events: [pointer(at, buttons)], until: index + 2 < DRAG_MOVES ? 'forwarded' : 'settled' };
  });

function split(events: readonly InputEvent[]): readonly InputBurst[] {
  const count = Math.ceil(events.length / MAX_EVENTS_PER_BURST);
  return Array.from({ length: count }, (_, index) => ({
    events: events.slice(index * MAX_EVENTS_PER_BURST, (index + 1) * MAX_EVENTS_PER_BURST),
    until: 'forwarded' as const,
  }));
}
