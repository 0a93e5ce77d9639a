// Names as they might have been. A few dozen people and files are soon known by heart; where each of them is called something
// else every time, what is left to learn is that the thing to act on is the one that the instruction names.

import type { Random } from '../core/rng.ts';
import type { TokenFeatures } from './tokens.ts';

const CONSONANTS = 'bcdfghjklmnprstvwz';
const VOWELS = 'aeiou';

/** A word that can be spoken and means nothing. */
export function pseudoWord(random: Random, length = 3 + random.int(6)): string {
  const pick = (letters: string) => letters[random.int(letters.length)] ?? '';
  const first = random.int(2);
  return Array.from({ length }, (_, index) => pick((index + first) % 2 === 0 ? CONSONANTS : VOWELS)).join('');
}

/** The words of a row, of which those that are names are replaced in a share of the rows. Numbers stay numbers. */
export const renaming =
  (random: Random, share: number) =>
  ({ lexicon, names }: TokenFeatures): readonly string[] => {
    if (names.length === 0 || random.next() >= share) return lexicon;
    const words = [...lexicon];
    for (const name of names) words[name] = another(words[name] ?? '', random);
    return words;
  };

const another = (word: string, random: Random): string =>
  /^\d+$/.test(word)
    ? Array.from(word, () => String(random.int(10))).join('')
    : pseudoWord(random, Math.max(2, word.length - 2 + random.int(5)));
