// Random words and small files, which the makers of cases share.

import { at } from '../../../core/at.ts';
import type { Random } from '../../../core/rng.ts';
import type { TaskFile } from '../../../tasks/metrics/metric.ts';

const WORDS = (
  'amber river stone Paper window garden 42 March silver lemon Harbour seven ticket green 3.5 mountain yellow market été ' +
  'naïve Zürich coffee train summer north letter-box carbon violin'
).split(' ');

export const word = (random: Random): string => at(WORDS, random.int(WORDS.length));

export const words = (random: Random, count: number): readonly string[] =>
  Array.from({ length: count }, () => word(random));

export const textFile = (name: string, text: string): TaskFile => ({
  name,
  bytes: new TextEncoder().encode(text),
});
