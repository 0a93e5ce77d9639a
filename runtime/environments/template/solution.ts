// The scripted solution of a task: its steps, and a solver that plays them. A script sees only what an agent sees.

import { z } from 'zod';
import { type Action, NOTCHES } from '../../core/action.ts';
import { BoundaryError } from '../../core/failure.ts';
import { key } from '../../core/key.ts';
import { centre, type Element, type Point } from '../../core/screen.ts';
import type { Solver } from '../provider.ts';

const text = z.string().min(1);
/** May be empty: many fields have no name. */
const name = z.string();
const pixel = z.int().min(0);

/** One action each, except `until`: none or several waits. Elements are given by role and name. */
const scriptStep = z.union([
  /** The fourth text selects a window by a part of its title, if several elements have this name. */
  z.tuple([z.enum(['click', 'double', 'right']), text, name, text.optional()]),
  /** A click on the nearest element to the right of a text, on its line, if several elements have this name. */
  z.tuple([z.literal('beside'), text, name, text]),
  z.tuple([z.literal('drag'), text, name, text, name]),
  z.tuple([z.literal('scroll'), text, name, z.enum(['up', 'down'])]),
  /** A click at a point in the policy's pixels, for parts without elements, such as the panel. */
  z.tuple([z.literal('point'), pixel, pixel]),
  z.tuple([z.literal('type'), z.union([text, z.number().transform(String)])]),
  z.tuple([z.literal('keys'), text], text),
  /** Waits for an element whose name has this prefix. */
  z.tuple([z.literal('until'), text, name]),
  z.tuple([z.literal('fail')]),
]);

/** Ends with `finished`, unless it contains `fail`. */
export const solutionScript = z.array(scriptStep);

type ScriptStep = Readonly<z.infer<typeof scriptStep>>;
export type SolutionScript = readonly ScriptStep[];

/** A busy machine shows a dialog late. An element that is missing after this many waits will not appear. */
const MAX_WAITS_PER_STEP = 8;

/** Plays the script once: an action for each screen, then `finished`. `task` is named in errors. */
export function solverOf(task: string, script: SolutionScript): Solver {
  let done = 0;
  let waits = 0;
  return ({ elements = [] }) => {
    for (;;) {
      const step = script[done];
      if (step === undefined) return { kind: 'finished', answer: '' };
      const isOver =
        step[0] === 'until' &&
        elements.some(({ role, name }) => role === step[1] && name.startsWith(step[2]));
      const action = actionOf(step, elements);
      if (isOver || action !== undefined) {
        done += 1;
        waits = 0;
        if (action !== undefined) return action;
        continue;
      }
      waits += 1;
      if (waits <= MAX_WAITS_PER_STEP) return { kind: 'wait' };
      const visible = elements.map(({ role, name }) => `${role} '${name}'`).join(', ') || 'no elements';
      throw new BoundaryError({
        boundary: 'task',
        thing: task,
        message: `step ${done + 1} of its script, ${JSON.stringify(step)}, finds no such element. Visible: ${visible}.`,
      });
    }
  };
}

/** undefined if the element of the step is not visible. */
function actionOf(step: ScriptStep, elements: readonly Element[]): Action | undefined {
  const find = (role: string, name: string, window?: string): Point | undefined => {
    const found = frontmost(elements, role, name, window);
    return found && centre(found.box);
  };
  switch (step[0]) {
    case 'click':
    case 'double':
    case 'right': {
      const at = find(step[1], step[2], step[3]);
      return at && { kind: CLICKS[step[0]], at };
    }
    case 'beside': {
      const found = beside(elements, step[1], step[2], step[3]);
      return found && { kind: 'click', at: centre(found.box) };
    }
    case 'point':
      return { kind: 'click', at: { x: step[1], y: step[2] } };
    case 'drag': {
      const [from, to] = [find(step[1], step[2]), find(step[3], step[4])];
      return from && to && { kind: 'drag', from, to };
    }
    case 'scroll': {
      const at = find(step[1], step[2]);
      return at && { kind: 'scroll', at, direction: step[3], notches: NOTCHES };
    }
    case 'type':
      return { kind: 'type', text: step[1] };
    case 'keys': {
      const [, first, ...others] = step;
      return { kind: 'hotkey', keys: [key(first), ...others.map(key)] };
    }
    case 'until':
      return undefined;
    case 'fail':
      return { kind: 'fail', why: '' };
  }
}

const CLICKS = { click: 'click', double: 'double_click', right: 'right_click' } as const;

/** An element without a name, such as a paragraph of a document, is called by its text. */
const isCalled = (element: Element, name: string): boolean =>
  element.name === name || (name !== '' && element.name === '' && element.value === name);

/** In the list, the elements of a window follow it, and front windows come last. */
function frontmost(
  elements: readonly Element[],
  role: string,
  name: string,
  window = '',
): Element | undefined {
  let title = '';
  let found: Element | undefined;
  for (const element of elements) {
    if (element.role === 'window' || element.role === 'dialog') title = element.name;
    if (title.includes(window) && element.role === role && isCalled(element, name)) found = element;
  }
  return found;
}

/** The nearest element to the right of the text, among those that share a row of pixels with the text. */
function beside(elements: readonly Element[], role: string, name: string, text: string): Element | undefined {
  const line = elements.findLast(element => element.name === text)?.box;
  if (line === undefined) return undefined;
  const from = centre(line);
  const distance = ({ box }: Element): number => {
    const { x, y } = centre(box);
    return x - from.x + Math.abs(y - from.y);
  };
  return elements
    .filter(element => element.role === role && element.name === name)
    .filter(({ box }) => box.y < line.y + line.height && line.y < box.y + box.height)
    .filter(({ box }) => centre(box).x > from.x)
    .toSorted((one, other) => distance(one) - distance(other))[0];
}
