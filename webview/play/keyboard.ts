// Translates a key press into an action, or leaves it to the browser. Pure.

import type { UserAction } from '../../runtime/protocol/play.ts';

/** The used part of a KeyboardEvent. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
  /** AltGr types characters; some systems report it as Ctrl+Alt. */
  readonly altGraph: boolean;
}

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
  Tab: 'tab',
};

/** F5, F11 and F12 belong to the browser; F6 leaves the screen. */
const FUNCTION_KEYS = /^F([1-4]|[7-9]|10)$/;

/** Letters whose Ctrl shortcut goes to the desktop; all others belong to the browser. */
const SHORTCUTS = 'acdfghlnoprsuvxyz';

/** Moves the focus out of the screen, since Tab belongs to the desktop. */
export const LEAVE_KEY = 'F6';

export function actionForKey(pressed: KeyPress): UserAction | undefined {
  const { key, altGraph } = pressed;
  const character = [...key].length === 1 && key !== ' ';
  const ctrl = (pressed.ctrlKey || pressed.metaKey) && !altGraph;
  const alt = pressed.altKey && !altGraph;
  if (character && !ctrl && !alt) return { kind: 'type', text: key };
  if (character && ctrl && !SHORTCUTS.includes(key.toLowerCase())) return undefined;
  const name = character
    ? key.toLowerCase()
    : (NAMED[key] ?? (FUNCTION_KEYS.test(key) ? key.toLowerCase() : undefined));
  if (name === undefined) return undefined;
  const modifiers = [
    ...(ctrl ? ['ctrl'] : []),
    ...(alt ? ['alt'] : []),
    ...(pressed.shiftKey ? ['shift'] : []),
  ];
  return hotkeyAction([...modifiers, name]);
}

/** Keys have the names of the protocol. */
export function hotkeyAction([first, ...others]: readonly string[]): UserAction | undefined {
  return first === undefined ? undefined : { kind: 'hotkey', keys: [first, ...others] };
}
