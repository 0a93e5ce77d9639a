// The meaning of a key press while the desktop has the keyboard. Pure. Characters are left to the text field, which also receives what input
// methods, dead keys and the clipboard write.

import { latinKey } from '../shared/shortcut-key.ts';

/** The used part of a KeyboardEvent. */
export interface KeyPress {
  readonly key: string;
  /** The physical key. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
  /** AltGr types characters; some systems report it as Ctrl+Alt. */
  readonly altGraph: boolean;
  /** On macOS the Option key, which is Alt elsewhere, types characters. */
  readonly isMac: boolean;
  /** An input method composes a character. */
  readonly isComposing: boolean;
  /** Milliseconds. */
  readonly time: number;
}

export type KeyMeaning =
  /** A chord for the desktop, with the names of the protocol. */
  | { readonly kind: 'keys'; readonly keys: readonly [string, ...string[]] }
  /** The text field receives a character. */
  | { readonly kind: 'text' }
  /** The keyboard returns to the page. */
  | { readonly kind: 'release' }
  /** The browser or the system keeps it. */
  | { readonly kind: 'ignored' };

const NAMED: Readonly<Record<string, string>> = {
  ' ': 'space',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  Backspace: 'backspace',
  ContextMenu: 'apps',
  Delete: 'delete',
  End: 'end',
  Enter: 'enter',
  Escape: 'esc',
  Home: 'home',
  Insert: 'insert',
  PageDown: 'pagedown',
  PageUp: 'pageup',
  Pause: 'pause',
  PrintScreen: 'printscreen',
  Tab: 'tab',
};

/** F11 and F12 belong to the browser: full screen, and its tools for developers. */
const FUNCTION_KEYS = /^F([1-9]|10)$/;
/** Two Escapes within this time release the keyboard. The first one still goes to the desktop. */
export const RELEASE_MS = 500;

/** `escapedAt`: the time of the last Escape, if no other key followed. */
export function meaningOf(pressed: KeyPress, escapedAt: number | undefined): KeyMeaning {
  const { key, code, shiftKey, isComposing, isMac, time } = pressed;
  // The field receives the composed text.
  if (isComposing || key === 'Dead' || key === 'Process' || key === 'Unidentified') return { kind: 'text' };
  if (key === 'Escape' && escapedAt !== undefined && time - escapedAt <= RELEASE_MS)
    return { kind: 'release' };
  const isCharacter = [...key].length === 1;
  const isOption = isMac && isCharacter && pressed.altKey && !pressed.ctrlKey && !pressed.metaKey;
  const types = pressed.altGraph || isOption;
  const [ctrl, alt, meta] = [pressed.ctrlKey && !types, pressed.altKey && !types, pressed.metaKey];
  if (isCharacter && !ctrl && !alt && !meta) return { kind: 'text' };
  const pressedKey = latinKey(key, code);
  // The clipboard of this machine; the desktop has one of its own, for Ctrl+V.
  if (pressedKey.toLowerCase() === 'v' && ((ctrl && shiftKey) || meta)) return { kind: 'text' };
  const name = NAMED[pressedKey] ?? nameOf(pressedKey);
  if (name === undefined) return { kind: 'ignored' };
  const modifiers = [
    ...(ctrl ? ['ctrl'] : []),
    ...(alt ? ['alt'] : []),
    ...(shiftKey ? ['shift'] : []),
    ...(meta ? ['win'] : []),
  ];
  const [first, ...others] = [...modifiers, name];
  return first === undefined ? { kind: 'ignored' } : { kind: 'keys', keys: [first, ...others] };
}

function nameOf(key: string): string | undefined {
  if (FUNCTION_KEYS.test(key)) return key.toLowerCase();
  return /^[!-~]$/.test(key) ? key.toLowerCase() : undefined;
}

/** Chords that a browser or a system keeps for itself, for a menu. */
export const MENU_KEYS: readonly (readonly [string, ...string[]])[] = [
  ['alt', 'tab'],
  ['alt', 'f4'],
  ['win'],
  ['ctrl', 'w'],
  ['ctrl', 't'],
  ['ctrl', 'n'],
  ['ctrl', 'tab'],
  ['ctrl', 'shift', 'v'],
  ['f11'],
  ['f12'],
  ['esc'],
  ['printscreen'],
];
