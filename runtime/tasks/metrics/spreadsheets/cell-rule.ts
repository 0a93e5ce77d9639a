// Tests a value of a workbook against a rule `{ method, ref }`.

import {
  type CellRange,
  includesRange,
  parseRanges,
  rangeName,
} from '../../formats/spreadsheet/coordinates.ts';
import { matchValueToRule } from '../match-value-to-rule.ts';
import { isRecord, MetricError } from '../metric.ts';
import { sameValue } from '../same-value.ts';

/** The ranges of a data validation, which compare as sets. */
export interface Ranges {
  readonly ranges: readonly CellRange[];
}

const isRanges = (value: unknown): value is Ranges =>
  typeof value === 'object' && value !== null && 'ranges' in value;

/** A value of a type that the method does not compare fails the rule. */
export function matchesRule(value: unknown, rule: unknown): boolean {
  if (!isRecord(rule))
    throw new MetricError(`${JSON.stringify(rule)} is no rule. Use {"method": "eq", "ref": VALUE}.`);
  const { method, ref } = rule;
  if (method === 'spreadsheet_range') return coversRanges(value, ref);
  if (isRanges(value) && (method === 'eq' || method === 'ne'))
    return equalsRanges(value, rangesOf(method, ref)) === (method === 'eq');
  return matchValueToRule(value, rule) === true;
}

const equalsRanges = ({ ranges }: Ranges, others: readonly CellRange[]): boolean =>
  sameValue(sortedNames(ranges), sortedNames(others));

const sortedNames = (ranges: readonly CellRange[]): readonly string[] =>
  [...new Set(ranges.map(rangeName))].sort();

function rangesOf(method: string, ref: unknown): readonly CellRange[] {
  const ranges = typeof ref === 'string' ? parseRanges(ref) : undefined;
  if (ranges !== undefined) return ranges;
  throw new MetricError(
    `The method ${method} cannot use the ref ${JSON.stringify(ref) ?? 'undefined'}. Use ranges such as "A1:B2 D4".`,
  );
}

/** The value includes the first ranges and lies in the second ones. */
function coversRanges(value: unknown, ref: unknown): boolean {
  const [inner, outer] = Array.isArray(ref) ? ref : [];
  const [smallest, largest] = [rangesOf('spreadsheet_range', inner), rangesOf('spreadsheet_range', outer)];
  const lieIn = (some: readonly CellRange[], others: readonly CellRange[]): boolean =>
    some.every(range => others.some(other => includesRange(other, range)));
  return isRanges(value) && lieIn(smallest, value.ranges) && lieIn(value.ranges, largest);
}
