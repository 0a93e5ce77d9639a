// The keys that a policy can press: a fixed, numbered list of single keys and chords. It has no letters and digits, since text is
// copied. It has signs, since a text may have to be assembled from parts.

import { type Key, key } from '../../core/key.ts';

export type Chord = readonly [Key, ...Key[]];

const NAMES = [
  'enter tab esc space backspace delete home end up down left right pageup pagedown f2',
  'shift+tab ctrl+a ctrl+c ctrl+x ctrl+v ctrl+z ctrl+s ctrl+shift+s ctrl+n ctrl+f ctrl+g ctrl+h ctrl+home ctrl+end alt+f4',
]
  .join(' ')
  .split(' ');

const SIGNS = ['+', '-', '*', '/', '=', '.', ',', ':', '@', '%'];

/** The order is fixed: trained weights depend on the indices. */
export const CHORDS: readonly Chord[] = [
  ...NAMES.map(name => name.split('+')),
  ...SIGNS.map(sign => [sign]),
].map(([first = '', ...others]) => [key(first), ...others.map(key)]);

const nameOf = (chord: readonly string[]): string => chord.join('+');

const NUMBERS: ReadonlyMap<string, number> = new Map(CHORDS.map((chord, number) => [nameOf(chord), number]));

/** Index of a chord; undefined if the policy cannot press it. */
export const chordNumber = (keys: readonly Key[]): number | undefined => NUMBERS.get(nameOf(keys));
