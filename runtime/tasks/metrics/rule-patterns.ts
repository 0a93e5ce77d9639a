// Finds the patterns in the rules of a task that cannot be compiled, before the task is played: they would break each of its episodes.

import { translatePattern } from '../formats/python/pattern.ts';
import { matchValueToRule } from './match-value-to-rule.ts';
import { isRecord, MetricError, rulesOf, strings } from './metric.ts';
import { compilePattern } from './pattern.ts';

interface CheckedRules {
  readonly func: string;
  /** Of a getter of type rule. */
  readonly rules: unknown;
  readonly options: unknown;
}

/** One message for each pattern that cannot be compiled. */
export const patternErrors = ({ func, rules, options }: CheckedRules): readonly string[] => [
  ...patternsOf(func, rules).flatMap(pattern => errorOf(() => compilePattern(pattern))),
  ...[rules, options].flatMap(searchRules).flatMap(rule => errorOf(() => matchValueToRule('', rule))),
];

/** The patterns that a metric searches, in the syntax of `compilePattern`. */
function patternsOf(func: string, rules: unknown): readonly string[] {
  const { expected, expect, unexpect } = rulesOf(rules);
  const ofPython = (pattern: string): string => translatePattern(pattern) ?? pattern;
  if (func === 'check_list') return [...strings(expect), ...strings(unexpect)];
  if (func === 'is_expected_url_pattern_match') return strings(expected).map(ofPython);
  const pattern = func === 'is_expected_search_query' && isRecord(expect) ? expect['pattern'] : undefined;
  return typeof pattern === 'string' ? [ofPython(pattern)] : [];
}

/** The rules with the method `re`, at any depth. */
function searchRules(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.flatMap(searchRules);
  if (!isRecord(value)) return [];
  const { method, ref } = value;
  const isSearch = typeof method === 'string' && method.startsWith('re') && typeof ref === 'string';
  return isSearch ? [value] : Object.values(value).flatMap(searchRules);
}

function errorOf(use: () => unknown): readonly string[] {
  try {
    use();
    return [];
  } catch (error) {
    if (error instanceof MetricError) return [error.message];
    throw error;
  }
}
