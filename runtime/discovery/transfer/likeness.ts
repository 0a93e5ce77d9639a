// Which thing of one world stands for a thing of another. What made it the one to choose there makes the choice here: it is called
// the same, or it is what the instruction speaks of, or what was read or written before; or it has the same place among its like.

import type { Element } from '../../core/screen.ts';
import { sum } from '../../core/sum.ts';
import { marksOf } from './readings.ts';

/** One world at one moment, with what was to be known by then. */
export interface DemoView {
  readonly elements: readonly Element[];
  readonly instruction: string;
  /** What was written so far. */
  readonly written: readonly string[];
  /** Texts that were seen so far. */
  readonly read: readonly string[];
  /** What was last pointed at. */
  readonly last: Element | undefined;
}

/** What is called after things of its world; all else is furniture, and is called the same everywhere. */
const THINGS = new Set(['row', 'listitem', 'treeitem', 'gridcell', 'checkbox', 'cell', 'radio', 'menuitem']);

/** So many are thought of, and so many of those that one text speaks of. */
const MOST = 8;
const MOST_SPOKEN_OF = 3;

/** Those that may stand for it, the likeliest first. */
export function counterpartsOf(meant: Element, known: DemoView, other: DemoView): readonly Element[] {
  const pair: Pair = { meant, known, other, ...likeIt(meant, known, other) };
  const { here, there } = pair;
  const same = there.filter(({ name }) => name === meant.name);
  if (same.length > 0 && !THINGS.has(meant.role)) return furniture(pair, same.slice(-1));
  const { surely, perhaps } = spokenOf(pair);
  const index = here.indexOf(meant);
  const places = [...there.slice(index, index + 1), ...there.slice(index - here.length).slice(0, 1)];
  // And at last anything that is alike.
  const all = [...surely, ...valued(pair), ...perhaps, ...same, ...stepFrom(pair), ...places, ...there];
  return [...new Set(all)].slice(0, MOST);
}

interface Pair {
  readonly meant: Element;
  readonly known: DemoView;
  readonly other: DemoView;
  /** What is like it in the known world, and in the other. */
  readonly here: readonly Element[];
  readonly there: readonly Element[];
}

/** What texts speak of here as they spoke of it there; surely where they spoke of nothing else as much. */
function spokenOf({ meant, known, other, here, there }: Pair) {
  const [surely, perhaps]: [Element[], Element[]] = [[], []];
  for (const speaks of SPEAKING) {
    const ranked = rankedBy(speaks(known), here);
    const place = ranked.findIndex(({ element }) => element === meant);
    if (place < 0) continue;
    const others = rankedBy(speaks(other), there).map(({ element }) => element);
    const inOrder = [...others.slice(place, place + 1), ...others.filter((_, index) => index !== place)];
    const isAlone = place === 0 && (ranked[1]?.score ?? 0) < (ranked[0]?.score ?? 0);
    (isAlone ? surely : perhaps).push(...inOrder.slice(0, MOST_SPOKEN_OF));
  }
  return { surely, perhaps };
}

/** What alone has the same value, as the one mail that is unread. */
function valued({ meant: { value }, here, there }: Pair): readonly Element[] {
  const [known, other] = [here, there].map(alike => alike.filter(each => each.value === value));
  return value !== '' && known?.length === 1 && other?.length === 1 ? other : [];
}

/** What is called the same; but where the instruction spoke of it by its name, it may speak of another thing here. */
function furniture({ meant, known, other, here, there }: Pair, same: readonly Element[]): readonly Element[] {
  const wasSpokenOf = rankedBy([known.instruction], here).some(({ element }) => element === meant);
  if (!wasSpokenOf) return same;
  const others = rankedBy([other.instruction], there).map(({ element }) => element);
  // For what a button does there are many words, and few for what a field is called.
  const still = meant.role === 'button' || others.some(({ name }) => name === meant.name);
  return [...new Set(still ? [...same, ...others] : [...others, ...same])].slice(0, MOST_SPOKEN_OF);
}

/** Whether all that it is called was told or read: then it is looked for where it is not in sight. */
export function isNamed({ name }: Element, { instruction, read, written }: DemoView): boolean {
  const told = new Set(marksOf([instruction, ...written, ...read].join('\n')).map(({ mark }) => mark));
  return name !== '' && marksOf(name).every(({ mark }) => told.has(mark));
}

/** Of the same role; in the window in front, unless it was behind. */
function likeIt(meant: Element, known: DemoView, other: DemoView): Pick<Pair, 'here' | 'there'> {
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

const SPEAKING: readonly ((view: DemoView) => readonly string[])[] = [
  view => [view.instruction],
  view => view.written,
  view => view.read,
];

interface Ranked {
  readonly element: Element;
  readonly score: number;
}

/** Those that texts speak of: most of all first, and then who is named first. */
function rankedBy(texts: readonly string[], alike: readonly Element[]): readonly Ranked[] {
  const whole = texts.join('\n');
  const spoken = new Map<string, number>();
  for (const { mark, at } of marksOf(whole)) if (!spoken.has(mark)) spoken.set(mark, at);
  const marks = alike.map(({ name }) => new Set(marksOf(name).map(({ mark }) => mark)));
  const often = new Map<string, number>();
  for (const each of marks) for (const mark of each) often.set(mark, (often.get(mark) ?? 0) + 1);
  const weight = (mark: string) => Math.log((alike.length + 1) / (often.get(mark) ?? 1));
  return alike
    .map((element, index) => {
      const own = [...(marks[index] ?? [])];
      const said = own.filter(mark => spoken.has(mark));
      const matched = sum(said.map(weight));
      const missed = sum(own.filter(mark => !spoken.has(mark)).map(weight));
      const verbatim = said.length > 0 && whole.includes(element.name) ? 2 : 1;
      const score = matched <= 0 ? 0 : verbatim * matched - 0.1 * missed;
      return { element, score, at: Math.min(...said.map(mark => spoken.get(mark) ?? 0)) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at);
}

/** So many places behind, or before, what was pointed at last. */
function stepFrom({ meant, known, other, here, there }: Pair): readonly Element[] {
  const [from, to] = [placeOf(known.last, here), placeOf(other.last, there)];
  const place = to + here.indexOf(meant) - from;
  return from < 0 || to < 0 || place < 0 ? [] : there.slice(place, place + 1);
}

const placeOf = (element: Element | undefined, alike: readonly Element[]): number =>
  element === undefined
    ? -1
    : alike.findIndex(({ role, name }) => role === element.role && name === element.name);
