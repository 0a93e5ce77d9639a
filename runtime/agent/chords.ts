// The keys that a policy can press: a fixed list of single keys and chords, numbered by their place in it. Letters and digits
// are not among them: what is written is copied as text. Signs are, since a text may have to be put together from parts.

import { type Key, key } from '../core/key.ts';

export type Chord = readonly [Key, ...Key[]];

const NAMES = [
  'enter tab esc space backspace delete home end up down left right pageup pagedown f2',
  'shift+tab ctrl+a ctrl+c ctrl+x ctrl+v ctrl+z ctrl+s ctrl+shift+s ctrl+n ctrl+f ctrl+g ctrl+h ctrl+home ctrl+end alt+f4',
]
  .join(' ')
  .split(' ');

const SIGNS = ['+', '-', '*', '/', '=', '.', ',', ':', '@', '%'];

/** In an order that does not change: weights are trained on its numbers. */
export const CHORDS: readonly Chord[] = [
  ...NAMES.map(name => name.split('+')),
  ...SIGNS.map(sign => [sign]),
].map(([first = '', ...others]) => [key(first), ...others.map(key)]);

const nameOf = (chord: readonly string[]): string => chord.join('+');

const NUMBERS: ReadonlyMap<string, number> = new Map(CHORDS.map((chord, number) => [nameOf(chord), number]));

/** The number of some keys in the list; undefined where they are not in it. */
export const chordNumber = (keys: readonly Key[]): number | undefined => NUMBERS.get(nameOf(keys));
