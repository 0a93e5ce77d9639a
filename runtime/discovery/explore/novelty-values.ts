// The future novelty of actions, learned while exploring, as in GUI-Bee: an action is worth the new states that it leads to, and those that
// follow. Its formula is not public; this one is a reconstruction.

import type { Action } from '../../core/action.ts';
import { type Element, elementAt, type Point } from '../../core/screen.ts';
import { THING_ROLES } from '../thing-roles.ts';
import { shapeOf } from './visited-states.ts';

/** η: how far a value moves to what was seen. */
const RATE = 0.5;
/** γ: the share of the best value of the next state. */
const DISCOUNT = 0.9;
/** c: what the square root of the number of tries costs. */
const COST_OF_TRIES = 0.3;
/** The value of an untried action. With 1, each of hundreds of keys would be tried before a known good action. */
const UNTRIED = 0;
/** States with values. The one that was not seen for the longest time is forgotten, and would be new again. */
export const MAX_VALUED_STATES = 512;

interface ActionValue {
  readonly value: number;
  readonly tries: number;
}

export class NoveltyValues {
  /** By state and action. */
  readonly #values = new Map<string, Map<string, ActionValue>>();

  /** The candidate with the highest value less the cost of its tries; the first of equal ones. */
  best(state: string, candidates: readonly string[]): number {
    const known = this.#values.get(state);
    const scores = candidates.map(candidate => scoreOf(known?.get(candidate)));
    return scores.indexOf(Math.max(...scores));
  }

  /** Marks a state as seen. Returns whether it is new. */
  see(state: string): boolean {
    const known = this.#values.get(state);
    // The last key is the state that was seen last.
    this.#values.delete(state);
    this.#values.set(state, known ?? new Map());
    if (known !== undefined) return false;
    const [oldest] = this.#values.keys();
    if (this.#values.size > MAX_VALUED_STATES && oldest !== undefined) this.#values.delete(oldest);
    return true;
  }

  /** Q ← (1 − η)·Q + η·(1 for a new state + γ·max Q of it). */
  learn(state: string, action: string, next: string): void {
    const isNew = this.see(next);
    const known = this.#values.get(state);
    if (known === undefined) return;
    const { value, tries } = known.get(action) ?? { value: UNTRIED, tries: 0 };
    const target = Number(isNew) + DISCOUNT * this.#bestOf(next);
    known.set(action, { value: (1 - RATE) * value + RATE * target, tries: tries + 1 });
  }

  #bestOf(state: string): number {
    const values = [...(this.#values.get(state)?.values() ?? [])].map(({ value }) => value);
    return values.length === 0 ? UNTRIED : Math.max(...values);
  }
}

/** Equal for actions that should do alike: names of things and texts do not count. */
export function actionKey(action: Action, elements: readonly Element[]): string {
  const over = (point: Point): string => {
    const element = elementAt(elements, point);
    if (element === undefined) return 'nothing';
    return THING_ROLES.has(element.role) ? element.role : `${element.role} ${element.name}`;
  };
  switch (action.kind) {
    case 'type':
      return `type ${shapeOf(action.text)}`;
    case 'hotkey':
      return `hotkey ${action.keys.join('+')}`;
    case 'drag':
      return `drag ${over(action.from)} to ${over(action.to)}`;
    case 'click':
    case 'double_click':
    case 'right_click':
      return `${action.kind} ${over(action.at)}`;
    default:
      return action.kind;
  }
}

const scoreOf = ({ value, tries }: ActionValue = { value: UNTRIED, tries: 0 }): number =>
  value - COST_OF_TRIES * Math.sqrt(tries);
