// The texts that an episode acted on, each by where it stood: names of clicked elements, texts beside them, texts typed, and values of
// fields at the last step. Two episodes that did the same with other things have the same readings with other texts. Pure.

import type { Observation } from '../../agents/compact/observation.ts';
import type { Action } from '../../core/action.ts';
import { type Box, centre, type Element, elementAt } from '../../core/screen.ts';

export interface ActedStep {
  readonly action: Action;
  /** Before the action. */
  readonly observation: Pick<Observation, 'elements'>;
}

/** Texts by where they stood. */
export type Readings = ReadonlyMap<string, string>;

/** Elements of a row, and elements with one role on a screen, that are read. */
const MAX_ALIKE = 12;
/** Longer texts are no names. */
const LONGEST = 80;

export function readingsOf(steps: readonly ActedStep[]): Readings {
  const readings = new Map<string, string>();
  const read = (place: string, text: string | undefined) => {
    const trimmed = text?.trim() ?? '';
    if (trimmed !== '' && trimmed.length <= LONGEST) readings.set(place, trimmed);
  };
  const clicked = steps.flatMap(({ action, observation: { elements } }) => {
    const element = 'at' in action ? elementAt(elements, action.at) : undefined;
    return element === undefined ? [] : [{ element, elements }];
  });
  // From both ends: episodes of one task may begin or end alike.
  for (const [index, { element, elements }] of clicked.entries())
    for (const number of [index, index - clicked.length]) {
      read(`role of click ${number}`, element.role);
      read(`click ${number}`, element.name);
      read(`value of click ${number}`, element.value);
      for (const [place, text] of rowOf(elements, element.box))
        read(`row of click ${number}, ${place}`, text);
    }
  const last = steps.at(-1)?.observation.elements ?? [];
  const typed = steps.flatMap(({ action }) => (action.kind === 'type' ? [action.text] : []));
  for (const [index, text] of typed.entries()) {
    read(`typed ${index}`, text);
    const source = last.find(({ name, role }) => name.trim() === text.trim() && role !== 'textbox');
    if (source !== undefined)
      for (const [place, beside] of rowOf(last, source.box)) read(`row of typed ${index}, ${place}`, beside);
  }
  for (const [place, { name, value, states }] of numbered(last)) {
    read(`text of ${place}`, name);
    read(`value of ${place}`, value);
    if (value !== '') read(`value of '${name}'`, value);
    if (states.includes('selected')) read('selected', name);
    if (states.includes('checked')) read('checked', name);
  }
  return readings;
}

/** The names of the elements at the height of a box, from the left. */
function rowOf(elements: readonly Element[], box: Box): readonly (readonly [place: string, text: string])[] {
  const { y } = centre(box);
  const row = elements
    .filter(each => each.name !== '' && each.box.y <= y && y < each.box.y + each.box.height)
    .sort((a, b) => a.box.x - b.box.x);
  return numbered(row).map(([place, { name }]) => [place, name]);
}

/** Elements by their role and their number among those with this role. */
function numbered(elements: readonly Element[]): readonly (readonly [place: string, element: Element])[] {
  const counts = new Map<string, number>();
  return elements.flatMap(element => {
    const count = counts.get(element.role) ?? 0;
    counts.set(element.role, count + 1);
    return count < MAX_ALIKE ? [[`${element.role} ${count}`, element] as const] : [];
  });
}
