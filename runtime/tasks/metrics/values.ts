// Metrics of plain values: texts, numbers, lists and records.

import { type Metrics, pass, rulesOf, strings, textOf } from './metric.ts';
import { compilePattern } from './pattern.ts';
import { sameValue } from './same-value.ts';

/** As in Python, true equals 1 and false equals 0. */
const isEqual = (a: unknown, b: unknown): boolean => sameValue(numbered(a), numbered(b));

const numbered = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

export const VALUE_METRICS = {
  /** The result equals the expected value. */
  exact_match: (result, expected) => pass(isEqual(result, rulesOf(expected)['expected'])),

  /** The result equals one of a list. */
  match_in_list: (result, expected) => {
    const choices = rulesOf(expected)['expected'];
    return pass(Array.isArray(choices) && choices.some(each => isEqual(result, each)));
  },

  /** A text contains all of `include` and none of `exclude`. */
  check_include_exclude: (result, expected) => {
    const { include, exclude } = rulesOf(expected);
    const text = textOf(result);
    if (text === undefined) return 0;
    return pass(
      strings(include).every(each => text.includes(each)) &&
        !strings(exclude).some(each => text.includes(each)),
    );
  },

  /** Two texts are equal; `ignore_blanks` reduces each run of white space to one space. */
  compare_text_file: (result, expected, { ignore_blanks: ignoreBlanks, ignore_case: ignoreCase }) => {
    const plain = (text: string): string => {
      const blanks = ignoreBlanks === true ? text.replace(/\s+/g, ' ').trim() : text;
      return ignoreCase === true ? blanks.toLowerCase() : blanks;
    };
    const [found, wanted] = [textOf(result), textOf(expected) ?? textOf(rulesOf(expected)['expected'])];
    return pass(found !== undefined && wanted !== undefined && plain(found) === plain(wanted));
  },

  /** Every pattern of `expect` matches an entry of a list or a line of a file, and no pattern of `unexpect` does. */
  check_list: (result, expected) => {
    const { expect, unexpect } = rulesOf(expected);
    const entries = textOf(result)?.split('\n') ?? strings(result);
    const matches = (source: string) => {
      const pattern = compilePattern(source);
      return entries.some(entry => pattern.test(entry));
    };
    return pass(strings(expect).every(matches) && !strings(unexpect).some(matches));
  },

  /** The result is itself the score, limited to 0 to 1. A result that is not a number scores 0. */
  score: result =>
    typeof result === 'number' && !Number.isNaN(result) ? Math.min(1, Math.max(0, result)) : 0,

  /** The task is solved by the action `fail`; evaluate.ts scores it by the ending of the episode. */
  infeasible: () => 0,
} satisfies Metrics;
