// Metrics of plain values: texts, numbers, lists and records.

import { isFile, MetricError, type Metrics, pass, rulesOf, strings, textOf } from './metric.ts';
import { compilePattern } from './pattern.ts';
import { ruleList, ruleRecord, ruleText, ruleValue } from './rules.ts';
import { sameValue } from './same-value.ts';
import { expectedText } from './texts/compare-texts.ts';

/** As in Python, true equals 1 and false equals 0. */
const isEqual = (a: unknown, b: unknown): boolean => sameValue(numbered(a), numbered(b));

const numbered = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

/** The texts of two rules, of which a task may leave out one. */
function textsOfRules(expected: unknown, [first, second]: readonly [string, string], metric: string) {
  const rules = ruleRecord(expected, metric);
  const texts = (name: string): readonly string[] =>
    rules[name] === undefined ? [] : ruleList(rules, name, metric).map(String);
  // Without any rule the metric passes, as in OSWorld.
  if (Object.keys(rules).length > 0 && rules[first] === undefined && rules[second] === undefined)
    throw new MetricError(
      `The rules of ${metric} are ${JSON.stringify(rules)}. Write a list as ${first} or ${second}.`,
    );
  return [texts(first), texts(second)] as const;
}

export const VALUE_METRICS = {
  /** The result equals the expected value. */
  exact_match: (result, expected) =>
    pass(isEqual(result, ruleValue(rulesOf(expected), 'expected', 'exact_match'))),

  /** The result equals one of a list. */
  match_in_list: (result, expected) => {
    const choices = ruleList(rulesOf(expected), 'expected', 'match_in_list');
    return pass(choices.some(each => isEqual(result, each)));
  },

  /** A text contains all of `include` and none of `exclude`. */
  check_include_exclude: (result, expected) => {
    const [include, exclude] = textsOfRules(expected, ['include', 'exclude'], 'check_include_exclude');
    const text = textOf(result);
    if (text === undefined) return 0;
    return pass(include.every(each => text.includes(each)) && !exclude.some(each => text.includes(each)));
  },

  /** Two texts are equal; `ignore_blanks` reduces each run of white space to one space. */
  compare_text_file: (result, expected, { ignore_blanks: ignoreBlanks, ignore_case: ignoreCase }) => {
    const plain = (text: string): string => {
      const blanks = ignoreBlanks === true ? text.replace(/\s+/g, ' ').trim() : text;
      return ignoreCase === true ? blanks.toLowerCase() : blanks;
    };
    const found = textOf(result);
    const wanted = isFile(expected)
      ? expectedText(expected, 'compare_text_file')
      : ruleText(rulesOf(expected), 'expected', 'compare_text_file');
    return pass(found !== undefined && plain(found) === plain(wanted));
  },

  /** Every pattern of `expect` matches an entry of a list or a line of a file, and no pattern of `unexpect` does. */
  check_list: (result, expected) => {
    const [expect, unexpect] = textsOfRules(expected, ['expect', 'unexpect'], 'check_list');
    const entries = textOf(result)?.split('\n') ?? strings(result);
    const matches = (source: string) => {
      const pattern = compilePattern(source);
      return entries.some(entry => pattern.test(entry));
    };
    return pass(expect.every(matches) && !unexpect.some(matches));
  },

  /** The result is itself the score, limited to 0 to 1. A result that is not a number scores 0. */
  score: result =>
    typeof result === 'number' && !Number.isNaN(result) ? Math.min(1, Math.max(0, result)) : 0,

  /** The task is solved by the action `fail`; evaluate.ts scores it by the ending of the episode. */
  infeasible: () => 0,
} satisfies Metrics;
