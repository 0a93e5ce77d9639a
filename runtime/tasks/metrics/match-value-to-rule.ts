// Matches one value with a rule `{method, ref}`, which metrics of JSON files, preferences, spreadsheets and sound files share.

import { translatePattern } from '../formats/python/pattern.ts';
import { compare, isSame, readFloat } from '../formats/python/values.ts';
import { MetricError, type Options } from './metric.ts';
import { compilePattern } from './pattern.ts';

/**
 * Whether a value matches; undefined where the method cannot compare such a value, for which OSWorld raises an exception. A metric
 * without a match and a metric with an exception both score 0, so a caller tests for `true`, or for `false` in an `unexpect` rule.
 */
export function matchValueToRule(value: unknown, rule: Options): boolean | undefined {
  const method = rule['method'];
  if (typeof method !== 'string') throw wrongRule(rule, 'a method, such as eq');
  const { ref } = rule;
  // OSWorld tests the prefixes in this order.
  if (method.startsWith('re')) return matchPattern(value, ref, method, rule);
  const ordered = ORDERS[method];
  if (ordered !== undefined) return ordered(value, ref);
  if (method.startsWith('approx')) return isNear(value, ref, rule, method);
  if (method.startsWith('range.')) return isInRange(value, ref, rule, method);
  if (method === 'str_list_eq' || method === 'str_set_eq') return matchParts(value, ref, rule, method);
  throw wrongRule(rule, 're, eq, ne, le, lt, ge, gt, approx:N, range.XY, str_list_eq or str_set_eq');
}

/** Whether a record has every value of a pattern. */
export const matchRecord = (pattern: Options, record: Options): boolean =>
  Object.entries(pattern).every(([key, value]) => Object.hasOwn(record, key) && isSame(record[key], value));

const wrongRule = (rule: Options, wanted: string): MetricError =>
  new MetricError(`The rule ${JSON.stringify(rule)} cannot be applied. Write ${wanted}.`);

type Order = (value: unknown, ref: unknown) => boolean | undefined;

const order =
  (holds: (difference: number) => boolean): Order =>
  (value, ref) => {
    const difference = compare(value, ref);
    return difference === undefined ? undefined : holds(difference);
  };

const ORDERS: Readonly<Record<string, Order>> = {
  eq: isSame,
  ne: (value, ref) => !isSame(value, ref),
  le: order(difference => difference <= 0),
  lt: order(difference => difference < 0),
  ge: order(difference => difference >= 0),
  gt: order(difference => difference > 0),
};

/** `re` searches a pattern of Python; the flags follow as in `re.S.I`. */
function matchPattern(value: unknown, ref: unknown, method: string, rule: Options): boolean | undefined {
  if (typeof ref !== 'string') throw wrongRule(rule, 'a pattern as ref');
  const source = translatePattern(ref, method.split('.').slice(1));
  if (source === undefined) throw wrongRule(rule, 'a method with the flags I, M and S at most, such as re.S');
  const pattern = compilePattern(source);
  return typeof value === 'string' ? pattern.test(value) : undefined;
}

/** `approx:0.5` accepts numbers, and texts of numbers, that differ by at most 0.5. */
function isNear(value: unknown, ref: unknown, rule: Options, method: string): boolean {
  const threshold = readFloat(method.split(':')[1]);
  if (threshold === undefined || typeof ref !== 'number')
    throw wrongRule(rule, 'approx:N and a number as ref');
  const number = readFloat(value);
  return number !== undefined && Math.abs(number - ref) <= threshold;
}

/** `range.te` with [0, 2] accepts 0 < x <= 2: `t` excludes a bound and `e` includes it. */
function isInRange(value: unknown, ref: unknown, rule: Options, method: string): boolean | undefined {
  const [left, right] = [ORDERS[`l${method.charAt(6)}`], ORDERS[`l${method.charAt(7)}`]];
  if (left === undefined || right === undefined || !Array.isArray(ref) || ref.length < 2)
    throw wrongRule(rule, 'range.te, range.ee, range.et or range.tt with a list of two bounds as ref');
  const above = left(ref[0], value);
  return above === true ? right(value, ref[1]) : above;
}

/** The parts of a text between commas equal a list, or a set without order. */
function matchParts(value: unknown, ref: unknown, rule: Options, method: string): boolean | undefined {
  if (!Array.isArray(ref)) throw wrongRule(rule, 'a list as ref');
  if (typeof value !== 'string') return undefined;
  const parts = value
    .replace(/^["']+/, '')
    .replace(/["']+$/, '')
    .split(',');
  if (method === 'str_list_eq') return isSame(parts, ref);
  return parts.every(part => ref.includes(part)) && ref.every(each => parts.includes(each));
}
