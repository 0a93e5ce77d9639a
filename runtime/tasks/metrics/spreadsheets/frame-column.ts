// The type of a column of a table, as the parser of pandas chooses it from all its values.

import { isMoment, type Moment } from '../../formats/spreadsheet/moments.ts';

/** NaN is a missing value. */
export type FrameValue = string | number | boolean | Moment;

export type ColumnKind = 'int' | 'uint' | 'float' | 'bool' | 'dateTime' | 'duration' | 'object';

export interface FrameColumn {
  readonly kind: ColumnKind;
  readonly values: readonly FrameValue[];
}

const MISSING: ReadonlySet<unknown> = new Set([
  ...['', '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN', '<NA>'],
  ...['N/A', 'NA', 'NULL', 'NaN', 'None', 'n/a', 'nan', 'null'],
]);
const TRUE_TEXTS: ReadonlySet<unknown> = new Set(['True', 'TRUE', 'true']);
const FALSE_TEXTS: ReadonlySet<unknown> = new Set(['False', 'FALSE', 'false']);

const MAX_INT64 = 2 ** 63;
const MAX_UINT64 = 2 ** 64;

export function typedColumn(values: readonly FrameValue[]): FrameColumn {
  if (values.length === 0) return { kind: 'object', values };
  return numericColumn(values) ?? booleanColumn(values.map(orMissing)) ?? momentColumn(values.map(orMissing));
}

const orMissing = (value: FrameValue): FrameValue => (MISSING.has(value) ? Number.NaN : value);

/** All values are numbers, Booleans, texts of numbers or missing; undefined otherwise. */
function numericColumn(values: readonly FrameValue[]): FrameColumn | undefined {
  const numbers: number[] = [];
  const seen = { float: false, integer: false, negative: false, large: false };
  for (const value of values) {
    const number = asNumber(value);
    if (number === undefined) return undefined;
    numbers.push(number.value);
    if (number.kind === 'float') seen.float = true;
    if (number.kind !== 'integer') continue;
    seen.integer = true;
    seen.negative ||= number.value < 0;
    seen.large ||= number.value >= MAX_INT64;
    seen.float ||= number.value >= MAX_UINT64 || number.value < -MAX_INT64;
  }
  // No type of integers has both, and a float would lose digits.
  if (seen.large && (seen.negative || numbers.some(Number.isNaN))) return undefined;
  if (seen.float) return { kind: 'float', values: numbers };
  if (seen.integer) return { kind: seen.large ? 'uint' : 'int', values: numbers };
  return { kind: 'bool', values: numbers.map(Boolean) };
}

type Numeric = { readonly kind: 'integer' | 'float' | 'bool'; readonly value: number };

function asNumber(value: FrameValue): Numeric | undefined {
  if (MISSING.has(value)) return { kind: 'float', value: Number.NaN };
  if (typeof value === 'number') return { kind: Number.isInteger(value) ? 'integer' : 'float', value };
  if (typeof value === 'boolean') return { kind: 'bool', value: Number(value) };
  return typeof value === 'string' ? numberOfText(value) : undefined;
}

function numberOfText(text: string): Numeric | undefined {
  const special = /^([+-]?)inf(inity)?$/i.exec(text);
  if (special !== null)
    return { kind: 'float', value: special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY };
  if (/^nan$/i.test(text)) return { kind: 'float', value: Number.NaN };
  const match = /^[\t-\r ]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)[\t-\r ]*$/.exec(text);
  const value = Number(match?.[1] ?? 'none');
  if (!Number.isFinite(value)) return undefined;
  if (!/^[+-]?\d+$/.test(match?.[1] ?? '')) return { kind: 'float', value };
  return value < MAX_UINT64 && value >= -MAX_INT64 ? { kind: 'integer', value } : undefined;
}

/** All values are Booleans or their texts. With missing values the column has no type of its own. */
function booleanColumn(values: readonly FrameValue[]): FrameColumn | undefined {
  const converted = values.map(value => {
    if (value === true || TRUE_TEXTS.has(value)) return true;
    if (value === false || FALSE_TEXTS.has(value)) return false;
    return Number.isNaN(value) ? Number.NaN : undefined;
  });
  if (!converted.every(value => value !== undefined)) return undefined;
  return { kind: converted.some(value => Number.isNaN(value)) ? 'object' : 'bool', values: converted };
}

function momentColumn(values: readonly FrameValue[]): FrameColumn {
  const isAll = (kind: Moment['kind']): boolean =>
    values.every(value => Number.isNaN(value) || (isMoment(value) && value.kind === kind));
  if (isAll('dateTime')) return { kind: 'dateTime', values };
  return { kind: isAll('duration') ? 'duration' : 'object', values };
}
