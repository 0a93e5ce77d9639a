// Name augmentation: names in a row are replaced by random words. The policy cannot memorise a few dozen names, so it learns to
// match the instruction's name with the screen's.

import { at } from '../../core/at.ts';
import type { Random } from '../../core/rng.ts';
import type { TokenFeatures } from './token-features.ts';

const CONSONANTS = 'bcdfghjklmnprstvwz';
const VOWELS = 'aeiou';

/** A pronounceable word without meaning. */
export function pseudoWord(random: Random, length = 3 + random.int(6)): string {
  const pick = (letters: string) => at(letters, random.int(letters.length));
  const first = random.int(2);
  return Array.from({ length }, (_, index) => pick((index + first) % 2 === 0 ? CONSONANTS : VOWELS)).join('');
}

/** The words of a row; in a `share` of the rows, names are replaced. Numbers stay numbers. */
export const renaming =
  (random: Random, share: number) =>
  ({ lexicon, names }: TokenFeatures): readonly string[] => {
    if (names.length === 0 || random.next() >= share) return lexicon;
    const words = [...lexicon];
    for (const name of names) words[name] = replacement(at(words, name), random);
    return words;
  };

const replacement = (word: string, random: Random): string =>
  /^\d+$/.test(word)
    ? Array.from(word, () => String(random.int(10))).join('')
    : pseudoWord(random, Math.max(2, word.length - 2 + random.int(5)));
