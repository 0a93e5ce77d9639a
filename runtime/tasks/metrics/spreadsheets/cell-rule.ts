// Tests a value of a workbook against a rule `{ method, ref }`.

import {
  type CellRange,
  includesRange,
  parseRanges,
  rangeName,
} from '../../formats/spreadsheet/coordinates.ts';
import { isRecord, MetricError } from '../metric.ts';
import { compilePattern } from '../pattern.ts';
import { sameValue } from '../same-value.ts';

/** The ranges of a data validation, which compare as sets. */
export interface Ranges {
  readonly ranges: readonly CellRange[];
}

const isRanges = (value: unknown): value is Ranges =>
  typeof value === 'object' && value !== null && 'ranges' in value;

/** A value of a type that the method does not compare fails the rule. */
export function matchesRule(value: unknown, rule: unknown): boolean {
  const { method, ref } = isRecord(rule) ? rule : {};
  if (typeof method !== 'string')
    throw new MetricError(
      `The rule ${JSON.stringify(rule)} has no method. Use {"method": "eq", "ref": VALUE}.`,
    );
  if (method.startsWith('re')) return matchesPattern(value, method, ref);
  if (method === 'eq') return equals(value, ref);
  if (method === 'ne') return !equals(value, ref);
  if (/^[lg][et]$/.test(method)) return compares(value, method, ref);
  if (method.startsWith('approx')) return isNear(value, method, ref);
  if (method === 'spreadsheet_range') return coversRanges(value, ref);
  if (method.startsWith('range.')) return liesBetween(value, method, ref);
  if (method === 'str_list_eq' || method === 'str_set_eq') return equalsList(value, method, ref);
  throw new MetricError(
    `${JSON.stringify(method)} is not a method of compare_table. Use eq, approx:0.1 or re.`,
  );
}

const wrongRef = (method: string, ref: unknown, advice: string): MetricError =>
  new MetricError(`The method ${method} cannot use the ref ${JSON.stringify(ref) ?? 'undefined'}. ${advice}`);

function matchesPattern(value: unknown, method: string, ref: unknown): boolean {
  if (typeof ref !== 'string') throw wrongRef(method, ref, 'Use a regular expression.');
  const flags = method
    .split('.')
    .slice(1)
    .map(flag => (/^(IGNORECASE|MULTILINE|DOTALL|[IMS])$/.test(flag) ? (flag[0] ?? '').toLowerCase() : ''))
    .map(letter => (letter === 'd' ? 's' : letter))
    .join('');
  const pattern = compilePattern(flags === '' ? ref : `(?${flags})${ref}`);
  return typeof value === 'string' && pattern.test(value);
}

/** As in Python, true equals 1. */
const numbered = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

function equals(value: unknown, ref: unknown): boolean {
  if (!isRanges(value)) return sameValue(numbered(value), numbered(ref));
  return sameValue(sortedNames(value.ranges), sortedNames(rangesOf('eq', ref)));
}

const sortedNames = (ranges: readonly CellRange[]): readonly string[] =>
  [...new Set(ranges.map(rangeName))].sort();

function compares(value: unknown, method: string, ref: unknown): boolean {
  const [a, b] = [numbered(value), numbered(ref)];
  const areComparable =
    (typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string');
  if (!areComparable) return false;
  if (method === 'lt') return a < b;
  if (method === 'le') return a <= b;
  return method === 'gt' ? a > b : a >= b;
}

function isNear(value: unknown, method: string, ref: unknown): boolean {
  const limit = Number(method.split(':')[1] ?? 'none');
  if (Number.isNaN(limit))
    throw wrongRef(method, ref, 'Write the largest difference after a colon: approx:0.1.');
  if (typeof ref !== 'number') throw wrongRef(method, ref, 'Use a number.');
  const number = numbered(typeof value === 'string' && value.trim() !== '' ? Number(value) : value);
  return typeof number === 'number' && Math.abs(number - ref) <= limit;
}

function rangesOf(method: string, ref: unknown): readonly CellRange[] {
  const ranges = typeof ref === 'string' ? parseRanges(ref) : undefined;
  if (ranges === undefined) throw wrongRef(method, ref, 'Use ranges such as "A1:B2 D4".');
  return ranges;
}

/** The value includes the first ranges and lies in the second ones. */
function coversRanges(value: unknown, ref: unknown): boolean {
  const [inner, outer] = Array.isArray(ref) ? ref : [];
  const [smallest, largest] = [rangesOf('spreadsheet_range', inner), rangesOf('spreadsheet_range', outer)];
  const lieIn = (some: readonly CellRange[], others: readonly CellRange[]): boolean =>
    some.every(range => others.some(other => includesRange(other, range)));
  return isRanges(value) && lieIn(smallest, value.ranges) && lieIn(value.ranges, largest);
}

/** range.te tests low < value <= high: `t` excludes an end, `e` includes it. */
function liesBetween(value: unknown, method: string, ref: unknown): boolean {
  const [low, high] = Array.isArray(ref) ? ref : [];
  const [, left, right] = /^range\.([te])([te])/.exec(method) ?? [];
  if (left === undefined || right === undefined || high === undefined)
    throw wrongRef(method, ref, 'Use the method range.te with a list of two numbers.');
  return compares(low, `l${left}`, value) && compares(value, `l${right}`, high);
}

/** The parts of a text between commas, without the quotes around it. */
function equalsList(value: unknown, method: string, ref: unknown): boolean {
  if (!Array.isArray(ref)) throw wrongRef(method, ref, 'Use a list of texts.');
  if (typeof value !== 'string') return false;
  const parts = value.replace(/^["']+|["']+$/g, '').split(',');
  if (method === 'str_list_eq') return sameValue(parts, ref);
  return sameValue([...new Set(parts)].sort(), [...new Set(ref)].sort());
}
