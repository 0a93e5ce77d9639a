// Key names of models and programs, as keys of core/key.ts.

import type { Keys } from '../../core/action.ts';
import { findKey, type Key } from '../../core/key.ts';

/** The key with a name; refuses unknown names. */
export const keyNamed = (name: string, refuse: (reason: string) => never): Key =>
  findKey(name) ??
  refuse(
    `${JSON.stringify(name)} is not a key: use a name such as enter or f5, or a printable ASCII character`,
  );

/** The keys of a hotkey; refuses an empty list. */
export const keysNamed = (names: readonly string[], refuse: (reason: string) => never): Keys => {
  const [first, ...rest] = names.map(name => keyNamed(name, refuse));
  return first === undefined ? refuse('a hotkey has no keys: add at least one') : [first, ...rest];
};

/** Key names of two words, each with its name of one word. */
const TWO_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bpage[ _-](up|down)\b/gi, 'page$1'],
  [/\barrow[ _-](up|down|left|right)\b/gi, '$1'],
  [/\b(up|down|left|right)[ _-]arrow\b/gi, '$1'],
  [/\b(caps|num|scroll)[ _-]lock\b/gi, '$1lock'],
  [/\bprint[ _-]screen\b/gi, 'printscreen'],
  [/\bback[ _-]space\b/gi, 'backspace'],
  [/\bspace[ _-]bar\b/gi, 'space'],
];

/** Between two names, the sign is a separator. */
const isSign = (part: string): boolean => part === '+' || part === '-';

/** The text that `chordNames` reads as these keys. */
export const chordText = (keys: Keys): string =>
  keys
    .map((key, index) => (index > 0 && index < keys.length - 1 ? (SIGN_NAMES.get(key) ?? key) : key))
    .join(' ');

const SIGN_NAMES: ReadonlyMap<string, string> = new Map([
  ['+', 'plus'],
  ['-', 'minus'],
]);

/** The names in a text such as 'ctrl c', 'Ctrl+Shift+T', 'ctrl-c', 'ctrl + c', 'ctrl +' or 'page down'. */
export const chordNames = (text: string): readonly string[] => {
  if (findKey(text) !== undefined) return [text];
  const joined = TWO_WORDS.reduce((result, [words, name]) => result.replace(words, name), text);
  return joined
    .split(/\s+/)
    .map(part => (part.length > 1 ? part.replace(/,$/, '') : part))
    .filter(part => part !== '')
    .filter((part, index, parts) => !(isSign(part) && index > 0 && index < parts.length - 1))
    .flatMap(part => (findKey(part) === undefined ? part.split(/(?<=[^+-])[+-](?=.)/) : [part]));
};

const COMMAND_KEYS: readonly string[] = ['ctrl', 'alt', 'win'];

/** 'Ctrl+C' is the key c in a chord; a capital alone or with shift stays one. */
export const withoutCapitals = (keys: Keys): Keys => {
  if (!keys.some(key => COMMAND_KEYS.includes(key))) return keys;
  const [first, ...rest] = keys;
  return [lowercase(first), ...rest.map(lowercase)];
};

const lowercase = (key: Key): Key => (/^[A-Z]$/.test(key) ? (findKey(key.toLowerCase()) ?? key) : key);
