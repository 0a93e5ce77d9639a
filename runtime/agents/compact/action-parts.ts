// Splits a typed text into actions that the policy can express. A person types "6279+3676=" at once; a policy copies visible texts
// and presses keys. The parts are the longest possible copies, with single keys between them.

import type { Action } from '../../core/action.ts';
import { copyOf } from './act.ts';
import { CHORDS } from './chords.ts';
import type { Tokens } from './token-features.ts';

const KEYS_OF_CHARACTERS: ReadonlyMap<string, (typeof CHORDS)[number]> = new Map([
  ...CHORDS.filter(([first, ...others]) => others.length === 0 && first.length === 1).map(
    chord => [String(chord[0]), chord] as const,
  ),
  ...CHORDS.flatMap(chord => {
    const character = chord.length > 1 ? undefined : { enter: '\n', space: ' ' }[String(chord[0])];
    return character === undefined ? [] : [[character, chord] as const];
  }),
]);

/** Expressible actions with the same effect as `action`; undefined if there are none. */
export function splitIntoActions(
  tokens: Tokens,
  instruction: string,
  action: Action,
): readonly Action[] | undefined {
  if (action.kind !== 'type') return [action];
  const parts: Action[] = [];
  let rest = action.text;
  while (rest !== '') {
    const copied = longestCopy(tokens, instruction, rest);
    const keys = KEYS_OF_CHARACTERS.get(rest.charAt(0));
    // A single sign is pressed as a key, even if a button has it as its name.
    if (copied > 1 || (copied === 1 && keys === undefined))
      parts.push({ kind: 'type', text: rest.slice(0, copied) });
    else if (keys !== undefined) parts.push({ kind: 'hotkey', keys });
    else return undefined;
    rest = rest.slice(Math.max(1, copied));
  }
  return parts;
}

function longestCopy(tokens: Tokens, instruction: string, text: string): number {
  for (let length = text.length; length > 0; length--) {
    if (copyOf(tokens, instruction, text.slice(0, length)) !== undefined) return length;
  }
  return 0;
}
