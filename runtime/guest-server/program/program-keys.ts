// The names of keys in pyautogui programs, as keys of a desktop. Pure.

import { findKey, type Key } from '../../core/key.ts';
import { keysymOf, keysymOfCharacter, shiftedCharacter } from '../../environments/docker/rfb/keysyms.ts';
import type { ProgramKey } from './input-program.ts';

/** Names of pyautogui for keys that no action of an agent has. */
const OTHERS: ReadonlyMap<string, number> = new Map([
  ...Array.from({ length: 10 }, (_, digit) => [`num${digit}`, 0xffb0 + digit] as const),
  ...Array.from({ length: 12 }, (_, index) => [`f${index + 13}`, 0xffca + index] as const),
  ['add', 0xffab],
  ['clear', 0xff0b],
  ['decimal', 0xffae],
  ['divide', 0xffaf],
  ['execute', 0xff62],
  ['help', 0xff6a],
  ['multiply', 0xffaa],
  ['optionleft', 0xffe9],
  ['optionright', 0xffea],
  ['select', 0xff60],
  ['separator', 0xffac],
  ['subtract', 0xffad],
]);

/** Undefined for a name that is no key. Single characters may be any that can be typed. */
export function programKey(name: string): ProgramKey | undefined {
  const other = OTHERS.get(name.toLowerCase());
  if (other !== undefined) return { kind: 'named', keysym: other };
  if (name === '\b') return named('backspace' as Key);
  const known = findKey(name);
  if (known !== undefined) return known.length === 1 ? { kind: 'character', character: known } : named(known);
  const [character = '', ...rest] = name;
  return rest.length === 0 && isTypeable(character) ? { kind: 'character', character } : undefined;
}

const named = (key: Key): ProgramKey => ({
  ...{ kind: 'named', keysym: keysymOf(key) },
  ...(key === 'shift' && { isShift: true }),
});

/** The keys of a text. Control characters without a key are left out, as pyautogui does. */
export const keysOfText = (text: string): readonly ProgramKey[] =>
  [...text.replaceAll('\r\n', '\n')].flatMap(character => programKey(character) ?? []);

const isTypeable = (character: string): boolean => character !== '' && !/[\p{Cc}\p{Cs}]/u.test(character);

export const keysymOfProgramKey = (key: ProgramKey, isShifted: boolean): number =>
  key.kind === 'named'
    ? key.keysym
    : keysymOfCharacter(isShifted ? shiftedCharacter(key.character) : key.character);
