// Grounding examples: an element of the screen and an instruction that names it. They teach where names are, apart from any task.

import type { Action } from '../core/action.ts';
import { oneOf } from '../core/chance.ts';
import type { Random } from '../core/rng.ts';
import { centre, type Element, elementAt } from '../core/screen.ts';

export interface GroundingTask {
  readonly instruction: string;
  readonly action: Action;
}

const WAYS = {
  click: ['Click *.', 'Press *.', 'Choose *.', 'Select *.', 'Go to *.'],
  double_click: ['Double-click *.', 'Open *.'],
  right_click: ['Right-click *.', 'Open the menu of *.'],
} as const;

/** Undefined on a screen with nothing to name. */
export function groundingTask(elements: readonly Element[], random: Random): GroundingTask | undefined {
  const named = nameable(elements);
  const [element, other] = [oneOf(random, named), oneOf(random, named)];
  if (element === undefined || other === undefined) return undefined;
  const quoted = random.next() < 0.5;
  const called = ({ name }: Element) => (quoted ? `"${name}"` : name);
  const at = centre(element.box);
  const chance = random.next();
  if (chance < 0.1 && element !== other) {
    const way = oneOf(random, ['Drag * to +.', 'Move * onto +.', 'Put * into +.']);
    const instruction = way.replace(/[*+]/g, mark => called(mark === '*' ? element : other));
    return { instruction, action: { kind: 'drag', from: at, to: centre(other.box) } };
  }
  const kind = chance < 0.2 ? 'right_click' : chance < 0.26 ? 'double_click' : 'click';
  const instruction = oneOf(random, WAYS[kind]).replace('*', () => called(element));
  return { instruction, action: { kind, at } };
}

/** Elements with a unique name that are in front at their centre. */
function nameable(elements: readonly Element[]): readonly Element[] {
  const names = new Map<string, number>();
  for (const { name } of elements) names.set(name, (names.get(name) ?? 0) + 1);
  return elements.filter(
    element =>
      element.name !== '' &&
      element.name.length < 40 &&
      !element.name.includes('"') &&
      names.get(element.name) === 1 &&
      elementAt(elements, centre(element.box)) === element,
  );
}
