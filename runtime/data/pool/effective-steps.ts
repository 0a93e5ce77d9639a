// The steps of a success that are worth imitating: those that changed what the policy sees. Pure.

import { decode, ENCODING, EncodingError, type Observation } from '../../agents/compact/observation.ts';
import type { LessonStep } from '../../core/lesson.ts';
import type { Element } from '../../core/screen.ts';

/**
 * The last step stays: no screen follows it. A step whose observation, or the next one, cannot be read stays too: the trainer reports it
 * if it is damaged, and other agents have observations of their own.
 */
export function effectiveSteps(steps: readonly LessonStep[]): readonly LessonStep[] {
  if (steps.length < 2) return steps;
  const seen = steps.map(({ observation }) => screenOf(observation));
  return steps.filter((_, index) => seen[index] === undefined || seen[index] !== seen[index + 1]);
}

function screenOf(observation: LessonStep['observation']): string | undefined {
  if (observation.encoding !== ENCODING) return undefined;
  try {
    return visible(decode(observation));
  } catch (error) {
    if (error instanceof EncodingError) return undefined;
    throw error;
  }
}

/**
 * Without recent actions and remembered texts, which differ after every step, and without the focus of what cannot be written in: a double
 * click that checks a box and clears it again leaves the focus there.
 */
const visible = ({ elements, patches, squares }: Observation): string =>
  JSON.stringify([elements.map(withoutIdleFocus), patches, Buffer.from(squares).toString('latin1')]);

const withoutIdleFocus = (element: Element): Element =>
  element.states.includes('editable')
    ? element
    : { ...element, states: element.states.filter(state => state !== 'focused') };
