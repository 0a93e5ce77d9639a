// Checks the configuration files of GIMP.

import { linesOf, splitWords } from '../../formats/python/text.ts';
import { type Metric, MetricError, pass } from '../metric.ts';
import { ruleValue } from '../rules.ts';
import { resultText } from '../texts/compare-texts.ts';

/** A line `(key ... value)`, or `(first second ... value)` for a list of two keys. */
export const checkConfigStatus: Metric = (result, rules) => {
  const [keys, value] = [keysOf(rules), ruleValue(rules, 'value', 'check_config_status')];
  const text = resultText(result);
  if (text === undefined) return 0;
  for (const line of linesOf(text)) {
    if (line.startsWith('#') || line === '\n') continue;
    const words = wordsOf(line);
    // OSWorld raises an exception at a line without words, and where the line is shorter than the keys.
    if (words.length === 0) return 0;
    if (words[0] !== keys[0]) continue;
    if (words.length < keys.length) return 0;
    if (keys.every((key, index) => words[index] === key) && words.at(-1) === value) return 1;
  }
  return pass(false);
};

function keysOf(rules: unknown): readonly unknown[] {
  const key = ruleValue(rules, 'key', 'check_config_status');
  if (typeof key === 'string') return [key];
  if (Array.isArray(key) && key.length === 2) return key;
  throw new MetricError(
    `The rule key of check_config_status is ${JSON.stringify(key)}. Write a text or a list of two texts.`,
  );
}

/** The words without the parentheses around them. */
const wordsOf = (line: string): readonly string[] =>
  splitWords(splitWords(line).join(' ').replace(/^\(+/, '').replace(/\)+$/, ''));
