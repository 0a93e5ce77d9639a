// Vocabularies of random words for practice worlds. A model that meets a new name in each world learns to match names, not to know them.

import { pseudoWord } from '../agents/compact/renaming.ts';
import { capital } from '../agents/compact/word-tokenizer.ts';
import { oneOf } from '../core/chance.ts';
import type { Random } from '../core/rng.ts';
import { type DrawVocabulary, VOCABULARIES } from '../environments/pocket/tasks/draw.ts';

/** The share of the lists that keep the words of the training instances. */
const KEPT = 0.3;

/** Lists of the same lengths and of the same spelling as those of the training instances. */
export function practiceWords(random: Random): DrawVocabulary {
  const { train } = VOCABULARIES;
  const taken = new Set<string>();
  const word = (): string => {
    for (;;) {
      const made = pseudoWord(random);
      if (taken.has(made)) continue;
      taken.add(made);
      return made;
    }
  };
  const words = (count: number) => Array.from({ length: count }, word).join(' ');
  const some = (list: readonly string[], make: () => string): readonly string[] =>
    random.next() < KEPT ? list : list.map(make);
  const name = () => capital(word());
  return {
    first: some(train.first, name),
    last: some(train.last, name),
    company: some(train.company, name),
    thing: some(train.thing, word),
    topic: some(train.topic, () => words(1 + random.int(2))),
    event: some(train.event, () => capital(words(1 + random.int(2)))),
    folder: some(train.folder, name),
    sentence: some(train.sentence, () => capital(words(4 + random.int(4)))),
    host: some(train.host, () => `${word()}.${oneOf(random, ['org', 'net', 'com'])}`),
  };
}
