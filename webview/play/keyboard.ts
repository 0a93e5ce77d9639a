// A key pressed on the page becomes an action, or stays with the browser. Pure: the page's listeners call it.

import type { UserAction } from '../../runtime/protocol/play.ts';

/** What of a KeyboardEvent matters. */
export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
  /** AltGr writes characters; some systems report it as ctrl and alt. */
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

/** F5, F11 and F12 are the browser's; F6 leaves the screen. */
const FUNCTION_KEYS = /^F([1-4]|[7-9]|10)$/;

/** Shortcuts of the desktop; all others stay with the browser. */
const SHORTCUTS = 'acdfghlnoprsuvxyz';

/** Leads out of the screen, where Tab belongs to the desktop. */
export const LEAVES = 'F6';

export function gestureOf(pressed: Pressed): UserAction | undefined {
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
  const held = [...(ctrl ? ['ctrl'] : []), ...(alt ? ['alt'] : []), ...(pressed.shiftKey ? ['shift'] : [])];
  return pressing([...held, name]);
}

/** The keys must be named as the protocol names them. */
export function pressing([first, ...others]: readonly string[]): UserAction | undefined {
  return first === undefined ? undefined : { kind: 'hotkey', keys: [first, ...others] };
}
