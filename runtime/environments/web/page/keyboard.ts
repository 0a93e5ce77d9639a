// The keys of a US keyboard as Chromium names them. Characters that it does not have are inserted as text.

import type { Key } from '../../../core/key.ts';

export interface KeyDefinition {
  /** The DOM name of the physical key, and what it means. */
  readonly code: string;
  readonly key: string;
  /** The Windows code, which old pages still read. */
  readonly keyCode: number;
  /** What the key types, if it types something. */
  readonly text?: string;
}

/** As bits of an input event. */
export const MODIFIER_BITS: Readonly<Record<string, number>> = { alt: 1, ctrl: 2, win: 4, shift: 8 };

const named = (code: string, keyCode: number, key = code, text?: string): KeyDefinition => ({
  ...{ code, key, keyCode },
  ...(text !== undefined && { text }),
});

const NAMED: Readonly<Record<string, KeyDefinition>> = {
  ctrl: named('ControlLeft', 17, 'Control'),
  shift: named('ShiftLeft', 16, 'Shift'),
  alt: named('AltLeft', 18, 'Alt'),
  altright: named('AltRight', 18, 'AltGraph'),
  win: named('MetaLeft', 91, 'Meta'),
  enter: named('Enter', 13, 'Enter', '\r'),
  tab: named('Tab', 9),
  space: named('Space', 32, ' ', ' '),
  backspace: named('Backspace', 8),
  delete: named('Delete', 46),
  insert: named('Insert', 45),
  esc: named('Escape', 27),
  up: named('ArrowUp', 38),
  down: named('ArrowDown', 40),
  left: named('ArrowLeft', 37),
  right: named('ArrowRight', 39),
  home: named('Home', 36),
  end: named('End', 35),
  pageup: named('PageUp', 33),
  pagedown: named('PageDown', 34),
  apps: named('ContextMenu', 93),
  capslock: named('CapsLock', 20),
  numlock: named('NumLock', 144),
  scrolllock: named('ScrollLock', 145),
  pause: named('Pause', 19),
  printscreen: named('PrintScreen', 44),
  volumeup: named('AudioVolumeUp', 175),
  volumedown: named('AudioVolumeDown', 174),
  volumemute: named('AudioVolumeMute', 173),
};

/** Code, Windows code, and the characters without and with Shift. */
const SYMBOLS: readonly (readonly [code: string, keyCode: number, plain: string, shifted: string])[] = [
  ['Backquote', 192, '`', '~'],
  ['Minus', 189, '-', '_'],
  ['Equal', 187, '=', '+'],
  ['BracketLeft', 219, '[', '{'],
  ['BracketRight', 221, ']', '}'],
  ['Backslash', 220, '\\', '|'],
  ['Semicolon', 186, ';', ':'],
  ['Quote', 222, "'", '"'],
  ['Comma', 188, ',', '<'],
  ['Period', 190, '.', '>'],
  ['Slash', 191, '/', '?'],
  ...Array.from(
    ')!@#$%^&*(',
    (shifted, digit) => [`Digit${digit}`, 48 + digit, `${digit}`, shifted] as const,
  ),
];

interface Character {
  readonly definition: KeyDefinition;
  readonly needsShift: boolean;
}

const CHARACTERS: ReadonlyMap<string, Character> = new Map<string, Character>([
  ...SYMBOLS.flatMap(([code, keyCode, plain, shifted]) => [
    [plain, { definition: named(code, keyCode, plain, plain), needsShift: false }] as const,
    [shifted, { definition: named(code, keyCode, shifted, shifted), needsShift: true }] as const,
  ]),
  ...Array.from('abcdefghijklmnopqrstuvwxyz', letter => {
    const upper = letter.toUpperCase();
    const [code, keyCode] = [`Key${upper}`, upper.charCodeAt(0)];
    return [
      [letter, { definition: named(code, keyCode, letter, letter), needsShift: false }],
      [upper, { definition: named(code, keyCode, upper, upper), needsShift: true }],
    ] as const;
  }).flat(),
  [' ', { definition: named('Space', 32, ' ', ' '), needsShift: false }] as const,
  ['\n', { definition: named('Enter', 13, 'Enter', '\r'), needsShift: false }] as const,
  ['\t', { definition: named('Tab', 9), needsShift: false }] as const,
]);

/** undefined for a character that the keyboard does not have. */
export const characterOf = (character: string): Character | undefined => CHARACTERS.get(character);

/** With Shift, a key means its other character. */
export function definitionOf(key: Key, isShifted: boolean): KeyDefinition | undefined {
  const found = Object.hasOwn(NAMED, key) ? NAMED[key] : undefined;
  if (found !== undefined) return found;
  const functionKey = /^f(\d+)$/.exec(key)?.[1];
  if (functionKey !== undefined) return named(`F${functionKey}`, 111 + Number(functionKey));
  const plain = CHARACTERS.get(key)?.definition;
  if (plain === undefined || !isShifted) return plain;
  for (const { definition, needsShift } of CHARACTERS.values())
    if (needsShift && definition.code === plain.code) return definition;
  return plain;
}
