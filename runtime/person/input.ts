// Turns the pointer and key events of a person into actions that a policy can express. Pure: state and event in, state and actions out.
// Each action is complete as soon as its last event arrives, so nothing waits for a second click: the next press then continues the first.

import { type Action, type Direction, type Keys, NOTCHES } from '../core/action.ts';
import { typeableText } from '../core/action-error.ts';
import { key } from '../core/key.ts';
import type { Point } from '../core/screen.ts';
import type { SentInput } from '../protocol/daemon/record.ts';

export type PointerButton = 'left' | 'middle' | 'right';

export type PersonEvent =
  | { readonly kind: 'press' | 'release'; readonly button: PointerButton; readonly at: Point }
  /** The pointer has not moved for a while. */
  | { readonly kind: 'rest'; readonly at: Point }
  /** A turn of the wheel, in pixels that a page would scroll. */
  | { readonly kind: 'wheel'; readonly at: Point; readonly x: number; readonly y: number }
  /** Characters, also those of an input method or the clipboard. */
  | { readonly kind: 'text'; readonly text: string }
  /** A key that is no character, or a chord. */
  | { readonly kind: 'keys'; readonly keys: Keys }
  | { readonly kind: 'wait' }
  /** The pointer left the page while a button was down. */
  | { readonly kind: 'cancel' };

export interface TimedEvent {
  readonly event: PersonEvent;
  /** Milliseconds on any clock that advances. */
  readonly time: number;
}

export interface PersonAction {
  readonly action: Action;
  /** The click is the second or third press at one place: with the action before it, it is a double or triple click. */
  readonly press?: 2 | 3;
}

interface Clicks {
  readonly at: Point;
  readonly time: number;
  readonly presses: 1 | 2 | 3;
}

interface Turning {
  readonly at: Point;
  readonly direction: Direction;
  readonly time: number;
  /** Pixels in this direction, and the scrolls that they were worth. */
  readonly turned: number;
  readonly scrolls: number;
}

export interface InputState {
  readonly pressed?: { readonly button: PointerButton; readonly at: Point };
  readonly clicks?: Clicks;
  readonly turning?: Turning;
}

export interface NextInput {
  readonly state: InputState;
  readonly actions: readonly PersonAction[];
}

/** A shorter movement between press and release is a click. */
export const MIN_DRAG_PX = 4;
/** Two clicks within this time are a double click, as in GTK. */
export const DOUBLE_CLICK_MS = 400;
/** Three clicks of a common wheel. The distance is about that of one scroll of a policy. */
export const PIXELS_PER_SCROLL = 300;
/** A wheel that rests for longer begins another scroll. */
export const WHEEL_PAUSE_MS = 500;
/** One event of a fast wheel cannot scroll further. */
const MAX_SCROLLS_PER_EVENT = 10;

export const NO_INPUT: InputState = {};

/** The names of keys were checked by the protocol. */
export const personEventOf = ({ event }: Pick<SentInput, 'event'>): PersonEvent => {
  if (event.kind !== 'keys') return event;
  const [first, ...others] = event.keys;
  return { kind: 'keys', keys: [key(first), ...others.map(key)] };
};

/** A longer text stays several. */
const MAX_JOINED = 2000;

/**
 * Letters that arrived together are one text: a slow desktop needs no longer for a text than for a letter. Blanks stay apart, because they
 * can press a button.
 */
export function joinLetters(inputs: readonly SentInput[]): readonly SentInput[] {
  const joined: SentInput[] = [];
  for (const input of inputs) {
    const last = joined.at(-1);
    const text = `${lettersOf(last)}${lettersOf(input)}`;
    if (last === undefined || lettersOf(last) === '' || lettersOf(input) === '' || text.length > MAX_JOINED)
      joined.push(input);
    else joined.splice(-1, 1, { ...last, event: { kind: 'text', text }, time: input.time });
  }
  return joined;
}

const lettersOf = (input: SentInput | undefined): string =>
  input?.event.kind === 'text' && !/\s/.test(input.event.text) ? input.event.text : '';

export function nextInput(state: InputState, { event, time }: TimedEvent): NextInput {
  switch (event.kind) {
    case 'press':
      return nothing(state.pressed === undefined ? { ...state, pressed: event } : state);
    case 'release':
      return released(state, event, time);
    case 'rest':
      return state.pressed === undefined ? only({ kind: 'move', at: event.at }, state) : nothing(state);
    case 'wheel':
      return turned(state, event, time);
    case 'text':
      return { state: NO_INPUT, actions: typed(event.text) };
    case 'keys':
      return only({ kind: 'hotkey', keys: event.keys });
    case 'wait':
      return only({ kind: 'wait' });
    case 'cancel':
      return nothing(NO_INPUT);
  }
}

const nothing = (state: InputState): NextInput => ({ state, actions: [] });

const only = (action: Action, state: InputState = NO_INPUT): NextInput => ({ state, actions: [{ action }] });

const CLICKS = { middle: 'middle_click', right: 'right_click' } as const;

function released(
  { pressed, clicks }: InputState,
  { button, at }: { readonly button: PointerButton; readonly at: Point },
  time: number,
): NextInput {
  if (pressed === undefined) return nothing({ ...(clicks && { clicks }) });
  // Another button than the one that was pressed first: it belongs to no click.
  if (pressed.button !== button) return nothing({ pressed, ...(clicks && { clicks }) });
  const from = pressed.at;
  if (!isNear(from, at)) return button === 'left' ? only({ kind: 'drag', from, to: at }) : nothing(NO_INPUT);
  if (button !== 'left') return only({ kind: CLICKS[button], at: from });
  return clicked(from, time, clicks);
}

function clicked(at: Point, time: number, before: Clicks | undefined): NextInput {
  const continues =
    before !== undefined &&
    before.presses < 3 &&
    time - before.time <= DOUBLE_CLICK_MS &&
    isNear(before.at, at);
  if (!continues)
    return { state: { clicks: { at, time, presses: 1 } }, actions: [{ action: { kind: 'click', at } }] };
  const press = before.presses === 1 ? 2 : 3;
  // The place of the first press, so that the presses can become one action.
  const action: Action = { kind: 'click', at: before.at };
  return { state: { clicks: { at: before.at, time, presses: press } }, actions: [{ action, press }] };
}

const isNear = (one: Point, other: Point): boolean =>
  Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y)) < MIN_DRAG_PX;

/** The first turn scrolls at once. The following ones are part of the same scroll until they exceed its distance. */
function turned(
  { pressed, turning }: InputState,
  { at, x, y }: { readonly at: Point; readonly x: number; readonly y: number },
  time: number,
): NextInput {
  const isVertical = Math.abs(y) >= Math.abs(x);
  const pixels = isVertical ? y : x;
  if (pixels === 0 || pressed !== undefined)
    return nothing({ ...(pressed && { pressed }), ...(turning && { turning }) });
  const direction = isVertical ? (pixels > 0 ? 'down' : 'up') : pixels > 0 ? 'right' : 'left';
  const isSame =
    turning !== undefined && turning.direction === direction && time - turning.time <= WHEEL_PAUSE_MS;
  // The place of the first turn: a hand moves the pointer a little with the wheel.
  const base = isSame ? turning : { at, turned: 0, scrolls: 0 };
  const sum = base.turned + Math.min(Math.abs(pixels), MAX_SCROLLS_PER_EVENT * PIXELS_PER_SCROLL);
  const scrolls = Math.ceil(sum / PIXELS_PER_SCROLL);
  const action: Action = { kind: 'scroll', at: base.at, direction, notches: NOTCHES };
  return {
    state: { turning: { at: base.at, direction, time, turned: sum, scrolls } },
    actions: Array.from({ length: scrolls - base.scrolls }, () => ({ action })),
  };
}

/** Tabs are pressed. */
function typed(text: string): readonly PersonAction[] {
  return typeableText(text)
    .split(/(\t)/)
    .filter(part => part !== '')
    .map(part => ({ action: part === '\t' ? TAB : { kind: 'type', text: part } }));
}

const TAB: Action = { kind: 'hotkey', keys: [key('tab')] };
