// The places that are known of one task, and the ways there. What looks alike is one place, so that play goes on from where it
// came to something new, and not from a hundred instances of the same.

import type { Action } from '../../core/action.ts';
import { oneOf, weighted } from '../../core/chance.ts';
import type { Seed } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import type { Element } from '../../core/screen.ts';

/** Longer ways than this are not played on from. */
export const LONGEST = 8;
/** To places that look alike so many ways are kept. */
export const ALIKE = 6;
/** Of a task so many are remembered: in a long run there is always another. */
export const MOST = 64;
/** The share of later ways that take the place of one of those. */
const REPLACED = 0.1;
/** How much likelier a place where a deed was done is to be played on from. */
const PROMISING = 5;

/** An instance, and what was done on it from its start. */
export interface Way {
  readonly seed: Seed;
  readonly actions: readonly Action[];
}

/** What is to be seen where a way ends. */
export interface Sight {
  readonly elements: readonly Element[];
  /** The values of all elements at the start of the instance. */
  readonly atStart: ReadonlySet<string>;
  /** The kind of deed that was done on the way, which may be half of something. */
  readonly done: string | undefined;
}

interface Place {
  readonly ways: Way[];
  readonly isDeed: boolean;
  visits: number;
}

export class VisitedStates {
  readonly #random: Random;
  /** By what they look like. */
  readonly #places = new Map<string, Place>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** A way to one of them: the more often it was played on from, the less there is left to find. Undefined where none is known. */
  choose(): Way | undefined {
    const place = weighted(this.#random, [...this.#places.values()], promiseOf);
    if (place === undefined) return undefined;
    place.visits += 1;
    return oneOf(this.#random, place.ways);
  }

  /** Notes what was seen where a way ended. The list of actions may be written on afterwards. */
  visit(sight: Sight, { seed, actions }: Way): void {
    if (actions.length > LONGEST) return;
    const looks = looksOf(sight);
    const way = { seed, actions: [...actions] };
    const known = this.#places.get(looks);
    if (known === undefined) {
      if (this.#places.size >= MOST) this.#forgetOne();
      this.#places.set(looks, { ways: [way], isDeed: sight.done !== undefined, visits: 0 });
    } else if (known.ways.length < ALIKE) known.ways.push(way);
    else if (this.#random.next() < REPLACED) known.ways[this.#random.int(ALIKE)] = way;
  }

  /** Any, and rather one of which little is to be hoped. */
  #forgetOne(): void {
    const [looks] = weighted(this.#random, [...this.#places], ([, place]) => 1 / promiseOf(place)) ?? [];
    if (looks !== undefined) this.#places.delete(looks);
  }
}

/** How likely it is to be played on from. */
const promiseOf = ({ visits, isDeed }: Place): number => (isDeed ? PROMISING : 1) / Math.sqrt(1 + visits);

/** What tells places apart: what is in front, the shape of what is written, and what was done; not the names of things. */
export function looksOf({ elements, atStart, done = '' }: Sight): string {
  const parts = [done];
  for (const { role, name, value, states } of elements) {
    if (role === 'window' || role === 'dialog' || role === 'menuitem') parts.push(`${role} ${shapeOf(name)}`);
    else if (role === 'textfield' || role === 'textarea')
      parts.push(`${role} ${shapeOf(value)}${atStart.has(value) ? '' : ', written'}`);
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
