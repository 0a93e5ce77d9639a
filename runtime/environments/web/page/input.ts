// Converts an action to the input events of a page. Pure.

import type { Action, Direction } from '../../../core/action.ts';
import type { Key } from '../../../core/key.ts';
import type { Point, Size } from '../../../core/screen.ts';
import { characterOf, definitionOf, type KeyDefinition, MODIFIER_BITS } from './keyboard.ts';

/** The part of a mouse event that differs between events. */
interface MouseInput {
  readonly type: 'mousePressed' | 'mouseReleased' | 'mouseMoved' | 'mouseWheel';
  readonly x: number;
  readonly y: number;
  readonly button?: 'left' | 'middle' | 'right' | 'none';
  /** Buttons that are down. */
  readonly buttons?: number;
  readonly clickCount?: number;
  readonly deltaX?: number;
  readonly deltaY?: number;
}

interface KeyInput {
  readonly type: 'keyDown' | 'rawKeyDown' | 'keyUp';
  readonly modifiers: number;
  readonly code: string;
  readonly key: string;
  readonly windowsVirtualKeyCode: number;
  readonly text?: string;
}

export type PageInput =
  | { readonly kind: 'mouse'; readonly event: MouseInput }
  | { readonly kind: 'key'; readonly event: KeyInput }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'browser'; readonly command: BrowserCommand };

/** Shortcuts of a browser, which no page receives. */
export type BrowserCommand = 'back' | 'forward' | 'reload' | 'close tab' | 'next tab' | 'previous tab';

const SHORTCUTS: Readonly<Record<string, BrowserCommand>> = {
  'alt left': 'back',
  'alt right': 'forward',
  f5: 'reload',
  'ctrl r': 'reload',
  'ctrl w': 'close tab',
  'ctrl tab': 'next tab',
  'ctrl pagedown': 'next tab',
  'ctrl shift tab': 'previous tab',
  'ctrl pageup': 'previous tab',
};

/** Intermediate positions of a drag. */
const DRAG_MOVES = 6;

const BUTTON = { left: 1, right: 2, middle: 4 } as const;

/** A person's window is larger: a notch scrolls the same share of a small one. */
const MAX_NOTCH_PIXELS = 53;
const NOTCHES_PER_SCREEN = 12;

export function pageInputs(action: Action, size: Size): readonly PageInput[] {
  switch (action.kind) {
    case 'click':
      return clicks(action.at, 'left', 1);
    case 'double_click':
      return clicks(action.at, 'left', 2);
    case 'triple_click':
      return clicks(action.at, 'left', 3);
    case 'right_click':
      return clicks(action.at, 'right', 1);
    case 'middle_click':
      return clicks(action.at, 'middle', 1);
    case 'move':
      return [mouse({ type: 'mouseMoved', ...action.at })];
    case 'drag':
      return drag(action.from, action.to);
    case 'type':
      return [...action.text].flatMap(typed);
    case 'hotkey':
      return hotkey(action.keys);
    case 'scroll':
      return [mouse({ type: 'mouseWheel', ...action.at, ...wheel(action.direction, action.notches, size) })];
    case 'wait':
    case 'finished':
    case 'fail':
    case 'none':
      return [];
  }
}

/** The second or third press of a double or triple click, without the presses before. */
export const nextPress = (at: Point, press: 2 | 3): readonly PageInput[] =>
  clicks(at, 'left', press).slice(-INPUTS_PER_CLICK);

/** A press and a release. */
const INPUTS_PER_CLICK = 2;

const mouse = (event: MouseInput): PageInput => ({ kind: 'mouse', event });

/** The press updates what is under the pointer, so no move precedes it: a move would wait for a frame. */
const clicks = (at: Point, button: keyof typeof BUTTON, times: number): readonly PageInput[] =>
  Array.from({ length: times }, (_, index) => {
    const event = { ...at, button, clickCount: index + 1 };
    return [
      mouse({ type: 'mousePressed', ...event, buttons: BUTTON[button] }),
      mouse({ type: 'mouseReleased', ...event, buttons: 0 }),
    ];
  }).flat();

function drag(from: Point, to: Point): readonly PageInput[] {
  const moves = Array.from({ length: DRAG_MOVES }, (_, index) => {
    const share = (index + 1) / DRAG_MOVES;
    const x = Math.round(from.x + (to.x - from.x) * share);
    const y = Math.round(from.y + (to.y - from.y) * share);
    return mouse({ type: 'mouseMoved', x, y, button: 'left', buttons: BUTTON.left });
  });
  return [
    mouse({ type: 'mouseMoved', ...from }),
    mouse({ type: 'mousePressed', ...from, button: 'left', buttons: BUTTON.left, clickCount: 1 }),
    ...moves,
    mouse({ type: 'mouseReleased', ...to, button: 'left', buttons: 0, clickCount: 1 }),
  ];
}

function wheel(direction: Direction, notches: number, { height }: Size) {
  const pixels = notches * Math.min(MAX_NOTCH_PIXELS, Math.round(height / NOTCHES_PER_SCREEN));
  const [deltaX, deltaY] = {
    up: [0, -pixels],
    down: [0, pixels],
    left: [-pixels, 0],
    right: [pixels, 0],
  }[direction] as [number, number];
  return { deltaX, deltaY };
}

/** Whether the keys copy, cut or paste in a field. */
export const usesClipboard = (inputs: readonly PageInput[]): boolean =>
  inputs.some(input => input.kind === 'key' && isClipboardKey(input.event));

function isClipboardKey({ code, modifiers }: KeyInput): boolean {
  if (['KeyC', 'KeyX', 'KeyV'].includes(code)) return (modifiers & (MODIFIER_BITS['ctrl'] ?? 0)) !== 0;
  return modifiers !== 0 && ['Insert', 'Delete'].includes(code);
}

function typed(character: string): readonly PageInput[] {
  const found = characterOf(character);
  if (found === undefined) return [{ kind: 'text', text: character }];
  const modifiers = found.needsShift ? (MODIFIER_BITS['shift'] ?? 0) : 0;
  return [keyDown(found.definition, modifiers), keyUp(found.definition, modifiers)];
}

/** With one of these held, a key does not type. */
const SILENT = ['ctrl', 'alt', 'win'];

function hotkey(keys: readonly Key[]): readonly PageInput[] {
  const command = SHORTCUTS[keys.join(' ')];
  if (command !== undefined) return [{ kind: 'browser', command }];
  const isShifted = keys.some(key => key === 'shift');
  const isSilent = keys.some(key => SILENT.includes(key));
  let modifiers = 0;
  const pressed: { readonly definition: KeyDefinition; readonly modifiers: number }[] = [];
  const down = keys.flatMap(key => {
    const definition = definitionOf(key, isShifted);
    if (definition === undefined) return [];
    modifiers |= MODIFIER_BITS[key] ?? 0;
    pressed.push({ definition, modifiers });
    return keyDown(definition, modifiers, isSilent);
  });
  return [...down, ...pressed.toReversed().map(each => keyUp(each.definition, each.modifiers))];
}

const eventOf = ({ code, key, keyCode }: KeyDefinition, modifiers: number) => ({
  ...{ code, key, modifiers },
  windowsVirtualKeyCode: keyCode,
});

function keyDown(definition: KeyDefinition, modifiers: number, isSilent = false): PageInput {
  const { text } = definition;
  const event = eventOf(definition, modifiers);
  if (text === undefined || isSilent) return { kind: 'key', event: { type: 'rawKeyDown', ...event } };
  return { kind: 'key', event: { type: 'keyDown', ...event, text } };
}

const keyUp = (definition: KeyDefinition, modifiers: number): PageInput => ({
  kind: 'key',
  event: { type: 'keyUp', ...eventOf(definition, modifiers) },
});
