// X keysyms of keys and characters.

import type { Key } from '../../../core/key.ts';

const NAMED: Readonly<Record<string, number>> = {
  ctrl: 0xffe3,
  shift: 0xffe1,
  alt: 0xffe9,
  altright: 0xfe03,
  win: 0xffeb,
  enter: 0xff0d,
  tab: 0xff09,
  space: 0x20,
  backspace: 0xff08,
  delete: 0xffff,
  insert: 0xff63,
  esc: 0xff1b,
  up: 0xff52,
  down: 0xff54,
  left: 0xff51,
  right: 0xff53,
  home: 0xff50,
  end: 0xff57,
  pageup: 0xff55,
  pagedown: 0xff56,
  apps: 0xff67,
  capslock: 0xffe5,
  numlock: 0xff7f,
  scrolllock: 0xff14,
  pause: 0xff13,
  printscreen: 0xff61,
  volumeup: 0x1008_ff13,
  volumedown: 0x1008_ff11,
  volumemute: 0x1008_ff12,
};

const F1 = 0xffbe;

export function keysymOf(key: Key): number {
  const named = NAMED[key];
  if (named !== undefined) return named;
  const [, number] = /^f(\d+)$/.exec(key) ?? [];
  if (number !== undefined) return F1 + Number(number) - 1;
  return keysymOfCharacter(key);
}

const [UNSHIFTED, SHIFTED] = ["`1234567890-=[]\\;',./", '~!@#$%^&*()_+{}|:"<>?'] as const;

/**
 * The character that a key of a US keyboard gives while shift is pressed. The server releases shift for the lower one, so shift and a comma would
 * give a comma.
 */
export function shiftedCharacter(character: string): string {
  const at = character === '' ? -1 : UNSHIFTED.indexOf(character);
  if (at >= 0) return SHIFTED.charAt(at);
  return /^[a-z]$/.test(character) ? character.toUpperCase() : character;
}

/** Latin-1 characters have their own keysyms. For others the keysym is the code point plus 0x0100_0000. */
export function keysymOfCharacter(character: string): number {
  if (character === '\n') return 0xff0d;
  if (character === '\t') return 0xff09;
  const code = character.codePointAt(0);
  if (code === undefined) throw new RangeError('an empty text has no keysym; pass one character');
  return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff) ? code : 0x0100_0000 + code;
}
