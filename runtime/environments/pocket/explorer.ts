// Plays on the pocket desktop without being told to do anything, and notices what it did that has a name. Where it came to
// something new (a dialog, a text that was written, a change), it comes back later and plays on from there, so that what takes
// several right steps is found as well.

import type { Action } from '../../contracts/action.ts';
import type { Seed, TaskId } from '../../contracts/ids.ts';
import { key } from '../../contracts/key.ts';
import { centre, type Element } from '../../contracts/screen.ts';
import type { Random } from '../../contracts/world.ts';
import { CHORDS } from '../../policy/chords.ts';
import { pseudoWord } from '../../policy/renaming.ts';
import { deedNow, type Finding, hindsight } from './hindsight.ts';
import { type Started, startOf } from './start.ts';
import type { Suite } from './tasks/suite.ts';
import { VOCABULARIES } from './tasks/vocabulary.ts';
import { varied } from './variation.ts';

/** So many steps are played from where a play begins. */
const STEPS = 6;
/** Longer ways than this are not played on from. */
const LONGEST = 8;
/** Of each kind of deed in each task so many are worth the work of finding out how they were done. */
const ENOUGH = 40;

/** The share of plays that do again what was found before, and how many findings of a kind are remembered for it. */
const AGAIN = 0.4;
/** The same, once there is enough of every kind. */
const SELDOM = 0.1;
/** The share of the others that goes to tasks of which nothing was found. */
const FOCUS = 0.7;
const REMEMBERED = 12;
/** Of places that look alike so many are kept. */
const ALIKE = 6;

/** How much likelier such a place is to be played on from. */
const PROMISING = 5;

/** Keys that mean something almost everywhere. */
const COMMON: typeof CHORDS = [
  [key('enter')],
  [key('esc')],
  [key('tab')],
  [key('delete')],
  [key('ctrl'), key('s')],
  [key('ctrl'), key('n')],
];

interface Place {
  readonly ways: { readonly seed: Seed; readonly actions: readonly Action[] }[];
  /** What was done on the way has a name, so it may be half of something. */
  readonly isDeed: boolean;
  visits: number;
}

export class Explorer {
  readonly #suite: Suite;
  readonly #tasks: readonly TaskId[];
  readonly #random: Random;
  readonly #isSolved: (task: TaskId) => boolean;
  /** For each task the places that are known, by what they look like. */
  readonly #places = new Map<TaskId, Map<string, Place>>();
  readonly #counts = new Map<string, number>();
  readonly #known = new Map<string, { readonly findings: Finding[]; count: number }>();
  /** Of each kind of deed the fewest actions that it took. */
  readonly #shortest = new Map<string, number>();
  #plays = 0;
  steps = 0;

  /** `isSolved` tells of which tasks there is nothing left to find out; it may learn so while it plays. */
  constructor(
    suite: Suite,
    tasks: readonly TaskId[],
    random: Random,
    isSolved: (task: TaskId) => boolean = () => false,
  ) {
    this.#suite = suite;
    this.#tasks = tasks;
    this.#random = random;
    this.#isSolved = isSolved;
  }

  /** One play; what it found. Sometimes what was found before, done again with other things. */
  play(): readonly Finding[] {
    const least = Math.min(...[...this.#known.values()].map(({ count }) => count));
    return this.#random.next() < (least < ENOUGH ? AGAIN : SELDOM) ? this.#again() : this.#onwards();
  }

  /** The rarest kind of deed, or any, done again. */
  #again(): readonly Finding[] {
    const kinds = [...this.#known];
    const rarest = Math.min(...kinds.map(([, { count }]) => count));
    const [, kind] =
      (this.#random.next() < 0.5
        ? kinds.find(([, { count }]) => count === rarest)
        : this.#one(kinds, undefined)) ?? [];
    const finding = kind && this.#one<Finding | undefined>(kind.findings, undefined);
    if (kind === undefined || finding === undefined) return [];
    // Counted even where it fails, or one that cannot be varied would be tried for ever.
    kind.count += 1;
    this.steps += 2 * finding.actions.length;
    const another = varied(finding, this.#suite, this.#random);
    return another === undefined ? [] : [another];
  }

  #onwards(): readonly Finding[] {
    const id = this.#nextTask();
    if (id === undefined) return [];
    const places = this.#placesOf(id);
    const place = this.#random.next() < 0.5 ? undefined : this.#choose([...places.values()]);
    const from = place && this.#one<Place['ways'][number] | undefined>(place.ways, undefined);
    const seed = from?.seed ?? this.#suite.seed('train', this.#random.int(32));
    const task = this.#suite.task(id, seed);
    const started = startOf(task);
    const texts = new Set(started.machine.elements().map(({ value }) => value));
    const actions = [...(from?.actions ?? [])];
    for (const action of actions) started.machine.perform(action);
    this.steps += actions.length;

    const found: Finding[] = [];
    let last = deedNow(started)?.ways[0];
    for (let step = 0; step < STEPS; step++) {
      const action = this.#action(started.machine.elements());
      started.machine.perform(action);
      actions.push(action);
      this.steps += 1;
      this.#visit(places, started, texts, seed, actions);
      const deed = deedNow(started);
      if (deed !== undefined && deed.ways[0] !== last && this.#isWanted(`${id} ${deed.kind}`)) {
        const finding = hindsight(task, seed, [...actions]);
        if (finding !== undefined && isSayable(finding) && this.#isDirect(finding)) {
          this.#remember(finding);
          found.push(finding);
        }
      }
      last = deed?.ways[0];
    }
    return found;
  }

  /** Mostly one of which nobody knows yet how what it asks for is done. */
  #nextTask(): TaskId | undefined {
    const open = this.#tasks.filter(task => !this.#isSolved(task) && !this.#isFound(task));
    if (open.length > 0 && this.#random.next() < FOCUS) return this.#one<TaskId | undefined>(open, undefined);
    return this.#tasks[this.#plays++ % this.#tasks.length];
  }

  /** Kinds of deeds are called as the templates that ask for them, or as what several of those begin with. */
  #isFound(task: TaskId): boolean {
    return [...this.#known.keys()].some(kind => task === kind || task.startsWith(`${kind}-`));
  }

  #placesOf(id: TaskId): Map<string, Place> {
    let places = this.#places.get(id);
    if (places === undefined) {
      places = new Map();
      this.#places.set(id, places);
    }
    return places;
  }

  /** The more often a place was played on from, the less there is left to find. */
  #choose(places: readonly Place[]): Place | undefined {
    const weights = places.map(({ visits, isDeed }) => (isDeed ? PROMISING : 1) / Math.sqrt(1 + visits));
    let left = this.#random.next() * weights.reduce((sum, weight) => sum + weight, 0);
    const chosen = places.find((_, index) => {
      left -= weights[index] ?? 0;
      return left < 0;
    });
    if (chosen !== undefined) chosen.visits += 1;
    return chosen;
  }

  #visit(
    places: Map<string, Place>,
    started: Started,
    texts: ReadonlySet<string>,
    seed: Seed,
    actions: readonly Action[],
  ): void {
    if (actions.length > LONGEST) return;
    const done = deedNow(started)?.kind;
    const looks = looksOf(started.machine.elements(), texts, done);
    const way = { seed, actions: [...actions] };
    const known = places.get(looks);
    if (known === undefined) places.set(looks, { ways: [way], isDeed: done !== undefined, visits: 0 });
    else if (known.ways.length < ALIKE) known.ways.push(way);
    else if (this.#random.next() < 0.1) known.ways[this.#random.int(ALIKE)] = way;
  }

  #isWanted(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    return count < ENOUGH || this.#random.next() < ENOUGH / count;
  }

  /** A few findings of each kind, of which the longest makes place for a shorter one. */
  #remember(finding: Finding): void {
    const kind = this.#known.get(finding.deed.kind) ?? { findings: [], count: 0 };
    this.#known.set(finding.deed.kind, kind);
    kind.count += 1;
    kind.findings.push(finding);
    if (kind.findings.length <= REMEMBERED) return;
    const longest = Math.max(...kind.findings.map(({ actions }) => actions.length));
    kind.findings.splice(
      kind.findings.findIndex(({ actions }) => actions.length === longest),
      1,
    );
  }

  /** Whether it was done about as directly as things of its kind can be. */
  #isDirect({ deed, actions }: Finding): boolean {
    const shortest = Math.min(this.#shortest.get(deed.kind) ?? Number.POSITIVE_INFINITY, actions.length);
    this.#shortest.set(deed.kind, shortest);
    return actions.length <= 2 * shortest + 1;
  }

  #one<T>(choices: readonly T[], otherwise: T): T {
    return choices.length === 0 ? otherwise : (choices[this.#random.int(choices.length)] ?? otherwise);
  }

  /** Half of the time any element, else any of a role that is there: buttons of a dialog are few among many cells. */
  #element(elements: readonly Element[]): Element | undefined {
    if (this.#random.next() < 0.5) return this.#one<Element | undefined>(elements, undefined);
    const role = this.#one([...new Set(elements.map(each => each.role))], '');
    return this.#one<Element | undefined>(
      elements.filter(each => each.role === role),
      undefined,
    );
  }

  #action(elements: readonly Element[]): Action {
    const somewhere = () => {
      const element = this.#element(elements);
      return element === undefined ? { x: 0, y: 0 } : centre(element.box);
    };
    const chance = this.#random.next();
    if (chance < 0.45) return { kind: 'click', at: somewhere() };
    if (chance < 0.52) return { kind: 'double_click', at: somewhere() };
    if (chance < 0.6) return { kind: 'right_click', at: somewhere() };
    if (chance < 0.68) return { kind: 'drag', from: somewhere(), to: somewhere() };
    if (chance < 0.82) return { kind: 'type', text: this.#text() };
    const chords = this.#random.next() < 0.4 ? COMMON : CHORDS;
    return { kind: 'hotkey', keys: chords[this.#random.int(chords.length)] ?? [key('enter')] };
  }

  /** Something that somebody might write: a name, a number, a line. */
  #text(): string {
    const random = this.#random;
    const words = VOCABULARIES.train;
    const capital = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
    switch (random.int(10)) {
      case 0:
        return capital(pseudoWord(random));
      case 1:
        return `${pseudoWord(random)}.txt`;
      case 2:
        return `${pseudoWord(random)} ${random.int(30)}.txt`;
      case 3:
      case 4:
      case 9:
        return String(1 + random.int(10 ** (1 + random.int(4))));
      case 5:
        return `${capital(pseudoWord(random))} ${capital(pseudoWord(random))}`;
      case 6:
        return this.#one(words.sentence, 'hello');
      case 7:
        return this.#one(words.folder, 'Folder');
      default:
        return Array.from({ length: 2 + random.int(4) }, () => pseudoWord(random)).join(' ');
    }
  }
}

/** Whether all that was written can be copied from the words that ask for it: nobody could guess the rest. */
function isSayable({ deed: { ways }, actions }: Finding): boolean {
  const words = new Set(ways[0]?.match(WORDS));
  return actions.every(
    action => action.kind !== 'type' || (action.text.match(WORDS) ?? []).every(word => words.has(word)),
  );
}

const WORDS = /\p{L}+|\d+/gu;

/** What tells places apart: what is in front, the shape of what is written, and what was done; not the names of things. */
function looksOf(elements: readonly Element[], texts: ReadonlySet<string>, done = ''): string {
  const parts = [done];
  for (const { role, name, value, states } of elements) {
    if (role === 'window' || role === 'dialog' || role === 'menuitem') parts.push(`${role} ${shapeOf(name)}`);
    else if (role === 'textfield' || role === 'textarea')
      parts.push(`${role} ${shapeOf(value)}${texts.has(value) ? '' : ', written'}`);
    else if (role === 'tab' && states.includes('selected')) parts.push(name);
  }
  return parts.join('/');
}

/** Letters and digits are like one another; line breaks and signs are not. */
const shapeOf = (text: string): string =>
  text
    .slice(0, 60)
    .replace(/\p{L}+/gu, 'a')
    .replace(/\d+/g, '9')
    .replace(/(a[ -]?)+/g, 'a');
