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
  if (method === 'spreadsheet_range') return isBetweenRanges(value, ref, rule);
  if (method.startsWith('range.')) return isInRange(value, ref, rule, method);
  if (method === 'str_list_eq' || method === 'str_set_eq') return matchParts(value, ref, rule, method);
  throw wrongRule(
    rule,
    're, eq, ne, le, lt, ge, gt, approx:N, range.XY, spreadsheet_range, str_list_eq or str_set_eq',
  );
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

/** The cells of a range, from A1 up to the last row and column of a sheet. */
interface Range {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The ranges of a text such as `A1:B3 D4`; undefined for another text. */
function rangesOf(text: unknown): readonly Range[] | undefined {
  if (typeof text !== 'string') return undefined;
  const ranges = text.split(/\s+/).filter(Boolean).map(rangeOf);
  return ranges.every(range => range !== undefined) ? ranges : undefined;
}

function rangeOf(text: string): Range | undefined {
  const match = /^(?:.+!)?\$?([A-Z]{1,3})\$?(\d+)(?::\$?([A-Z]{1,3})\$?(\d+))?$/i.exec(text);
  if (match === null) return undefined;
  const [, left = '', top = '', right = left, bottom = top] = match;
  const range = { left: columnOf(left), top: Number(top), right: columnOf(right), bottom: Number(bottom) };
  return range.left <= range.right && range.top <= range.bottom ? range : undefined;
}

const columnOf = (letters: string): number =>
  [...letters.toUpperCase()].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);

/** Every range of one text lies in one range of the other. */
const liesIn = (inner: readonly Range[], outer: readonly Range[]): boolean =>
  inner.every(a =>
    outer.some(b => a.left >= b.left && a.top >= b.top && a.right <= b.right && a.bottom <= b.bottom),
  );

/** `spreadsheet_range` with [least, most]: the ranges of the value contain the least and lie in the most. */
function isBetweenRanges(value: unknown, ref: unknown, rule: Options): boolean | undefined {
  const bounds: readonly unknown[] = Array.isArray(ref) ? ref : [];
  const [least, most] = [rangesOf(bounds[0]), rangesOf(bounds[1])];
  if (least === undefined || most === undefined) throw wrongRule(rule, 'two ranges such as A1:B3 as ref');
  const ranges = rangesOf(value);
  return ranges === undefined ? undefined : liesIn(least, ranges) && liesIn(ranges, most);
}
