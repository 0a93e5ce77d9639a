// The states that exploration has visited in one task, with action paths to them. States that look alike share an entry, so that
// exploration continues from new states.

import type { Action } from '../../core/action.ts';
import { oneOf, weighted } from '../../core/chance.ts';
import type { Seed } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import type { Element } from '../../core/screen.ts';

/** Longer paths are not stored. */
export const MAX_PATH_LENGTH = 8;
/** Paths stored per state. */
export const MAX_PATHS_PER_STATE = 6;
/** States stored per task. */
export const MAX_STATES_PER_TASK = 64;
/** The share of later paths that replace a stored one. */
const REPLACE_PROBABILITY = 0.1;
/** The extra weight of states with an outcome. */
const OUTCOME_WEIGHT = 5;

/** Actions from the start of an instance. */
export interface ActionPath {
  readonly seed: Seed;
  readonly actions: readonly Action[];
}

/** The appearance of a state. */
export interface ObservedState {
  readonly elements: readonly Element[];
  /** The values of all elements at the start of the instance. */
  readonly atStart: ReadonlySet<string>;
  /** The kind of outcome so far, if any. */
  readonly done: string | undefined;
}

interface VisitedState {
  readonly paths: ActionPath[];
  readonly hasOutcome: boolean;
  visits: number;
}

export class VisitedStates {
  readonly #random: Random;
  /** By `stateKey`. */
  readonly #states = new Map<string, VisitedState>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** A path to a state, rarely to one that was chosen often. Undefined without states. */
  choose(): ActionPath | undefined {
    const state = weighted(this.#random, [...this.#states.values()], weightOf);
    if (state === undefined) return undefined;
    state.visits += 1;
    return oneOf(this.#random, state.paths);
  }

  /** Records a state. `actions` is copied. */
  visit(state: ObservedState, { seed, actions }: ActionPath): void {
    if (actions.length > MAX_PATH_LENGTH) return;
    const key = stateKey(state);
    const path = { seed, actions: [...actions] };
    const known = this.#states.get(key);
    if (known === undefined) {
      if (this.#states.size >= MAX_STATES_PER_TASK) this.#forgetOne();
      this.#states.set(key, { paths: [path], hasOutcome: state.done !== undefined, visits: 0 });
    } else if (known.paths.length < MAX_PATHS_PER_STATE) known.paths.push(path);
    else if (this.#random.next() < REPLACE_PROBABILITY)
      known.paths[this.#random.int(MAX_PATHS_PER_STATE)] = path;
  }

  /** Drops a state, more likely one with little weight. */
  #forgetOne(): void {
    const [key] = weighted(this.#random, [...this.#states], ([, state]) => 1 / weightOf(state)) ?? [];
    if (key !== undefined) this.#states.delete(key);
  }
}

/** The weight in the choice. */
const weightOf = ({ visits, hasOutcome }: VisitedState): number =>
  (hasOutcome ? OUTCOME_WEIGHT : 1) / Math.sqrt(1 + visits);

/** Equal for states that look alike: front windows, the shape of typed text, and the outcome; names of things do not count. */
export function stateKey({ elements, atStart, done = '' }: ObservedState): string {
  const parts = [done];
  for (const { role, name, value, states } of elements) {
    if (role === 'window' || role === 'dialog' || role === 'menuitem') parts.push(`${role} ${shapeOf(name)}`);
    else if (role === 'textfield' || role === 'textarea')
      parts.push(`${role} ${shapeOf(value)}${atStart.has(value) ? '' : ', written'}`);
    else if (role === 'tab' && states.includes('selected')) parts.push(name);
  }
  return parts.join('/');
}

/** Replaces letters and digits by one of each. */
export const shapeOf = (text: string): string =>
  text
    .slice(0, 60)
    .replace(/\p{L}+/gu, 'a')
    .replace(/\d+/g, '9')
    .replace(/(a[ -]?)+/g, 'a');
