// The steps of a demonstration: each action that was performed, merged with those before it that an agent would do in one step. Pure.
//
// Law: the merged steps lead a fresh desktop to the same state as the actions that were performed.

import { type Action, pointsOf } from '../core/action.ts';
import { key } from '../core/key.ts';
import { type Element, elementAt, type Point, samePoint } from '../core/screen.ts';
import type { Step } from '../core/step.ts';
import { actionInWords } from '../inference/action-words.ts';
import { RecordError } from './record-error.ts';

export interface PersonStep {
  readonly action: Action;
  /** The number of the screen that the person saw when the step began. */
  readonly frame: number;
  /** The step in words. */
  readonly says: string;
  /** A `wait` that nobody gave: the person waited until the screen had changed. */
  readonly awaitsChange?: true;
  /** An agent chose it. Absent: the person. */
  readonly by?: 'agent';
  /** The agent's choice of it, if that is known. */
  readonly decided?: Step;
  /** With `decided`: the number of actions of its turn, also of those that were not performed. */
  readonly turnLength?: number;
}

/** The number of the person's first step; -1 if the agent did everything. */
export const firstByPerson = (steps: readonly Pick<PersonStep, 'by'>[]): number =>
  steps.findIndex(({ by }) => by === undefined);

/** The steps of one turn. */
export interface DecidedSteps {
  /** The number of the first one. */
  readonly from: number;
  readonly steps: readonly Step[];
}

/** The turn of a step. `proposed` follow the last step. */
export function decidedSteps(
  steps: readonly PersonStep[],
  proposed: readonly Step[],
  step: number,
): DecidedSteps {
  const done = steps.map(({ action, decided }): Step => decided ?? { action, meant: [] });
  const all = [...done, ...proposed];
  if (step >= all.length)
    throw new RecordError(
      `The recording has no step ${step}: it has ${all.length}, from 0. Ask for another.`,
    );
  const continues = (index: number) => all[index]?.chosen?.trace.kind === 'same-turn';
  let [from, to] = [step, step + 1];
  while (from > 0 && continues(from)) from -= 1;
  while (continues(to)) to += 1;
  return { from, steps: all.slice(from, to) };
}

/** The steps of an episode that an agent has begun. Their screens are numbered from 1. */
export const begunSteps = (actions: readonly Action[]): readonly PersonStep[] =>
  actions.map((action, index) => ({ action, frame: index + 1, says: inWords(action, []), by: 'agent' }));

/** The steps with a wait for a change. `frame`: the screen after the last action. */
export const withWait = (steps: readonly PersonStep[], frame: number): readonly PersonStep[] => [
  ...steps,
  { action: { kind: 'wait' }, frame, says: 'wait until the screen has changed', awaitsChange: true },
];

/** An action that the desktop has performed. */
export interface PerformedAction {
  readonly action: Action;
  readonly press?: 2 | 3;
  readonly frame: number;
  /** On the screen before it. */
  readonly elements: readonly Element[];
}

/** A longer text becomes several steps. */
const MAX_TEXT_LENGTH = 2000;

export function withAction(
  steps: readonly PersonStep[],
  { action, press, frame, elements }: PerformedAction,
): readonly PersonStep[] {
  const last = steps.at(-1);
  const merged = last && mergedAction(last, action, press);
  if (last === undefined || merged === undefined)
    return [...steps, { action, frame, says: inWords(action, elements) }];
  // The elements under a repeated click may be those of a window that the first click opened.
  const says = actionInWords(merged, () => last.says.replace(/^(double-)?click /, ''));
  return [...steps.slice(0, -1), { action: merged, frame: last.frame, says }];
}

/** The action that does both; undefined if they stay two steps. */
function mergedAction(last: PersonStep, action: Action, press: 2 | 3 | undefined): Action | undefined {
  const { action: before, by } = last;
  // Steps of an agent stay as they are.
  if (by !== undefined) return undefined;
  if (before.kind === 'type' && action.kind === 'type') {
    const text = before.text + action.text;
    return text.length > MAX_TEXT_LENGTH ? undefined : { kind: 'type', text };
  }
  if (press === undefined || action.kind !== 'click' || !continuesClick(last, action, press))
    return undefined;
  return { kind: press === 2 ? 'double_click' : 'triple_click', at: action.at };
}

/** Whether this press and the person's action before it are presses at one place, one after another. */
export function continuesClick(
  last: PersonStep | undefined,
  { at }: { readonly at: Point },
  press: 2 | 3,
): boolean {
  if (last === undefined || last.by !== undefined) return false;
  const first = press === 2 ? 'click' : 'double_click';
  return last.action.kind === first && samePoint(last.action.at, at);
}

/** Whether the presses at this place are one double click; on these roles, quick clicks are clicks of their own. */
export function countsPresses(at: Point, elements: readonly Element[]): boolean {
  return !SINGLE_CLICK_ROLES.has(elementAt(elements, at)?.role ?? '');
}

const SINGLE_CLICK_ROLES: ReadonlySet<string> = new Set([
  ...['button', 'checkbox', 'radio', 'tab', 'columnheader', 'menuitem', 'menu'],
  ...['slider', 'spinner', 'dropdown', 'scrollbar', 'link', 'switch'],
]);

/**
 * The space bar writes where text is edited, and is a key elsewhere, since it also presses buttons. Without elements both are the same
 * key.
 */
export function spaceOrText(action: Action, elements: readonly Element[] | undefined): Action {
  if (action.kind !== 'type' || elements === undefined) return action;
  if (action.text === '\n') return { kind: 'hotkey', keys: [key('enter')] };
  if (action.text !== ' ' || elements.some(isEdited)) return action;
  return { kind: 'hotkey', keys: [key('space')] };
}

const isEdited = ({ states }: Element): boolean => states.includes('focused') && states.includes('editable');

export const inWords = (action: Action, elements: readonly Element[]): string => {
  const points = pointsOf(action);
  return actionInWords(action, index => nameAt(points[index], elements));
};

function nameAt(point: Point | undefined, elements: readonly Element[]): string {
  const element = point && elementAt(elements, point);
  if (element === undefined) return point === undefined ? 'here' : `(${point.x}, ${point.y})`;
  return element.name === '' ? element.role : `${element.role} "${element.name}"`;
}
