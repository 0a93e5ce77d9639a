// Cases of the metrics in `tasks/metrics/values.ts`.

import { at } from '../../../core/at.ts';
import type { Random } from '../../../core/rng.ts';
import type { CaseMakers } from '../metric-case.ts';
import { textFile, word, words } from './words.ts';

const pick = <T>(random: Random, items: readonly T[]): T => at(items, random.int(items.length));

export const VALUE_CASES = {
  exact_match: random => {
    const value = pick<unknown>(random, ['on', '', 7, 0, true, null, ['a', 'b'], { a: 1 }]);
    const other = pick<unknown>(random, ['off', 8, false, ['a'], { a: 2 }, 'On']);
    return { result: value, expected: { expected: random.int(2) === 0 ? value : other } };
  },
  match_in_list: random => {
    const choices = words(random, 4);
    return {
      result: random.int(2) === 0 ? pick(random, choices) : word(random),
      expected: { expected: choices },
    };
  },
  check_include_exclude: random => {
    const text = words(random, 12).join(' ');
    const include = random.int(2) === 0 ? text.split(' ').slice(2, 5) : words(random, 2);
    const exclude =
      random.int(4) === 0 ? text.split(' ').slice(0, 1) : words(random, 1).map(each => `${each}!`);
    const rules = { ...(random.int(5) > 0 && { include }), ...(random.int(2) === 0 && { exclude }) };
    return { result: random.int(20) === 0 ? null : text, expected: rules };
  },
  compare_text_file: random => {
    const lines = Array.from({ length: 5 }, () => words(random, 4).join(' '));
    const text = lines.join('\n');
    const other = pick(random, [
      text,
      text.toUpperCase(),
      text.replaceAll(' ', '  '),
      `${text}\n`,
      text.replaceAll('\n', ' \t\n '),
      lines.slice(1).join('\n'),
    ]);
    const options = {
      ...(random.int(2) === 0 && { ignore_blanks: true }),
      ...(random.int(2) === 0 && { ignore_case: true }),
    };
    return { result: textFile('result.txt', other), expected: textFile('gold.txt', text), options };
  },
  check_list: random => {
    const entries = Array.from({ length: 6 }, () => words(random, 3).join('-'));
    const part = (): string => pick(random, entries).slice(1, 6);
    return {
      result: textFile('list.txt', `${entries.join('\n')}\n`),
      expected: {
        expect: random.int(4) === 0 ? [word(random), `^${word(random)}$`] : [part(), `${part()}.*`],
        ...(random.int(2) === 0 && { unexpect: [random.int(3) === 0 ? part() : '\\d{3}'] }),
      },
    };
  },
} satisfies CaseMakers;
