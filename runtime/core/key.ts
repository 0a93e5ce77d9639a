// The keys of a keyboard, each under one name, so that every desktop, codec and policy means the same key. Names follow
// pyautogui. A character that no US keyboard prints is no key: it is typed as text.

import type { Brand } from './ids.ts';

export type Key = Brand<string, 'key'>;

const MODIFIERS = ['ctrl', 'shift', 'alt', 'altright', 'win'];
const EDITING = ['enter', 'tab', 'space', 'backspace', 'delete', 'insert', 'esc'];
const NAVIGATION = ['up', 'down', 'left', 'right', 'home', 'end', 'pageup', 'pagedown'];
const FUNCTION = Array.from({ length: 12 }, (_, index) => `f${index + 1}`);
const OTHERS = ['apps', 'capslock', 'numlock', 'scrolllock', 'pause', 'printscreen'];
const MEDIA = ['volumeup', 'volumedown', 'volumemute'];
const CHARACTERS = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index));

/** Every key, in an order that does not change: a policy may number its choices by it. */
export const KEYS: readonly Key[] = [
  ...MODIFIERS,
  ...EDITING,
  ...NAVIGATION,
  ...FUNCTION,
  ...OTHERS,
  ...MEDIA,
  ...CHARACTERS,
].map(name => name as Key);

// Left and right modifiers do the same everywhere except AltGr, which therefore keeps a name of its own.
const ALIASES: Readonly<Record<string, string>> = {
  '\n': 'enter',
  '\r': 'enter',
  '\t': 'tab',
  ' ': 'space',
  altgr: 'altright',
  altleft: 'alt',
  arrowdown: 'down',
  arrowleft: 'left',
  arrowright: 'right',
  arrowup: 'up',
  cmd: 'win',
  command: 'win',
  control: 'ctrl',
  ctrlleft: 'ctrl',
  ctrlright: 'ctrl',
  del: 'delete',
  escape: 'esc',
  menu: 'apps',
  meta: 'win',
  option: 'alt',
  page_down: 'pagedown',
  page_up: 'pageup',
  pgdn: 'pagedown',
  pgup: 'pageup',
  prtsc: 'printscreen',
  return: 'enter',
  shiftleft: 'shift',
  shiftright: 'shift',
  super: 'win',
  winleft: 'win',
  winright: 'win',
};

const BY_NAME: ReadonlyMap<string, Key> = new Map([
  ...KEYS.map(key => [key, key] as const),
  ...Object.entries(ALIASES).map(([alias, name]) => [alias, name as Key] as const),
]);

/** The key of that name or alias, undefined when there is none. 'S' is the capital and not the key 's'. */
export const findKey = (name: string): Key | undefined =>
  BY_NAME.get(name.length > 1 ? name.toLowerCase() : name);

export const key = (name: string): Key => {
  const found = findKey(name);
  if (found === undefined) {
    throw new RangeError(
      `${JSON.stringify(name)} is no key: give a name such as enter, ctrl or f5, or one printable ASCII character; ` +
        'other characters are typed as text',
    );
  }
  return found;
};
