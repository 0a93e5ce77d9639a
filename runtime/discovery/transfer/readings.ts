// Parses a text into readings: quotations, names, dates, times, numbers, lines. Two instructions of one task have the same readings in their
// own positions, so a part of one corresponds to a reading of the other.

import { plain, wordsOf } from '../../agents/compact/word-tokenizer.ts';
import { at } from '../../core/at.ts';
import { dayOf, MONTHS } from '../../environments/pocket/apps/calendar/dates.ts';

export interface TextReading {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
}

type Kind = keyof typeof PATTERNS;

const NAMES: readonly string[] = MONTHS;
const MONTH = NAMES.join('|');

/** The most specific first. A reading is the group `it`, or else the whole match. */
const PATTERNS = {
  quoted: /"(?<it>[^"]+)"/g,
  date: new RegExp(`\\d{4}-\\d\\d-\\d\\d|\\b\\d{1,2} (?:${MONTH})(?: \\d{4})?`, 'g'),
  time: /\b\d{1,2}:\d\d\b/g,
  address: /[\w.]+@[\w.]+\w/g,
  file: /\b[\w-]+(?: [\w-]+)?\.(?:[a-z]{2,4})\b(?!@)/g,
  phone: /\b\d{2,}(?: \d{2,})+\b/g,
  rest: /: (?<it>[^\n":]+)$/g,
  /** Two capitalised words. At the start of a sentence a third may precede them, so every pair is a reading. */
  person: /(?<!\p{L})(?=(?<it>\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+)(?!\p{L}))/gu,
  name: /(?<!\d )\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*/gu,
  number: /\d+(?:\.\d+)?/g,
  line: /[^\n]+/g,
  word: /[\p{L}\p{N}]+/gu,
} as const;

const KINDS = Object.keys(PATTERNS) as readonly Kind[];

/** Texts recur from screen to screen. */
const CACHE = new Map<string, Map<Kind, readonly TextReading[]>>();
const MAX_CACHED = 1000;

export function readingsOf(text: string, kind: Kind): readonly TextReading[] {
  if (CACHE.size >= MAX_CACHED) CACHE.clear();
  const ofText = CACHE.get(text) ?? new Map<Kind, readonly TextReading[]>();
  CACHE.set(text, ofText);
  const known = ofText.get(kind);
  if (known !== undefined) return known;
  const found = [...text.matchAll(PATTERNS[kind])].map(match => {
    const it = match.groups?.['it'] ?? match[0];
    const start = match.index + Math.max(0, match[0].indexOf(it));
    return { kind, start, end: start + it.length };
  });
  ofText.set(kind, found);
  return found;
}

/** A day of the year, independent of its spelling. */
export interface MonthDay {
  readonly year: string | undefined;
  readonly month: string;
  readonly day: string;
}

export function dayIn(text: string): MonthDay | undefined {
  const iso = dayOf(text);
  if (iso !== undefined) return { year: String(iso.year), month: two(iso.month), day: two(iso.day) };
  const [day, month, year] = text.split(' ');
  const number = NAMES.indexOf(month ?? '');
  return day === undefined || number < 0
    ? undefined
    : { year, month: two(number + 1), day: two(Number(day)) };
}

const two = (number: number): string => String(number).padStart(2, '0');

/** The words of a text in plain spelling, and its days in one spelling, with their positions. */
export function marksOf(text: string): readonly { readonly mark: string; readonly at: number }[] {
  const days = readingsOf(text, 'date').flatMap(({ start, end }) => {
    const day = dayIn(text.slice(start, end));
    return day === undefined ? [] : [{ mark: `${day.month}/${day.day}`, at: start, end }];
  });
  const words = wordsOf(text)
    .filter(({ isSign, start }) => !isSign && !days.some(day => start >= day.at && start < day.end))
    .map(word => ({ mark: plain(word.text), at: word.start }));
  return [...days.map(({ mark, at }) => ({ mark, at })), ...words];
}

/** The parts of `other` that may correspond to a part of `known`, the likeliest first. */
export function counterparts(known: string, start: number, end: number, other: string): readonly string[] {
  const found: string[] = [];
  const aligned = between(known, start, end, other);
  if (aligned?.sure) found.push(aligned.text);
  for (const kind of KINDS) {
    const [here, there] = [readingsOf(known, kind), readingsOf(other, kind)];
    const place = here.findIndex(reading => reading.start <= start && end <= reading.end);
    const reading = here[place];
    if (reading === undefined) continue;
    const whole = reading.start === start && reading.end === end;
    const part = whole ? undefined : partOf(known, reading, start, end);
    if (!whole && part === undefined) continue;
    // The reading at the same position among its kind goes first.
    const inOrder = [...there.slice(place, place + 1), ...there.filter((_, index) => index !== place)];
    const textOf = (each: TextReading) =>
      part === undefined ? other.slice(each.start, each.end) : partAt(other, each, part);
    found.push(...inOrder.flatMap(each => textOf(each) ?? []));
    if (whole) break;
  }
  if (aligned !== undefined) found.push(aligned.text);
  return [...new Set(found)];
}

/** The first and last word of a part, and the number of words of its reading. */
type Part = readonly [first: number, last: number, of: number];

function partOf(text: string, reading: TextReading, start: number, end: number): Part | undefined {
  const words = wordsWithin(text, reading);
  const first = words.findIndex(word => word.start === start);
  const last = words.findIndex(word => word.end === end);
  // A word of a long text is found by its own kind.
  return first < 0 || last < first || words.length > 6 ? undefined : [first, last, words.length];
}

function partAt(text: string, reading: TextReading, [first, last, of]: Part): string | undefined {
  const words = wordsWithin(text, reading);
  const [from, to] = [words[first], words[last]];
  return from && to && words.length === of ? text.slice(from.start, to.end) : undefined;
}

const wordsWithin = (text: string, { start, end }: TextReading) =>
  wordsOf(text).filter(word => !word.isSign && word.start >= start && word.end <= end);

/** The words of both texts multiplied, up to which they are compared: 1,000 words with 1,000, in 2 MB and a few milliseconds. */
const MAX_PAIRS = 1_000_000;

/** The text between the same neighbouring words; sure if most of the two texts is equal. Undefined for long texts. */
function between(
  known: string,
  start: number,
  end: number,
  other: string,
): { readonly text: string; readonly sure: boolean } | undefined {
  const [here, there] = [wordsOf(known), wordsOf(other)];
  if (here.length * there.length > MAX_PAIRS) return undefined;
  const pairs = longestCommon(
    here.map(({ text }) => text),
    there.map(({ text }) => text),
  );
  const before = pairs.findLast(([index]) => at(here, index).end <= start);
  const after = pairs.find(([index]) => at(here, index).start >= end);
  const meant = here.filter(word => word.start >= start && word.end <= end);
  const gap = (after?.[0] ?? here.length) - (before?.[0] ?? -1) - 1;
  const [from, to] = [there[(before?.[1] ?? -1) + 1], there[(after?.[1] ?? there.length) - 1]];
  if (from === undefined || to === undefined || to.end <= from.start) return undefined;
  const alike = pairs.length >= 0.6 * Math.min(here.length, there.length);
  return { text: other.slice(from.start, to.end), sure: alike && gap === meant.length };
}

function longestCommon(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  const cell = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--)
      table[i * width + j] =
        a[i] === b[j] ? 1 + cell(i + 1, j + 1) : Math.max(cell(i + 1, j), cell(i, j + 1));
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (cell(i + 1, j) >= cell(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
