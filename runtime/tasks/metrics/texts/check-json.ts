// Checks values in files of JSON and YAML, and JSON values themselves.

import { decodeUtf8, strip } from '../../formats/python/text.ts';
import { contains, isSame, isTruthy, readJson } from '../../formats/python/values.ts';
import { readYaml, YamlError } from '../../formats/yaml.ts';
import { matchValueToRule } from '../match-value-to-rule.ts';
import { isFile, isRecord, type Metric, MetricError, type Options, pass } from '../metric.ts';
import { ruleList, ruleRecord, ruleRecords } from '../rules.ts';
import { expectedText, resultText } from './compare-texts.ts';

/** The values at the keys match the rules of `expect` and not those of `unexpect`. */
export const checkJson: Metric = (result, rules, { is_yaml: isYaml }) => {
  const [expect, unexpect] = [
    ruleRecords(rules, 'expect', 'check_json'),
    ruleRecords(rules, 'unexpect', 'check_json'),
  ];
  const text = isFile(result) ? decodeUtf8(result.bytes) : undefined;
  const root = isTruthy(isYaml) ? yamlOf(text) : readJson(text);
  if (root === undefined) return 0;
  return pass(
    expect.every(rule => {
      const found = valueAt(root, ruleList(rule, 'key', 'check_json'));
      return found.isThere && matchValueToRule(found.value, rule) === true;
    }) &&
      unexpect.every(rule => {
        const found = valueAt(root, ruleList(rule, 'key', 'check_json'));
        // An index behind the end of a list has no value; a missing key has the value null.
        return !found.isOutside && matchValueToRule(found.value, rule) === false;
      }),
  );
};

function yamlOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : readYaml(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof YamlError) return undefined;
    throw error;
  }
}

interface Found {
  readonly isThere: boolean;
  readonly isOutside: boolean;
  readonly value: unknown;
}

function valueAt(root: unknown, path: readonly unknown[]): Found {
  let value = root;
  for (const key of path) {
    if (Array.isArray(value) || typeof value === 'string') {
      if (typeof key !== 'number') return { isThere: false, isOutside: false, value: null };
      const elements: readonly unknown[] = typeof value === 'string' ? [...value] : value;
      if (key >= elements.length || key < -elements.length)
        return { isThere: false, isOutside: true, value: null };
      value = elements.at(key);
    } else if (isRecord(value) && isKey(key) && Object.hasOwn(value, key)) value = value[key];
    else return { isThere: false, isOutside: false, value: null };
  }
  return { isThere: true, isOutside: false, value };
}

const isKey = (key: unknown): key is string | number => typeof key === 'string' || typeof key === 'number';

const FAILED = '__EVALUATION_FAILED__';

/** A record has the expected values; with `expect_in_result` it contains them or one of each list. */
export const checkDirectJsonObject: Metric = (result, rules) => {
  const options = ruleRecord(rules, 'check_direct_json_object');
  const expected = ruleRecord(options['expected'], 'check_direct_json_object');
  const record = typeof result === 'string' ? readJson(strip(result).replaceAll("'", '"')) : result;
  if (record === undefined || record === null) return 0;
  if (Object.values(expected).includes(FAILED)) return 0;
  const keys = Object.keys(expected);
  if (keys.length > 0 && !isRecord(record)) return 0;
  const found: Options = isRecord(record) ? record : {};
  const value = (key: string): unknown => (Object.hasOwn(found, key) ? found[key] : null);
  if (isTruthy(options['expect_in_result']))
    return pass(keys.every(key => includes(value(key), expected[key])));
  // OSWorld reads this switch from the expected values, so it is one of the compared keys too.
  const isUnordered = isTruthy(expected['ignore_list_order']);
  return pass(
    keys.every(key =>
      isUnordered ? sameElements(value(key), expected[key]) : isSame(value(key), expected[key]),
    ),
  );
};

function includes(found: unknown, expected: unknown): boolean {
  if (typeof expected === 'string') return contains(found, expected) === true;
  if (!Array.isArray(expected)) return false;
  return expected.some(each =>
    typeof found === 'string' ? each === found : Array.isArray(found) && contains(found, each),
  );
}

function sameElements(first: unknown, second: unknown): boolean {
  const [a, b] = [sorted(first), sorted(second)];
  return a !== undefined && b !== undefined && isSame(a, b);
}

/** The sorted characters of a text, keys of a record, or elements of a list of one type; undefined for everything else. */
function sorted(value: unknown): readonly unknown[] | undefined {
  if (typeof value === 'string') return [...value].sort();
  if (isRecord(value)) return Object.keys(value).sort();
  if (!Array.isArray(value)) return undefined;
  if (value.every(each => typeof each === 'string')) return [...value].sort();
  return value.every(each => typeof each === 'number') ? [...value].sort((a, b) => a - b) : undefined;
}

/** The expected file has every value of the result. OSWorld passes the files in this order. */
export const isIncludedAllJsonObjects: Metric = (result, expected) => {
  const wanted = readJson(expectedText(expected, 'is_included_all_json_objects'));
  if (!isRecord(wanted))
    throw new MetricError(
      'The expected file of is_included_all_json_objects is not a JSON object. Replace the file.',
    );
  const found = readJson(resultText(result));
  if (!isRecord(found)) return 0;
  return pass(
    Object.entries(found).every(([key, value]) => Object.hasOwn(wanted, key) && isSame(wanted[key], value)),
  );
};
