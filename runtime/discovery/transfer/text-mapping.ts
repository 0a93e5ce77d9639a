// Maps a typed text to another instance: splits it into parts from the instruction, parts from earlier screens and signs, and replaces each
// part by its counterpart there.

import { wordsOf } from '../../agents/compact/word-tokenizer.ts';
import { at } from '../../core/at.ts';
import type { Element } from '../../core/screen.ts';
import { counterpartsOf, type DemoView } from './likeness.ts';
import { counterparts, dayIn, type MonthDay, readingsOf } from './readings.ts';

/** The source of a part of a typed text. */
export type TextSource =
  | { readonly kind: 'said'; readonly start: number }
  | {
      readonly kind: 'seen';
      readonly step: number;
      readonly element: Element;
      readonly in: 'name' | 'value';
      readonly start: number;
    }
  /** A day in another spelling than its source. */
  | { readonly kind: 'day'; readonly of: TextSource; readonly length: number };

export interface TextPart {
  readonly text: string;
  /** Possible sources, the likeliest first; none for a sign or a new word. */
  readonly sources: readonly TextSource[];
}

/** `views`: the demonstration up to the step that types the text. */
export function partsOf(text: string, views: readonly DemoView[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  const words = wordsOf(text);
  const { instruction } = at(views, 0);
  for (let start = 0; start < text.length; ) {
    const part = partAt(text, start, words, instruction, views);
    parts.push(part);
    start += part.text.length;
  }
  return parts;
}

function partAt(
  text: string,
  from: number,
  words: ReturnType<typeof wordsOf>,
  instruction: string,
  views: readonly DemoView[],
): TextPart {
  const isWord = words.some(({ start, isSign }) => start === from && !isSign);
  if (!isWord) return { text: text.charAt(from), sources: [] };
  const ends = words
    .filter(({ end }) => end > from)
    .map(({ end }) => end)
    .reverse();
  for (const end of ends) {
    const part = text.slice(from, end);
    const said = saidIn(instruction, part);
    const sources = said.length > 0 ? said : seenIn(views, part);
    if (sources.length > 0) return { text: part, sources };
    const day = dayFrom(part, instruction, views);
    if (day !== undefined) return { text: part, sources: [day] };
  }
  return { text: text.slice(from, ends.at(-1) ?? from + 1), sources: [] };
}

/** Positions in the instruction, quoted ones first. */
const saidIn = (instruction: string, part: string): readonly TextSource[] =>
  placesIn(instruction, part)
    .map(start => ({ kind: 'said' as const, start, quoted: instruction.charAt(start - 1) === '"' }))
    .sort((a, b) => Number(b.quoted) - Number(a.quoted))
    .map(({ kind, start }) => ({ kind, start }));

/** Positions of a part that neither begin nor end inside a word. */
function placesIn(whole: string, part: string): readonly number[] {
  const places: number[] = [];
  for (let start = whole.indexOf(part); start >= 0; start = whole.indexOf(part, start + 1))
    if (!isInside(whole, start) && !isInside(whole, start + part.length)) places.push(start);
  return places;
}

const LETTER = /[\p{L}\p{N}]/u;
const isInside = (text: string, place: number): boolean =>
  LETTER.test(text.charAt(place - 1)) && LETTER.test(text.charAt(place));

/** Of each role, the latest and shortest text that contains the part. Whole texts go first, then values, then names by length. */
function seenIn(views: readonly DemoView[], part: string): readonly TextSource[] {
  const found = new Map<
    string,
    { readonly source: TextSource; readonly length: number; readonly order: number }
  >();
  for (let step = views.length - 1; step >= 0; step--) {
    for (const element of at(views, step).elements) {
      for (const field of ['value', 'name'] as const) {
        const whole = element[field];
        const known = found.get(`${element.role} ${field}`);
        if (whole.length < part.length || whole.length >= (known?.length ?? Number.POSITIVE_INFINITY))
          continue;
        const [start] = placesIn(whole, part);
        if (start === undefined) continue;
        const source: TextSource = { kind: 'seen', step, element, in: field, start };
        const order = whole === part ? 0 : field === 'value' ? 1 : 2 + whole.length / 1000;
        found.set(`${element.role} ${field}`, { source, length: whole.length, order });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.order - b.order).map(({ source }) => source);
}

function dayFrom(part: string, instruction: string, views: readonly DemoView[]): TextSource | undefined {
  const day = dayIn(part);
  if (day === undefined) return undefined;
  const said = dayWithin(instruction, day);
  if (said !== undefined)
    return { kind: 'day', of: { kind: 'said', start: said.start }, length: said.end - said.start };
  for (const [step, { elements }] of views.entries()) {
    for (const element of elements) {
      const found = dayWithin(element.value, day);
      if (found === undefined) continue;
      const of: TextSource = { kind: 'seen', step, element, in: 'value', start: found.start };
      return { kind: 'day', of, length: found.end - found.start };
    }
  }
  return undefined;
}

const dayWithin = (text: string, { month, day }: MonthDay) =>
  readingsOf(text, 'date').find(({ start, end }) => {
    const found = dayIn(text.slice(start, end));
    return found?.month === month && found.day === day;
  });

/** Texts that may replace a part in the other instance, the likeliest first. */
export function textFor(
  { text, sources }: TextPart,
  known: readonly DemoView[],
  other: readonly DemoView[],
): readonly string[] {
  if (sources.length === 0) return [text];
  const each = sources.slice(0, MAX_PER_SOURCE).map(source => textsAt(source, text, known, other));
  const inTurn = Array.from({ length: MAX_TEXTS }, (_, place) =>
    each.flatMap(texts => texts[place] ?? []),
  ).flat();
  return [...new Set([...inTurn, text])].slice(0, MAX_TEXTS);
}

function textsAt(
  source: TextSource,
  text: string,
  known: readonly DemoView[],
  other: readonly DemoView[],
): readonly string[] {
  if (source.kind === 'day')
    return found(source.of, source.length, known, other).flatMap(each => dated(text, each) ?? []);
  return found(source, text.length, known, other);
}

function found(
  source: TextSource,
  length: number,
  known: readonly DemoView[],
  other: readonly DemoView[],
): readonly string[] {
  if (source.kind === 'said') {
    const [here, there] = [at(known, 0).instruction, at(other, 0).instruction];
    return counterparts(here, source.start, source.start + length, there).slice(0, MAX_PER_SOURCE);
  }
  if (source.kind !== 'seen') return [];
  const [here, there] = [at(known, source.step), at(other, source.step)];
  const whole = source.element[source.in];
  const all = counterpartsOf(source.element, here, there).map(element => element[source.in]);
  if (length === whole.length) return [...new Set(all)];
  const texts = all
    .slice(0, MAX_PER_SOURCE)
    .map(each => counterparts(whole, source.start, source.start + length, each));
  return [...new Set([...texts.flatMap(each => each.slice(0, 1)), ...texts.flat()])].slice(0, MAX_PER_SOURCE);
}

const MAX_PER_SOURCE = 5;
const MAX_TEXTS = 10;

/** Another day in the spelling of the known one, with the known year if it has none. */
function dated(known: string, other: string): string | undefined {
  const [was, is] = [dayIn(known), dayIn(other)];
  if (was === undefined || is === undefined) return undefined;
  return known.startsWith(String(was.year)) ? `${is.year ?? was.year}-${is.month}-${is.day}` : other;
}
