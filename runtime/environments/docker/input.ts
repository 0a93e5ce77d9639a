// An action as what a hand does: pointer and keys, in pixels of the screen. Decides only; it sends nothing and waits for nothing.

import type { Action, Direction } from '../../core/action.ts';
import type { Key } from '../../core/key.ts';
import type { Point, Size } from '../../core/screen.ts';
import { SCALE } from './rfb/framebuffer.ts';
import { keysymOf, keysymOfCharacter } from './rfb/keysyms.ts';

export type InputEvent =
  | { readonly kind: 'pointer'; readonly at: Point; readonly buttons: number }
  | { readonly kind: 'key'; readonly keysym: number; readonly down: boolean };

/** What is sent at once, and what the next stroke waits for: that the server has passed it on, or that the screen has settled. */
export interface InputBurst {
  readonly events: readonly InputEvent[];
  readonly until: 'passed on' | 'settled';
}

/** Bits of the pointer's buttons, and of the wheel, which X takes for buttons. */
const BUTTON = { none: 0, left: 1, right: 4 } as const;
const WHEEL: Readonly<Record<Direction, number>> = { up: 8, down: 16, left: 32, right: 64 };

/** The server's queue holds some hundreds of events, drops more, and makes one of several moves in it. So they come in parts. */
const EVENTS_AT_ONCE = 64;

/** How many places a drag goes through on its way. */
const DRAG_MOVES = 6;

/** The policy's pixel covers a square of the screen's; this is its middle one. */
export const onScreen = ({ x, y }: Point): Point => ({ x: x * SCALE + SCALE / 2, y: y * SCALE + SCALE / 2 });

/** Why an action cannot be performed, on a screen of that size in the policy's pixels; undefined where it can. */
export function actionError(action: Action, { width, height }: Size): string | undefined {
  const points: readonly Point[] =
    'at' in action ? [action.at] : action.kind === 'drag' ? [action.from, action.to] : [];
  const outside = points.find(({ x, y }) => !(x >= 0 && y >= 0 && x < width && y < height));
  if (outside !== undefined)
    return `${action.kind} at (${outside.x}, ${outside.y}) is off the screen of ${width}x${height}`;
  const control = action.kind === 'type' ? [...action.text].find(isControl) : undefined;
  if (control === undefined) return undefined;
  const code = control.charCodeAt(0).toString(16).padStart(4, '0');
  return `type cannot write the control character U+${code}; write printable characters, tabs and line breaks`;
}

export function inputBursts(action: Action): readonly InputBurst[] {
  switch (action.kind) {
    case 'click':
      return inParts(clicks(action.at, BUTTON.left, 1));
    case 'double_click':
      return inParts(clicks(action.at, BUTTON.left, 2));
    case 'right_click':
      return inParts(clicks(action.at, BUTTON.right, 1));
    case 'move':
      return inParts([pointer(onScreen(action.at), BUTTON.none)]);
    case 'drag':
      return drag(onScreen(action.from), onScreen(action.to));
    case 'type':
      return inParts([...action.text].flatMap(character => pressed(keysymOfCharacter(character))));
    case 'hotkey':
      return inParts(chord(action.keys));
    case 'scroll':
      return inParts(clicks(action.at, WHEEL[action.direction], action.notches));
    case 'wait':
    case 'finished':
    case 'fail':
      return [];
  }
}

const pointer = (at: Point, buttons: number): InputEvent => ({ kind: 'pointer', at, buttons });

const pressed = (keysym: number): InputEvent[] => [
  { kind: 'key', keysym, down: true },
  { kind: 'key', keysym, down: false },
];

/** The pointer arrives before it presses: what lights up under it, and what opens by it, has heard of it. */
const clicks = (at: Point, button: number, times: number): InputEvent[] => {
  const place = onScreen(at);
  const one = [pointer(place, button), pointer(place, BUTTON.none)];
  return [pointer(place, BUTTON.none), ...Array.from({ length: times }, () => one).flat()];
};

const chord = (keys: readonly Key[]): InputEvent[] => {
  const keysyms = keys.map(keysymOf);
  return [
    ...keysyms.map(keysym => ({ kind: 'key', keysym, down: true }) as const),
    ...keysyms.toReversed().map(keysym => ({ kind: 'key', keysym, down: false }) as const),
  ];
};

/**
 * Each move is a stroke of its own, or the server would make one of them all. Before it lets go it waits: where something is dropped,
 * the two sides must have agreed on it. The last move waits too: a window manager that is behind makes one of the moves that wait
 * for it, and JWM, under which the window slides meanwhile, may lose the last of several, but never one that comes alone.
 */
function drag(from: Point, to: Point): readonly InputBurst[] {
  const moves = Array.from({ length: DRAG_MOVES }, (_, index) => {
    const share = (index + 1) / DRAG_MOVES;
    return {
      x: Math.round(from.x + (to.x - from.x) * share),
      y: Math.round(from.y + (to.y - from.y) * share),
    };
  });
  return [
    { events: [pointer(from, BUTTON.none)], until: 'passed on' },
    { events: [pointer(from, BUTTON.left)], until: 'passed on' },
    ...moves.map(
      (at, index): InputBurst => ({
        events: [pointer(at, BUTTON.left)],
        until: index + 2 < moves.length ? 'passed on' : 'settled',
      }),
    ),
    { events: [pointer(to, BUTTON.none)], until: 'passed on' },
  ];
}

function inParts(events: readonly InputEvent[]): readonly InputBurst[] {
  const parts = Array.from({ length: Math.ceil(events.length / EVENTS_AT_ONCE) }, (_, index) =>
    events.slice(index * EVENTS_AT_ONCE, (index + 1) * EVENTS_AT_ONCE),
  );
  return parts.map(part => ({ events: part, until: 'passed on' }));
}

const isControl = (character: string): boolean =>
  character !== '\n' && character !== '\t' && /\p{Cc}/u.test(character);
