// The numbered list of elements in a prompt. A session lists the elements of a screen once; the numbers of the reply refer to that list.

import {
  type Box,
  centre,
  contains,
  type Element,
  type Point,
  type Screen,
  type Size,
} from '../../core/screen.ts';

export interface ListLimits {
  /** The number of elements. */
  readonly elements: number;
  /** The length of the list in characters. */
  readonly characters: number;
  /** The length of a name or value in characters. */
  readonly text: number;
}

/** About 2,500 tokens: a small model still has room for the instruction and the history. */
export const LIST_LIMITS: ListLimits = { elements: 150, characters: 8_000, text: 80 };

/** Elements of these roles hide those that lie behind them. */
const SURFACES: readonly string[] = ['window', 'dialog', 'alert', 'menu', 'dropdown'];

/** The elements that the prompt lists, in the order of the screen. With more than the limits allow, the front ones are kept. */
export function listElements(
  screen: Screen | (Pick<Screen, 'elements'> & { readonly pixels: Size }),
  limits: ListLimits = LIST_LIMITS,
): readonly Element[] {
  const { elements = [], pixels } = screen;
  const surfaces = elements.flatMap((element, index) =>
    SURFACES.includes(element.role) ? [{ index, box: element.box }] : [],
  );
  const listed: Element[] = [];
  let characters = 0;
  for (let index = elements.length - 1; index >= 0 && listed.length < limits.elements; index--) {
    const element = elements[index];
    if (element === undefined) continue;
    const target = targetOf(element.box, pixels);
    if (target === undefined) continue;
    if (surfaces.some(surface => surface.index > index && contains(surface.box, target))) continue;
    characters += lineOf(element, elements.length, limits).length + 1;
    if (characters > limits.characters) break;
    listed.push(element);
  }
  return listed.reverse();
}

/** The point that an action on the element uses: the middle of its part on the screen. Undefined outside the screen. */
export function targetOf(box: Box, { width, height }: Size): Point | undefined {
  const x = Math.max(0, box.x);
  const y = Math.max(0, box.y);
  const visible = {
    x,
    y,
    width: Math.min(width, box.x + box.width) - x,
    height: Math.min(height, box.y + box.height) - y,
  };
  return visible.width > 0 && visible.height > 0 ? centre(visible) : undefined;
}

/** One line for each element. `elements` is a result of `listElements`. */
export const elementList = (elements: readonly Element[], limits: ListLimits = LIST_LIMITS): string =>
  elements.map((element, index) => lineOf(element, index + 1, limits)).join('\n');

export type Nameable = Pick<Element, 'role' | 'name' | 'value' | 'states'>;

/** An element in words: `button "Save" (disabled)`. */
export function nameOf({ role, name, value, states }: Nameable, limits: ListLimits = LIST_LIMITS): string {
  const short = (text: string) =>
    JSON.stringify(text.length > limits.text ? `${text.slice(0, limits.text - 1)}…` : text);
  return [
    role,
    ...(name === '' ? [] : [short(name)]),
    ...(value === '' ? [] : [`= ${short(value)}`]),
    ...(states.length === 0 ? [] : [`(${states.join(', ')})`]),
  ].join(' ');
}

const lineOf = (element: Element, number: number, limits: ListLimits): string =>
  `${number}. ${nameOf(element, limits)}`;
