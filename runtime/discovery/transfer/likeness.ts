// Finds the element of another instance that corresponds to an element of the demonstration: the one with the same name, the one that the
// instruction or an earlier text names, or the one at the same position among elements of its role.

import { at } from '../../core/at.ts';
import type { Element } from '../../core/screen.ts';
import { sum } from '../../core/sum.ts';
import { THING_ROLES } from '../thing-roles.ts';
import { marksOf } from './readings.ts';

/** One instance at one moment, with the texts that an agent knows by then. */
export interface DemoView {
  readonly elements: readonly Element[];
  readonly instruction: string;
  /** Typed so far, latest first. */
  readonly written: readonly string[];
  /** Texts on earlier screens. */
  readonly read: readonly string[];
  /** The last element under the pointer. */
  readonly last: Element | undefined;
}

/** Also options and menu entries: another instance may ask for another one. */
const CONTENT_ROLES: ReadonlySet<string> = new Set([...THING_ROLES, 'radio', 'menuitem']);

const MAX_CANDIDATES = 8;
/** Candidates that one source of texts names. */
const MAX_NAMED = 3;

/** Candidates, the likeliest first. */
export function counterpartsOf(meant: Element, known: DemoView, other: DemoView): readonly Element[] {
  const pair: Pair = { meant, known, other, ...sameRole(meant, known, other) };
  const { here, there } = pair;
  const same = there.filter(({ name }) => name === meant.name);
  if (same.length > 0 && !CONTENT_ROLES.has(meant.role)) return sameName(pair, same.slice(-1));
  const { certain, possible } = namedByText(pair);
  const index = here.indexOf(meant);
  const places = [...there.slice(index, index + 1), ...there.slice(index - here.length).slice(0, 1)];
  const all = [
    ...certain,
    ...onlyWithValue(pair),
    ...possible,
    ...same,
    ...stepFrom(pair),
    ...places,
    ...there,
  ];
  return [...new Set(all)].slice(0, MAX_CANDIDATES);
}

interface Pair {
  readonly meant: Element;
  readonly known: DemoView;
  readonly other: DemoView;
  /** Elements of the same role in the demonstration, and in the other instance. */
  readonly here: readonly Element[];
  readonly there: readonly Element[];
}

/** Elements that a text names as it names `meant`; certain if it names no other element as clearly. */
function namedByText({ meant, known, other, here, there }: Pair) {
  const [certain, possible]: [Element[], Element[]] = [[], []];
  for (const textsOf of TEXT_SOURCES) {
    const ranked = rankedBy(textsOf(known), here);
    const place = ranked.findIndex(({ element }) => element === meant);
    if (place < 0) continue;
    const others = rankedBy(textsOf(other), there).map(({ element }) => element);
    const inOrder = [...others.slice(place, place + 1), ...others.filter((_, index) => index !== place)];
    const isAlone = place === 0 && (ranked[1]?.score ?? 0) < at(ranked, 0).score;
    (isAlone ? certain : possible).push(...inOrder.slice(0, MAX_NAMED));
  }
  return { certain, possible };
}

/** The only element with the value of `meant`, such as the one unread mail. */
function onlyWithValue({ meant: { value }, here, there }: Pair): readonly Element[] {
  const [known, other] = [here, there].map(alike => alike.filter(each => each.value === value));
  return value !== '' && known?.length === 1 && other?.length === 1 ? other : [];
}

/** Elements with the same name, unless the instruction named `meant`: then its counterpart may have another name. */
function sameName({ meant, known, other, here, there }: Pair, same: readonly Element[]): readonly Element[] {
  const isInInstruction = rankedBy([known.instruction], here).some(({ element }) => element === meant);
  if (!isInInstruction) return same;
  const others = rankedBy([other.instruction], there).map(({ element }) => element);
  // Instructions name a button in many ways, but a field by its label.
  const isSame = meant.role === 'button' || others.some(({ name }) => name === meant.name);
  return [...new Set(isSame ? [...same, ...others] : [...others, ...same])].slice(0, MAX_NAMED);
}

/** Whether the agent knows every word of its name, so that it can search for it outside the visible part. */
export function isNamed({ name }: Element, { instruction, read, written }: DemoView): boolean {
  const knownMarks = new Set(marksOf([instruction, ...written, ...read].join('\n')).map(({ mark }) => mark));
  return name !== '' && marksOf(name).every(({ mark }) => knownMarks.has(mark));
}

/** Elements of the same role, in the front window if `meant` is there. */
function sameRole(meant: Element, known: DemoView, other: DemoView): Pick<Pair, 'here' | 'there'> {
  const like = ({ elements }: DemoView) => elements.filter(({ role }) => role === meant.role);
  const inFront = ({ elements }: DemoView) =>
    elements
      .slice(1 + elements.findLastIndex(({ role }) => role === 'window' || role === 'dialog'))
      .filter(({ role }) => role === meant.role);
  const [here, there] = [inFront(known), inFront(other)];
  return {
    here: here.includes(meant) ? here : like(known),
    there: there.length > 0 ? there : like(other),
  };
}

const TEXT_SOURCES: readonly ((view: DemoView) => readonly string[])[] = [
  view => [view.instruction],
  view => view.written,
  view => view.read,
];

interface Ranked {
  readonly element: Element;
  readonly score: number;
}

/** The elements that texts name, by score and then by position in the text. */
function rankedBy(texts: readonly string[], alike: readonly Element[]): readonly Ranked[] {
  const whole = texts.join('\n');
  const positions = new Map<string, number>();
  for (const each of marksOf(whole)) if (!positions.has(each.mark)) positions.set(each.mark, each.at);
  const marks = alike.map(({ name }) => [...new Set(marksOf(name).map(({ mark }) => mark))]);
  const counts = new Map<string, number>();
  for (const mark of marks.flat()) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  const weight = (mark: string) => Math.log((alike.length + 1) / (counts.get(mark) ?? 1));
  return alike
    .map((element, index) => {
      const own = at(marks, index);
      const said = own.filter(mark => positions.has(mark));
      const matched = sum(said.map(weight));
      const missed = sum(own.filter(mark => !positions.has(mark)).map(weight));
      const verbatim = said.length > 0 && whole.includes(element.name) ? 2 : 1;
      const score = matched <= 0 ? 0 : verbatim * matched - 0.1 * missed;
      return { element, score, position: Math.min(...own.flatMap(mark => positions.get(mark) ?? [])) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.position - b.position);
}

/** The element at the same distance from the last element under the pointer. */
function stepFrom({ meant, known, other, here, there }: Pair): readonly Element[] {
  const [from, to] = [placeOf(known.last, here), placeOf(other.last, there)];
  const place = to + here.indexOf(meant) - from;
  return from < 0 || to < 0 || place < 0 ? [] : there.slice(place, place + 1);
}

const placeOf = (element: Element | undefined, alike: readonly Element[]): number =>
  element === undefined
    ? -1
    : alike.findIndex(({ role, name }) => role === element.role && name === element.name);
