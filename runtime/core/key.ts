// The keys of a keyboard, with one name each for all desktops, codecs and policies. Names follow pyautogui. Characters that a US keyboard
// does not have are typed as text instead.

import type { Brand } from './ids.ts';

export type Key = Brand<string, 'key'>;

const MODIFIERS = ['ctrl', 'shift', 'alt', 'altright', 'win'];
const EDITING = ['enter', 'tab', 'space', 'backspace', 'delete', 'insert', 'esc'];
const NAVIGATION = ['up', 'down', 'left', 'right', 'home', 'end', 'pageup', 'pagedown'];
const FUNCTION = Array.from({ length: 12 }, (_, index) => `f${index + 1}`);
const OTHERS = ['apps', 'capslock', 'numlock', 'scrolllock', 'pause', 'printscreen'];
const MEDIA = ['volumeup', 'volumedown', 'volumemute'];
const CHARACTERS = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index));

/** The order is fixed, because policies number their choices by it. */
export const KEYS: readonly Key[] = [
  ...MODIFIERS,
  ...EDITING,
  ...NAVIGATION,
  ...FUNCTION,
  ...OTHERS,
  ...MEDIA,
  ...CHARACTERS,
].map(name => name as Key);

// Left and right modifiers are equivalent, except AltGr, which has its own name.
const ALIASES: Readonly<Record<string, string>> = {
  '\n': 'enter',
  '\r': 'enter',
  '\t': 'tab',
  ' ': 'space',
  add: '+',
  alt_l: 'alt',
  alt_r: 'alt',
  altgr: 'altright',
  altleft: 'alt',
  arrowdown: 'down',
  arrowleft: 'left',
  arrowright: 'right',
  arrowup: 'up',
  backslash: '\\',
  caps: 'capslock',
  caps_lock: 'capslock',
  cmd: 'win',
  comma: ',',
  command: 'win',
  control: 'ctrl',
  control_l: 'ctrl',
  control_r: 'ctrl',
  ctrlleft: 'ctrl',
  ctrlright: 'ctrl',
  decimal: '.',
  del: 'delete',
  divide: '/',
  equal: '=',
  equals: '=',
  escape: 'esc',
  ins: 'insert',
  iso_level3_shift: 'altright',
  kp_enter: 'enter',
  menu: 'apps',
  meta: 'win',
  minus: '-',
  multiply: '*',
  next: 'pagedown',
  num_lock: 'numlock',
  option: 'alt',
  page_down: 'pagedown',
  page_up: 'pageup',
  period: '.',
  pgdn: 'pagedown',
  pgdown: 'pagedown',
  pgup: 'pageup',
  plus: '+',
  print: 'printscreen',
  print_screen: 'printscreen',
  prior: 'pageup',
  prntscrn: 'printscreen',
  prtsc: 'printscreen',
  prtscr: 'printscreen',
  return: 'enter',
  scroll_lock: 'scrolllock',
  semicolon: ';',
  shift_l: 'shift',
  shift_r: 'shift',
  shiftleft: 'shift',
  shiftright: 'shift',
  slash: '/',
  spacebar: 'space',
  subtract: '-',
  super: 'win',
  super_l: 'win',
  super_r: 'win',
  underscore: '_',
  windows: 'win',
  winleft: 'win',
  winright: 'win',
};

const BY_NAME: ReadonlyMap<string, Key> = new Map([
  ...KEYS.map(key => [key, key] as const),
  ...Object.entries(ALIASES).map(([alias, name]) => [alias, name as Key] as const),
]);

/** The key with this name or alias; undefined for other names. 'S' is the capital letter, not the key 's'. */
export const findKey = (name: string): Key | undefined =>
  BY_NAME.get(name.length > 1 ? name.toLowerCase() : name);

export const key = (name: string): Key => {
  const found = findKey(name);
  if (found === undefined) {
    throw new RangeError(
      `Unknown key ${JSON.stringify(name)}. Use a name such as enter, ctrl or f5, or one printable ASCII character. ` +
        'Other characters are typed as text.',
    );
  }
  return found;
};
