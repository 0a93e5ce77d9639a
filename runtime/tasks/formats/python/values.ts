// Compares and reads JSON values as Python does: true equals 1, texts are ordered by code points, and empty values are false.

import { strip } from './text.ts';

type Entries = Readonly<Record<string, unknown>>;

const isEntries = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const numbered = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

/** `==` of two values. */
export function isSame(first: unknown, second: unknown): boolean {
  const [a, b] = [numbered(first), numbered(second)];
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((each, index) => isSame(each, b[index]));
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime();
  if (!isEntries(a) || !isEntries(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(key => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
}

/** Negative if the first value is less; undefined where Python cannot order the two. */
export function compare(first: unknown, second: unknown): number | undefined {
  const [a, b] = [numbered(first), numbered(second)];
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : undefined;
}

export function compareTexts(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** `value in container`; undefined where Python raises an exception. */
export function contains(container: unknown, value: unknown): boolean | undefined {
  if (Array.isArray(container)) return container.some(each => isSame(each, value));
  if (typeof container === 'string') return typeof value === 'string' ? container.includes(value) : undefined;
  return isEntries(container) ? typeof value === 'string' && Object.hasOwn(container, value) : undefined;
}

/** Whether an `if` takes the value for true. */
export const isTruthy = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0;
  if (isEntries(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
};

const DIGITS = '\\d+(?:_\\d+)*';
/** A text matches in one way alone: with a choice, a long text of digits would take quadratic time. */
const FLOAT = new RegExp(
  `^[+-]?(?:(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:e[+-]?${DIGITS})?|inf(?:inity)?|nan)$`,
  'i',
);

/** `float(value)`; undefined where Python raises an exception. */
export function readFloat(value: unknown): number | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') return undefined;
  const text = strip(value);
  if (!FLOAT.test(text)) return undefined;
  const plain = text.replaceAll('_', '').toLowerCase();
  if (plain.includes('nan')) return Number.NaN;
  if (plain.includes('inf')) return plain.startsWith('-') ? -Infinity : Infinity;
  return Number(plain);
}

/** `int(value)`; undefined where Python raises an exception. */
export function readInt(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return Number.isFinite(value) ? Math.trunc(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const text = strip(value);
  return /^[+-]?\d+(?:_\d+)*$/.test(text) ? Number(text.replaceAll('_', '')) : undefined;
}

/** The value of a JSON text; undefined for another text. */
export function readJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `str(value)` of a JSON value. */
export const written = (value: unknown): string => (typeof value === 'string' ? value : quoted(value));

function quoted(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return writtenNumber(value);
  if (typeof value === 'string') return quotedText(value);
  if (Array.isArray(value)) return `[${value.map(quoted).join(', ')}]`;
  const entries = Object.entries(value).map(([key, each]) => `${quotedText(key)}: ${quoted(each)}`);
  return `{${entries.join(', ')}}`;
}

/** Python writes small numbers with an exponent of two digits at least. */
function writtenNumber(value: number): string {
  const isSmall = value !== 0 && Math.abs(value) < 1e-4;
  const text = isSmall ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function quotedText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(/[\\\n\r\t]|[\p{C}\p{Z}]/gu, character => escapeOf(character));
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

function escapeOf(character: string): string {
  const short = ESCAPES[character];
  if (short !== undefined || character === ' ') return short ?? character;
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
