// Checks the preferences, the filters and the folders of Thunderbird.

import { linesOf, strip } from '../../formats/python/text.ts';
import { isTruthy } from '../../formats/python/values.ts';
import { matchRecord, matchValueToRule } from '../match-value-to-rule.ts';
import { isRecord, type Metric, MetricError, type Options, pass } from '../metric.ts';
import { compilePattern } from '../pattern.ts';
import { ruleRecord, ruleRecords } from '../rules.ts';
import { expectedText, resultText } from '../texts/compare-texts.ts';

const PREFERENCE = /^user_pref\("((?:[^"]|\\")+)", ([^\n]+)\);$/;

/** The last value of each preference of `expect` matches its rule, and no value of `unexpect` matches its own. */
export const checkThunderbirdPrefs: Metric = (result, rules) => {
  const [expect, unexpect] = [preferenceRules(rules, 'expect'), preferenceRules(rules, 'unexpect')];
  const preferences = preferencesOf(resultText(result));
  if (preferences === undefined) return 0;
  const last = new Map(preferences);
  return pass(
    Object.entries(expect).every(
      ([key, rule]) => last.has(key) && matchValueToRule(last.get(key), rule) === true,
    ) &&
      preferences.every(([key, value]) => {
        const rule = Object.hasOwn(expect, key) ? undefined : unexpect[key];
        return rule === undefined || matchValueToRule(value, rule) === false;
      }),
  );
};

function preferenceRules(rules: unknown, name: string): Readonly<Record<string, Options>> {
  const value = ruleRecord(rules, 'check_thunderbird_prefs')[name] ?? {};
  const entries = Object.entries(ruleRecord(value, 'check_thunderbird_prefs'));
  return Object.fromEntries(
    entries.map(([key, rule]) => {
      if (isRecord(rule)) return [key, rule];
      throw new MetricError(
        `The rule ${key} of check_thunderbird_prefs is ${JSON.stringify(rule)}. Write a record with method and ref.`,
      );
    }),
  );
}

/** The keys and values of a file in their order; undefined if a value is not JSON. */
function preferencesOf(
  text: string | undefined,
): readonly (readonly [key: string, value: unknown])[] | undefined {
  if (text === undefined) return undefined;
  const preferences: (readonly [string, unknown])[] = [];
  for (const line of linesOf(text)) {
    const [, key, value] = PREFERENCE.exec(strip(line)) ?? [];
    if (key === undefined || value === undefined) continue;
    try {
      preferences.push([key, JSON.parse(value)]);
    } catch {
      return undefined;
    }
  }
  return preferences;
}

const FIELDS = ['name', 'enabled', 'type', 'action', 'actionValue'];
/** One condition, or ALL. RE2 matches it in linear time, whatever the file contains. */
const CONDITION =
  '\\b(?:AND|OR) \\([\\p{L}\\p{N}_ ]+,[\\p{L}\\p{N}_ \']+,(?:"[\\x00-\\x{10FFFF}]+"|[^)]+)\\)|\\bALL\\b';

/** Each record of `expect` is in a filter, and no record of `unexpect` is. */
export const checkThunderbirdFilter: Metric = (result, rules) => {
  const [expect, unexpect] = [
    ruleRecords(rules, 'expect', 'check_thunderbird_filter'),
    ruleRecords(rules, 'unexpect', 'check_thunderbird_filter'),
  ];
  const text = resultText(result);
  const filters = text === undefined ? undefined : filtersOf(text);
  if (filters === undefined) return 0;
  const isThere = (pattern: Options): boolean => filters.some(filter => matchRecord(pattern, filter));
  return pass(expect.every(isThere) && !unexpect.some(isThere));
};

/** The filters with a condition; undefined if a value comes before the first name. */
function filtersOf(text: string): readonly Options[] | undefined {
  const filters: Record<string, unknown>[] = [];
  let filter: Record<string, unknown> | undefined;
  for (const line of linesOf(text)) {
    const key = [...FIELDS, 'condition'].find(each => line.startsWith(`${each}=`));
    if (key === undefined) continue;
    if (key === 'name') filter = {};
    if (filter === undefined) return undefined;
    // Two characters are cut from each end: the quotes, and the line feed.
    const value = line
      .slice(key.length + 2, -2)
      .replaceAll('\\"', '"')
      .replaceAll('\\\\', '\\');
    filter[key] = key === 'condition' ? conditionsOf(value) : value;
    // Values behind the condition belong to the filter too, so it is complete at the end only.
    if (key === 'condition') filters.push(filter);
  }
  return filters;
}

function conditionsOf(text: string): readonly string[] {
  const matcher = compilePattern(CONDITION).matcher(text);
  const found: string[] = [];
  while (matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

const MESSAGE_START = 'FROM - ';

/**
 * Compares folders of messages as OSWorld does. It splits a file at "FROM - ", which Thunderbird writes as "From - ", and then skips
 * every part with text by mistake. So only the number of parts without text counts, and with `remove_duplicate` whether there is one.
 */
export const checkThunderbirdFolder: Metric = (result, expected, { remove_duplicate: isUnique = true }) => {
  const pairs: readonly (readonly [unknown, unknown])[] = !Array.isArray(expected)
    ? [[result, expected]]
    : Array.isArray(result)
      ? expected.slice(0, result.length).map((each, index) => [result[index], each])
      : [[undefined, expected[0]]];
  const count = (text: string): number => {
    const empty = strip(text)
      .split(MESSAGE_START)
      .filter(part => strip(part) === '').length;
    return isTruthy(isUnique) ? Math.min(1, empty) : empty;
  };
  return pass(
    pairs.every(([found, wanted]) => {
      const expectedCount = count(expectedText(wanted, 'check_thunderbird_folder'));
      const text = resultText(found);
      return text !== undefined && count(text) === expectedCount;
    }),
  );
};
